/** Disputes as the commands that record acquirers' reports write them. Chapter 60 §5, chapter 70 §4. */

import { closedStages } from '#domain/dispute/dispute.ts'
import type { Disputes, KnownDispute, OpenedDispute, ReturnedChargeback } from '../../../contracts/dispute-ports.ts'
import { literals } from '../../database/columns.ts'
import { type Nothing, type Queryable, query, sql } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import { endMissingReturns, settleEarlyReturns } from '../early-returns.ts'
import { onItsWay, recordArrivedAnswer } from './dispute-answers.ts'

const insertOf = (stage: 'inquiry' | 'chargeback'): string =>
  `insert into disputes (merchant_id, id, payment_id, mid_id, reference, reason_code, amount_minor, currency, amount_decimals, network, stage,
     due_on, opened_at, changed_at, charged_back)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '${stage}', null, $11, $11, ${stage === 'chargeback'})`

/**
 * An inquiry becomes the chargeback. What it was answered is its own: the chargeback is answered anew, with the same evidence or another. An answer that a worker is
 * sending at this moment, or that may have arrived, stays the only one.
 */
const openDispute = sql<Nothing, readonly unknown[]>(
  'dispute.open',
  `with opened as (
     ${insertOf('chargeback')}
     on conflict (merchant_id, id) do update set stage = 'chargeback', charged_back = true, reason_code = excluded.reason_code,
       amount_minor = excluded.amount_minor, opened_at = excluded.opened_at, changed_at = excluded.changed_at, due_on = null, warned_days = null,
       reported_at = null, (answer, answered_at) = (
         select case when count(*) > 0 then disputes.answer end, case when count(*) > 0 then disputes.answered_at end from dispute_answers sent
         where sent.merchant_id = disputes.merchant_id and sent.dispute_id = disputes.id and ${onItsWay('sent')})
     where not disputes.charged_back
     returning merchant_id, id, answer
   ), withdrawn as (
     update dispute_answers one set state = 'refused', ended_at = $11, next_at = null,
       note = 'The inquiry became a chargeback before this was sent.'
     from opened where one.merchant_id = opened.merchant_id and one.dispute_id = opened.id and one.state = 'waiting' and not (${onItsWay('one')})
   )
   update dispute_files file set sent_at = null from opened
   where file.merchant_id = opened.merchant_id and file.dispute_id = opened.id and opened.answer is null`,
)

const openInquiry = sql<Nothing, readonly unknown[]>(
  'dispute.open-inquiry',
  `${insertOf('inquiry')} on conflict do nothing`,
)

const nameDispute = sql<{ id: string }, readonly [string, string, string, string, string, Date]>(
  'dispute.name',
  `update disputes set reference = $4, reason_code = $5, changed_at = $6
   where merchant_id = $1 and id = $2 and reference = $3 returning id`,
)

const disputesOfPayment = sql<KnownDispute, readonly [string, string]>(
  'dispute.of-payment',
  `select merchant_id as "merchantId", id, mid_id as "midId", reference, case_reference as "caseReference", amount_minor as "amountMinor", stage,
     charged_back as "isChargedBack", returned_at as "returnedAt", returned_minor as "returnedMinor", returned_by_hand as "isReturnedByHand"
   from disputes where merchant_id = $1 and payment_id = $2 order by opened_at, id limit 100`,
)
const reportDispute = sql<
  Nothing,
  readonly [string, string, string | null, string | null, Date, Date, string, boolean]
>(
  'dispute.report',
  `update disputes set stage = coalesce($3::text, stage), changed_at = $5, due_on = coalesce($4::date, due_on),
     warned_days = case when due_on is not distinct from coalesce($4::date, due_on) then warned_days end,
     reported_at = case when $3::text is null then reported_at else $6 end, case_reference = coalesce(case_reference, $7)
   where merchant_id = $1 and id = $2 and (stage not in (${literals(closedStages)}) or $3::text is not null)
     and (reported_at is null or reported_at <= $6) and charged_back = $8`,
)
/** Payment, dispute and ledger in one statement. The entry follows those that the chargeback has. */
const moveMoney = (condition: string, changes: string): string =>
  `with changed as (
     update payments set version = version + 1, charged_back_minor = $4, updated_at = $5
     where merchant_id = $1 and id = $2 and version = $3
       and exists (select 1 from disputes where merchant_id = $1 and id = $6 and charged_back and ${condition})
     returning merchant_id, id, currency
   ), moved as (
     update disputes set ${changes}, changed_at = $5 where merchant_id = $1 and id = $6 and exists (select 1 from changed)
   ), entry as (
     insert into ledger_entries (merchant_id, payment_id, transaction_id, position, from_account, to_account, currency, amount_minor, at)
     select merchant_id, id, $6, (select max(position) + 1 from ledger_entries taken
         where taken.merchant_id = $1 and taken.payment_id = $2 and taken.transaction_id = $6), $8, $9, currency, $7, $5 from changed
   )
   select id from changed`

const returnMoney = sql<{ id: string }, readonly unknown[]>(
  'dispute.return',
  moveMoney(
    `returned_at is null and (not $10 or stage not in (${literals(closedStages)}))`,
    `returned_minor = $7, returned_at = $5, returned_by_hand = $10, stage = case when $10 then 'won' else stage end`,
  ),
)
const undoReturn = sql<{ id: string }, readonly unknown[]>(
  'dispute.undo-return',
  moveMoney(
    'returned_by_hand and returned_minor = $7',
    'returned_minor = 0, returned_at = null, returned_by_hand = false',
  ),
)
const confirmReturn = sql<Nothing, readonly [string, string, Date]>(
  'dispute.confirm-return',
  'update disputes set returned_by_hand = false, changed_at = $3 where merchant_id = $1 and id = $2 and returned_by_hand',
)
const findReturnRow = sql<{ ref: string }, readonly [string]>(
  'dispute.find-return-row',
  `select ref from settlement_rows where transaction_id = $1::uuid and kind = 'chargeback-reversal' limit 1`,
)

/** For the commands that record what acquirers report. */
export const disputeReports = (on: Queryable): Disputes => ({
  open: async (one) => {
    await query(on, openDispute, valuesOf(one))
  },
  openInquiry: async (one) => {
    await query(on, openInquiry, valuesOf(one))
  },
  name: async ({ merchantId, id, reference, reasonCode }, before, at) =>
    (await query(on, nameDispute, [merchantId, id, before, reference, reasonCode, at])).length === 1,
  listOfPayment: (merchantId, paymentId) => query(on, disputesOfPayment, [merchantId, paymentId]),
  report: async ({ merchantId, id }, { stage, dueOn, at, reportedAt, caseReference, isChargedBack }) => {
    await query(on, reportDispute, [merchantId, id, stage, dueOn, at, reportedAt, caseReference, isChargedBack])
  },
  recordArrivedAnswer: (dispute, answer, at) => recordArrivedAnswer(on, dispute, answer, at),
  returnMoney: ({ isWon, ...returned }) =>
    inTransaction(on, async (client) => {
      if ((await query(client, returnMoney, [...movementOf(returned), isWon])).length === 0) return false
      await settleEarlyReturns(client, settledOf(returned))
      return true
    }),
  undoReturn: (undone) =>
    inTransaction(on, async (client) => {
      if ((await query(client, undoReturn, movementOf(undone))).length === 0) return false
      await endMissingReturns(client, { ...settledOf(undone), midId: undone.midId })
      return true
    }),
  confirmReturn: async ({ merchantId, id }, at) => {
    await query(on, confirmReturn, [merchantId, id, at])
  },
  isReturnSettled: async ({ id }) => (await query(on, findReturnRow, [id])).length > 0,
})

type Movement = Omit<ReturnedChargeback, 'isWon'>

function movementOf({ before, after, disputeId, entry: { from, to, amountMinor }, at }: Movement): readonly unknown[] {
  const guarded = [before.merchantId, before.id, before.version, after.chargedBackMinor, at]
  return [...guarded, disputeId, amountMinor, from, to]
}

const settledOf = ({ before, disputeId, entry, at }: Movement) => ({
  transactionId: disputeId,
  currency: before.currency,
  amountMinor: entry.amountMinor,
  at,
})

function valuesOf(one: OpenedDispute): readonly unknown[] {
  const { merchantId, id, paymentId, midId, reference, reasonCode, amountMinor, currency, amountDecimals } = one
  const values = [merchantId, id, paymentId, midId, reference, reasonCode, amountMinor, currency, amountDecimals]
  return [...values, one.network, one.openedAt]
}
