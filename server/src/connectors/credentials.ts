/** What an acquirer gave the operator: accounts, keys, secrets. Each connector has its own schema of it. */
import { createSecretKey, type KeyObject } from 'node:crypto'
import type { z } from 'zod'
import { readValue, type ValueFault } from '../contracts/value-faults.ts'

/** `base_url` replaces the acquirer's own addresses: a stand-in for tests, or a proxy in the operator's network. */
export type Credentials = Readonly<Record<string, unknown>> & { readonly base_url?: string | undefined }

interface FieldText {
  /** The name of the field in the acquirer's dashboard. */
  readonly title: string
  /** Where in the dashboard it is found, or what it does. */
  readonly help: string
  /** A key or certificate of several lines. */
  readonly multiline?: true
  /** A key that lets its holder act as the merchant or the acquirer: the form hides what is typed. */
  readonly secret?: true
}

/** Gives a field of the credentials the words that the form of the panel and `gatehouse mid` show. */
export const field = <Schema extends z.ZodType>(
  schema: Schema,
  { title, help, multiline, secret }: FieldText,
): Schema =>
  schema.meta({ title, description: help, ...(multiline && { multiline }), ...(secret && { writeOnly: true }) })

/** Why stored credentials do not fit the connector's schema; null if they do. */
export function credentialsFault(schema: z.ZodType<Credentials>, stored: unknown): ValueFault | null {
  const reading = readValue(schema, stored)
  if (reading.ok) return null
  const [{ path, text } = { path: '', text: 'They cannot be read.' }] = reading.faults
  return { path, text: `${text} Enter the credentials of the MID again.` }
}

/** Above the number of MIDs of one instance; beyond it all are created again. */
const mostKeys = 10_000

const hmacKeys = new Map<string, KeyObject>()

/** The key of HMAC signatures, from the secret as the acquirer shows it. Created once, because that costs several times what a signature does. */
export function hmacKey(secret: string, encoding: 'base64' | 'hex' | 'utf8'): KeyObject {
  const name = `${encoding} ${secret}`
  const known = hmacKeys.get(name)
  if (known) return known
  const key = createSecretKey(secret, encoding)
  if (hmacKeys.size >= mostKeys) hmacKeys.clear()
  hmacKeys.set(name, key)
  return key
}
