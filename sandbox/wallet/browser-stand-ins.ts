/** The script that replaces the wallet APIs of browsers (Chapter 40 §20.5). */
import { readFile } from 'node:fs/promises'
import type { Reply } from '../kit/reply.ts'

/** One script of several parts; the others need the first. */
const parts = ['simulator.js', 'wallet-a.js', 'wallet-b.js']

export async function standIn(): Promise<Reply> {
  const texts = await Promise.all(parts.map((part) => readFile(new URL(`./browser/${part}`, import.meta.url), 'utf8')))
  return { status: 200, body: texts.join('\n'), headers }
}

const headers = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
} as const
