/** The gateway as a merchant's server sees it: an address, a key, a password, and JSON over HTTP. */
import { readFile } from 'node:fs/promises'
import { isObject } from '#domain/json.ts'

export interface Account {
  readonly baseUrl: string
  readonly key: string
  readonly password: string
  /** Whose stand-in this account pays over; empty for the sandbox acquirer. */
  readonly acquirer: string
}

export interface Answer {
  readonly http: number
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * The shop's accounts at the gateway: the demo merchant's first, then one for each stand-in of an acquirer. Empty until the gateway has written
 * the file, which it does when it is ready.
 */
export async function accountsIn(file: string): Promise<readonly Account[]> {
  try {
    const demo: unknown = JSON.parse(await readFile(file, 'utf8'))
    const { base_url: baseUrl, merchants, acquirers } = members(demo)
    const [first] = listOf(merchants)
    return [{ ...members(first), acquirer: '' }, ...listOf(acquirers).map(acquirerAccount)].flatMap((account) => {
      const { test_key: key, password, acquirer } = members(account)
      const isWhole = typeof key === 'string' && typeof password === 'string' && typeof acquirer === 'string'
      return isWhole && typeof baseUrl === 'string' ? [{ baseUrl, key, password, acquirer }] : []
    })
  } catch {
    return []
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const acquirerAccount = (entry: unknown) => ({ ...members(entry), acquirer: members(entry)['connector'] })

const ANSWERS_WITHIN_MS = 40_000

export async function post(
  url: string,
  body: object | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isForm = body instanceof URLSearchParams
  const reply = await fetch(url, {
    method: 'POST',
    headers: { ...(isForm ? {} : { 'content-type': 'application/json' }), ...headers },
    body: isForm ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  })
  const answer: unknown = await reply.json()
  return { http: reply.status, body: members(Array.isArray(answer) ? answer[0] : answer) }
}

export const members = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

/** The gateway's error message, its details first. */
export function complaintIn({ body }: Answer): string {
  const rows = Array.isArray(body['errors']) ? body['errors'] : []
  const texts = rows.map((row) => members(row)['error_message'])
  return (
    [...texts, body['error_message']].find((text) => typeof text === 'string') ??
    'The gateway gave an unexpected answer.'
  )
}
