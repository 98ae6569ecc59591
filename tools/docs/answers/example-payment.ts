/**
 * Payments of which everything is known, for the tables of answers and callbacks: every field that can appear does appear. An attribute for
 * which an action has no parameter is unknown here, too.
 */

import type { PaymentFacts, TransactionFacts } from '#domain/payment/facts.ts'
import type { Status } from '#domain/payment/payment.ts'
import { bareFacts, fullFacts } from '#domain/payment/testing/example-facts.ts'
import { monthly } from '#domain/schedule/testing/schedule-example.ts'
import type { ScheduleRecord } from '#server/contracts/records.ts'

export const exampleSchedule: ScheduleRecord = {
  ...monthly,
  merchantId: '0190a5f0-0000-7000-8000-000000000001',
  mode: bareFacts.mode,
  id: fullFacts.schedule.id,
  version: 1,
}

const completeFacts: PaymentFacts = { ...fullFacts, transaction: null }

/** What can be known of a payment whose request has these parameters. */
export function knownWith(params: readonly string[]): PaymentFacts {
  const missing = toldBy.filter(([param]) => !params.includes(param)).map(([, without]) => without)
  const known: PaymentFacts = Object.assign({ ...completeFacts }, ...missing)
  // An action that names a chain charges it and does not start one.
  const { recurring } = fullFacts
  return params.includes('recurring_token') ? { ...known, recurring: { ...recurring, init: false } } : known
}

/** The same payment in a look-up, which reports its state and no particular transaction. */
export const lookUpExample = (status: Status): PaymentFacts => ({ ...completeFacts, status })

/** A payment after the transaction that an answer or a callback reports. */
export function reportedFacts(
  known: PaymentFacts,
  { action, kind, type, state, status }: Pick<PaymentFacts, 'action' | 'kind' | 'status'> & Transaction,
): PaymentFacts {
  const creditvoidId = type === 'REFUND' || type === 'REVERSAL' ? '0d2c5f5e-7a11-4f0c-9a53-2f3b1a77c001' : null
  const transaction = { id: bareFacts.id, type, state, amountMinor: 400n, at: bareFacts.createdAt, creditvoidId }
  return { ...known, action, kind, status, transaction }
}

type Transaction = Pick<TransactionFacts, 'type' | 'state'>

// biome-ignore format: a table is read in columns.
const toldBy: readonly (readonly [param: string, withoutIt: Partial<PaymentFacts>])[] = [
  // parameter          unknown without it
  ['digital_wallet',    { digitalWallet: null, panType: null }],
  ['moto_type',         { motoType: null }],
  ['req_token',         { reqToken: false, cardToken: null }],
  ['card_token',        { paidWithToken: false }],
  ['recurring_init',    { recurring: null }],
  ['schedule_id',       { schedule: null }],
  ['custom_data',       { customData: null }],
  ['term_url_3ds',      { redirect: null }],
]
