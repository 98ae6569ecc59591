/**
 * `npm run bench -- integrator`: what a merchant's developer waits for: the search of the documentation over all pages, and the verification
 * of a callback by both client libraries.
 */
import { readFileSync } from 'node:fs'
import { hasPhp, runPhp } from '../client/testing/php.ts'
import { type KnownPayment, type Receiver, verifyCallback } from '../client/typescript/src/index.ts'
import { siteFiles } from '../tools/site/site-files.ts'
import { type SearchEntry, search } from '../web/docs/search.ts'
import type { Figure } from './figure-table.ts'
import { percentile } from './load.ts'

export async function integratorFigures(): Promise<readonly Figure[]> {
  return [searchFigure(), ...(await typescriptFigures()), ...(await phpFigures())]
}

/** Words that occur everywhere, a word that occurs nowhere, and a sentence: each letter that a reader types searches again. */
const queries = ['e', 'the', 'hash', 'order_id', 'refund part', 'what to do when a callback does not arrive', 'xyzzy']
const searches = 200

function searchFigure(): Figure {
  const index: readonly SearchEntry[] = JSON.parse(siteFiles()['search.json'] ?? '[]')
  const slowest = Math.max(
    ...queries.map((query) =>
      percentile(Float64Array.from({ length: searches }, () => timeOf(index, query)).toSorted(), 0.99),
    ),
  )
  return {
    name: 'search of the documentation, slowest of the words, 99 of 100',
    value: `${slowest.toFixed(2)} ms`,
    against: `${index.length} sections`,
    ratio: slowest,
    goal: { at: 'most', ratio: 50, unit: ' ms' },
  }
}

function timeOf(index: readonly SearchEntry[], query: string): number {
  const begun = performance.now()
  search(index, query)
  return performance.now() - begun
}

interface CallbackVector {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly known: { readonly email: string; readonly pan10: string }
  readonly receiver: Omit<Receiver, 'now'>
  readonly now: number
}

const vectors = new URL('../client/vectors.json', import.meta.url)
const warmUps = 500
const verifications = 5000

async function typescriptFigures(): Promise<readonly Figure[]> {
  const [{ headers, body, known, receiver, now }]: readonly [CallbackVector] = JSON.parse(
    readFileSync(vectors, 'utf8'),
  ).callbacks
  const { secrets: _none, ...withoutSecret } = receiver
  const payment: KnownPayment = { email: known.email, card: known.pan10 }
  const figure = async (scheme: string, by: Omit<Receiver, 'now'>): Promise<Figure> => {
    const verify = () => verifyCallback({ headers, body }, { ...by, now: () => now }, payment)
    return { name: `a callback verified by ${scheme}, TypeScript`, value: milliseconds(await medianOf(verify)) }
  }
  return [await figure('its signature', receiver), await figure('its hash', withoutSecret)]
}

async function medianOf(verify: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < warmUps; round += 1) await verify()
  const times = new Float64Array(verifications)
  for (let round = 0; round < verifications; round += 1) {
    const begun = performance.now()
    await verify()
    times[round] = performance.now() - begun
  }
  return percentile(times.toSorted(), 0.5)
}

async function phpFigures(): Promise<readonly Figure[]> {
  if (!hasPhp()) return [{ name: 'a callback verified, PHP', value: 'PHP 8 is not installed' }]
  const { signature, hash }: { readonly signature: number; readonly hash: number } = JSON.parse(
    await runPhp('speed.php'),
  )
  return [
    { name: 'a callback verified by its signature, PHP', value: milliseconds(signature) },
    { name: 'a callback verified by its hash, PHP', value: milliseconds(hash) },
  ]
}

const milliseconds = (value: number): string => `${value.toFixed(3)} ms`
