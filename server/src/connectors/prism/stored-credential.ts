/** What an acquirer stored with the first payment, as the text in which it is remembered, and which of it a later charge can use. */
import { z } from 'zod'
import { parseJson } from '#domain/json.ts'
import type { Order } from '../connector.ts'
import type { AcquirerRow } from './table/row.ts'

const mandateSchema = z.object({
  mandate: z.string().min(1),
  method: z.string().optional(),
  request: z.string().optional(),
  details: z.string().optional(),
  customer: z.string().optional(),
})
export type Mandate = z.infer<typeof mandateSchema>

/** A mandate that is only an id is that id. */
export function writeMandate(mandate: Mandate): string {
  const { mandate: id, ...others } = mandate
  return Object.values(others).every((value) => value === undefined) ? id : JSON.stringify(mandate)
}

export function readMandate(text: string): Mandate {
  if (!text.startsWith('{')) return { mandate: text }
  return mandateSchema.safeParse(parseJson(text)).data ?? { mandate: text }
}

/** With what a charge without the payer refers to the first payment. */
export type RepeatCredential =
  | { readonly kind: 'mandate'; readonly mandate: Mandate }
  | { readonly kind: 'network'; readonly networkTransactionId: string }

export const isRepeat = ({ storedCredential }: Order): boolean =>
  storedCredential?.initiator === 'merchant' && storedCredential.sequence === 'subsequent'

/** Prefers the credential that the acquirer stored, because the card is then not sent again. Null if the first payment left nothing that this acquirer takes. */
export function credentialFor(order: Order, { abilities }: Pick<AcquirerRow, 'abilities'>): RepeatCredential | null {
  const { storedCredential, chainCredential, networkTransactionId, card } = order
  const stored = storedCredential?.reference ?? chainCredential ?? null
  if (stored !== null && abilities.includes('repeat-by-mandate'))
    return { kind: 'mandate', mandate: readMandate(stored) }
  if (networkTransactionId !== null && card !== null && abilities.includes('repeat-by-network'))
    return { kind: 'network', networkTransactionId }
  return null
}
