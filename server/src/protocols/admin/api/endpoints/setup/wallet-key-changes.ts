/** The changes of a wallet's keys, which are the same for a merchant's record and the operator's own. Chapter 40 §5. */
import type { z } from 'zod'
import * as wallets from '../../../../../panel/setup/wallets.ts'
import type { Caller } from '../../endpoint.ts'
import { emptyBody } from '../../values.ts'
import { keyBody, keyEntryOf, millisecondsOf, promotion, savedKey } from '../../wallet-shapes.ts'

type RecordKey = Parameters<typeof wallets.enterKey>[2]

export const keyEntry = {
  method: 'POST',
  summary: 'Creates a key, imports one, or adds a certificate to its key.',
  body: keyBody,
  output: savedKey,
} as const

export const keyPromotion = {
  method: 'POST',
  summary: 'Activates the next key; the old one stays valid for an overlap period.',
  body: promotion,
  output: savedKey,
} as const

export const keyRetirement = {
  method: 'POST',
  summary: 'Retires a key; its private part is destroyed.',
  body: emptyBody,
  output: savedKey,
} as const

export async function enterKey({ context, actor }: Caller, recordKey: RecordKey, body: z.output<typeof keyBody>) {
  const entered = await wallets.enterKey(context, actor.label, recordKey, { role: body.role, entry: keyEntryOf(body) })
  return answerWith(entered)
}

export async function promoteKey(
  { context, actor }: Caller,
  recordKey: RecordKey,
  fingerprint: string,
  { retireAfterHours }: z.output<typeof promotion>,
) {
  const retireAfterMs = millisecondsOf(retireAfterHours)
  return answerWith(await wallets.rotateKey(context, actor.label, recordKey, { fingerprint, retireAfterMs }))
}

export async function retireKey({ context, actor }: Caller, recordKey: RecordKey, fingerprint: string) {
  return answerWith(await wallets.retireKey(context, actor.label, recordKey, fingerprint))
}

const answerWith = <Key, Audit>({ value, notes, audit }: SavedKey<Key, Audit>) => ({
  answer: { key: value, notes },
  audit,
})

interface SavedKey<Key, Audit> {
  readonly value: Key
  readonly notes: readonly string[]
  readonly audit: Audit
}
