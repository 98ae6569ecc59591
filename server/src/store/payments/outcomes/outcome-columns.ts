/** The parameters of the statements in `outcomes.ts`, each with its column or name and its value in one row. */
import type { OutcomeRecord, PaymentRecord } from '../../../contracts/records.ts'
import { assignment, type Column, insertion, json } from '../../database/insertion.ts'
import { parameters } from '../../database/parameters.ts'

// biome-ignore format: a table is read in columns.
export const outcomeParameters = parameters<OutcomeRecord>()(1, [
  ['merchant',      ({ before }) => before.merchantId],
  ['payment',       ({ before }) => before.id],
  ['version',       ({ before }) => before.version],
  ['transaction',   ({ transaction: { id } }) => id],
  ['at',            ({ at }) => at],
  ['currency',      ({ after }) => after.currency],
  ['from',          ({ entries }) => entries.map((entry) => entry.from)],
  ['to',            ({ entries }) => entries.map((entry) => entry.to)],
  ['amounts',       ({ entries }) => entries.map((entry) => entry.amountMinor)],
  ['token',         ({ token }) => token?.token ?? null],
  ['card',          ({ token }) => token?.cardId ?? null],
  ['test',          ({ token }) => token && token.mode === 'test'],
  ['credentials',   ({ token }) => json(token?.credentials ?? {})],
  ['first name',    ({ token }) => token?.firstName ?? null],
  ['last name',     ({ token }) => token?.lastName ?? null],
  ['callback',      ({ callback }) => callback?.id ?? null],
  ['url',           ({ callback }) => callback?.url ?? null],
  ['content type',  ({ callback }) => callback?.contentType ?? null],
  ['body',          ({ callback }) => callback?.body ?? null],
  ['retry seconds', ({ callback }) => callback?.retrySeconds ?? null],
  ['erases wallet', ({ after }) => erasesWallet(after)],
])

export type OutcomeParameterName = Parameters<typeof outcomeParameters.at>[0]

/** Chapter 40 §10: token and cryptogram are stored no longer than the first step may have to be sent again. */
export const erasesWallet = ({ facts, openTransaction }: PaymentRecord): boolean =>
  facts.wallet !== undefined && openTransaction === null

// biome-ignore format: a table is read in columns.
export const payment = assignment<OutcomeRecord>(outcomeParameters.next, [
  ['status',             ({ after }) => after.status],
  ['amount_minor',       ({ after }) => after.amountMinor],
  ['authorised_minor',   ({ after }) => after.authorisedMinor],
  ['captured_minor',     ({ after }) => after.capturedMinor],
  ['refunded_minor',     ({ after }) => after.refundedMinor],
  ['charged_back_minor', ({ after }) => after.chargedBackMinor],
  ['financial_day',      ({ after }) => after.financialDay],
  ['decline_reason',     ({ after }) => after.declineReason],
  ['decline_class',      ({ after }) => after.declineClass],
  ['reference',          ({ after }) => after.reference],
  ['facts',              ({ after }) => after.facts],
  ['open_transaction',   ({ after }) => after.openTransaction],
])

// biome-ignore format: a table is read in columns.
const endColumns: readonly Column<OutcomeRecord>[] = [
  ['state',          ({ transaction: { state } }) => state],
  ['amount_minor',   ({ transaction: { amountMinor } }) => amountMinor],
  ['reference',      ({ transaction: { reference } }) => reference],
  ['facts',          ({ transaction: { facts } }) => facts],
  ['decline_reason', ({ transaction: { declineReason } }) => declineReason],
  ['decline_class',  ({ transaction: { declineClass } }) => declineClass],
  ['ask_at',         ({ askAt }) => askAt],
  ['ended_at',       ({ transaction: { endedAt } }) => endedAt],
]

export const transaction = assignment<OutcomeRecord>(payment.next, endColumns)

// biome-ignore format: a table is read in columns.
export const enteredInsertion = insertion<OutcomeRecord>('transactions', [
  ['merchant_id',   ({ before }) => before.merchantId],
  ['payment_id',    ({ before }) => before.id],
  ['id',            ({ transaction: { id } }) => id],
  ['type',          ({ transaction: { type } }) => type],
  ['mid_id',        ({ transaction: { midId } }) => midId],
  ['creditvoid_id', ({ transaction: { creditvoidId } }) => creditvoidId],
  ['created_at',    ({ transaction: { createdAt } }) => createdAt],
  ...endColumns,
])
