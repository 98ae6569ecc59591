/**
 * Outcomes on PostgreSQL: payment, transaction, money, callback and all consequences in one statement.
 *
 * The statement is guarded by the version of the payment that was read and, if a plan begins, by the version of its schedule: either a
 * change of the schedule waits and then sees the plan, or the plan is computed again.
 */
import type { OutcomeRecord } from '../../../contracts/records.ts'
import { isDistributed } from '../../database/buckets.ts'
import { inGroups } from '../../database/in-groups.ts'
import { json } from '../../database/insertion.ts'
import { parameters } from '../../database/parameters.ts'
import { changedNothing, type Pool, query, type Statement, sql } from '../../database/pool.ts'
import { type ClaimChange, changedColumns, changeTexts, claimChangeOf } from '../../months/claims.ts'
import { recountingParams, recountingText } from '../limits/limit-uses.ts'
import { stepColumns, stepRow } from '../payer-steps.ts'
import { fromNow } from '../payment-rows.ts'
import { enteredInsertion, erasesWallet, outcomeParameters, payment, transaction } from './outcome-columns.ts'
import { consequencesFrom } from './outcome-consequences.ts'
import { settleTogether } from './outcome-groups.ts'
import { outcomeText } from './outcome-text.ts'

type Params = readonly unknown[]
type VersionRow = { version: number }

type SettleResult = 'settled' | 'stale'

/** The maximum number of outcomes in one statement. */
const mostTogether = 32

/** Writes outcomes; those that arrive while another is being written are written together. */
export function settler(pool: Pool): (outcome: OutcomeRecord) => Promise<SettleResult> {
  const settleInGroup = inGroups<OutcomeRecord, SettleResult>({
    runAlone: (outcome) => settle(pool, outcome),
    runTogether: async (outcomes) => {
      const settled = await settleTogether(pool, outcomes)
      return ({ before }) => (settled.has(before.id) ? 'settled' : 'stale')
    },
    apart: ({ before }) => before.id,
    most: mostTogether,
    mayRepeat: changedNothing,
  })
  return async (outcome) =>
    isPlain(outcome) && !(await isDistributed(pool)) ? settleInGroup(outcome) : settle(pool, outcome)
}

async function settle(pool: Pool, outcome: OutcomeRecord): Promise<SettleResult> {
  const rows = await query(pool, ...statementOf(outcome))
  return rows.length === 1 ? 'settled' : 'stale'
}

/** Writes a transaction for the first time: an event of the acquirer, or the reversal of a late charge. */
export async function enter(pool: Pool, outcome: OutcomeRecord): Promise<SettleResult> {
  const rows = await query(pool, enterTransaction[claimChangeOf(outcome)], [
    ...outcomeParameters.values(outcome),
    ...payment.values(outcome),
    ...enteredInsertion.values(outcome),
    ...enteredConsequences.values(outcome),
  ])
  return rows.length === 1 ? 'settled' : 'stale'
}

function statementOf(outcome: OutcomeRecord): readonly [Statement<VersionRow, Params>, Params] {
  const params = [...outcomeParameters.values(outcome), ...payment.values(outcome), ...transaction.values(outcome)]
  const claims = claimChangeOf(outcome)
  if (outcome.step) return [settleWithStep[claims], [...params, ...step.values(outcome)]]
  const { recount } = outcome
  const recounting = recount ? recountingParams(recount) : []
  const which = recount ? 'recounted' : 'plain'
  if (outcome.continuation)
    return [settleAndGoOn[which][claims], [...params, ...continuation.values(outcome), ...recounting]]
  if (hasConsequences(outcome)) {
    return [settleWithConsequences[which][claims], [...params, ...consequences.values(outcome), ...recounting]]
  }
  return [settleTransaction[which][claims], [...params, ...recounting]]
}

/** It writes payment, transaction, ledger and callback only, and no claim. */
const isPlain = (outcome: OutcomeRecord): boolean =>
  !outcome.step &&
  !outcome.continuation &&
  !outcome.recount &&
  claimChangeOf(outcome) === 'kept' &&
  outcome.token === null &&
  !hasConsequences(outcome) &&
  !erasesWallet(outcome.after)

const hasConsequences = ({ chain, plan, endsPlan, deferred, watchAt }: OutcomeRecord): boolean =>
  chain !== null || plan !== null || endsPlan !== null || deferred !== null || (watchAt ?? null) !== null

interface Variant {
  /** A table expression before the payment changes, and the condition that it adds. */
  readonly guard?: { readonly expression: string; readonly condition: string }
  /** One more column of the payment. */
  readonly change?: string
  readonly transaction?: string
  readonly more?: string
}

const { at } = outcomeParameters

const endTransaction = `update transactions set ${transaction.text}, lease_until = null
     from changed where merchant_id = ${at('merchant')} and payment_id = ${at('payment')} and id = ${at('transaction')}`

/** Saved card and sealed wallet data, which groups of outcomes do not have. */
const cardParts = `, token as (
     insert into card_tokens (merchant_id, token, card_id, test, credentials, first_name, last_name, created_at)
     select ${at('merchant')}, ${at('token')}, ${at('card')}, ${at('test')}, ${at('credentials')}, ${at('first name')},
       ${at('last name')}, ${at('at')}
     from changed where ${at('token')}::text is not null
     on conflict (merchant_id, token) do update set credentials = card_tokens.credentials || excluded.credentials
       where excluded.credentials <> '{}'
   ), erased as (
     delete from payment_secrets using changed
     where ${at('erases wallet')} and merchant_id = ${at('merchant')} and payment_id = ${at('payment')} and purpose = 'wallet'
   )`

const settleText = (
  { guard, change = '', transaction: written = endTransaction, more = '' }: Variant,
  claims: ClaimChange,
): string =>
  outcomeText({
    expressions: guard?.expression,
    reference: at,
    at,
    payment: payment.text + change,
    condition: guard?.condition,
    returning: `version, callbacks_made${claims === 'kept' ? '' : `, ${changedColumns}`}`,
    transaction: written,
    more: cardParts + more + changeTexts[claims](at('merchant'), at('payment')),
    result: 'version',
  })

/** Three forms of the statement, because most outcomes leave the claims of their payment as they are. */
const claiming = (name: string, variant: Variant): Readonly<Record<ClaimChange, Statement<VersionRow, Params>>> => ({
  kept: sql(name, settleText(variant, 'kept')),
  freed: sql(`${name}-freed`, settleText(variant, 'freed')),
  taken: sql(`${name}-taken`, settleText(variant, 'taken')),
})

/** Plain, and with changes to limit counters, whose parameters come last: from number `next`. */
const recountable = (name: string, variant: Variant, next: number, locked = 'changed') => ({
  plain: claiming(name, variant),
  recounted: claiming(`${name}-recounted`, {
    ...variant,
    more: (variant.more ?? '') + recountingText(next, locked),
  }),
})

const settleTransaction = recountable('transaction.settle', {}, transaction.next)

const continuation = parameters<OutcomeRecord>()(transaction.next, [
  ['sent by', ({ continuation: next }) => next?.sentBy ?? null],
  ['in flight', ({ continuation: next }) => next?.inFlightMs ?? null],
])

/** The cascade continues: until the next attempt is written, the row names the process that will write it. */
const settleAndGoOn = recountable(
  'transaction.settle-and-go-on',
  {
    change: ", cascading = 'continues'",
    more: `, open_cascade as (
     insert into open_cascades (merchant_id, payment_id, sent_by, due_at)
     select ${at('merchant')}, ${at('payment')}, ${continuation.at('sent by')}, ${fromNow(continuation.at('in flight'))} from changed
   )`,
  },
  continuation.next,
)

const step = parameters<OutcomeRecord>()(transaction.next, [
  ['step', ({ step: sent }) => json(sent && stepRow(sent))],
  ['listed as', ({ step: sent }) => (sent?.kind === 'REDIRECT' ? sent.listedAs : null)],
  ['amount', ({ transaction: { amountMinor } }) => amountMinor],
  ['mid', ({ transaction: { midId } }) => midId],
])

/**
 * The payer is sent to another page, for the first time or again: the page, and a transaction row for the step, which status queries list.
 */
const settleWithStep = claiming('transaction.settle-with-step', {
  more: `, step as (
     insert into payer_steps (${stepColumns()})
     select ${stepColumns('given')} from changed, jsonb_populate_record(null::payer_steps, ${step.at('step')}) as given
     on conflict (merchant_id, payment_id, transaction_id) do update set url = excluded.url, method = excluded.method,
       params = excluded.params, mpi = excluded.mpi, state = excluded.state, stored_until = excluded.stored_until,
       given_out_at = null, given_out = 0, expires_at = excluded.expires_at, lease_until = null, ended_at = null
   ), listed as (
     insert into transactions (merchant_id, payment_id, id, type, state, amount_minor, mid_id, created_at)
     select ${at('merchant')}, ${at('payment')}, ${step.at('listed as')}, 'REDIRECT', 'waiting', ${step.at('amount')},
       ${step.at('mid')}, ${at('at')}
     from changed where ${step.at('listed as')}::uuid is not null
   )`,
})

const consequences = consequencesFrom(transaction.next)

const settleWithConsequences = recountable(
  'transaction.settle-with-consequences',
  { guard: consequences.guard, more: consequences.more },
  consequences.next,
  // Plans are locked first, as where a plan's payment is opened.
  'changed, (select count(*) from former) as plans',
)

const enteredConsequences = consequencesFrom(payment.next + enteredInsertion.width)

const enterTransaction = claiming('transaction.enter', {
  guard: enteredConsequences.guard,
  transaction: enteredInsertion.text(payment.next, 'changed'),
  more: enteredConsequences.more,
})
