/**
 * Outcomes on PostgreSQL: payment, transaction, money, callback and all consequences in one statement.
 *
 * The statement is guarded by the version of the payment that was read and, if a plan begins, by the version of its schedule: either a
 * change of the schedule waits and then sees the plan, or the plan is computed again.
 */
import type { PaymentRecord, Settlement } from '../../contracts/records.ts'
import { json } from '../database/insertion.ts'
import { type Pool, query, type Statement, sql } from '../database/pool.ts'
import { chainColumns } from '../plans/chains.ts'
import { subscriptionColumns, subscriptionRow } from '../plans/subscription-rows.ts'
import { recountingParams, recountingText } from './limit-uses.ts'
import { stepColumns, stepRow } from './payer-steps.ts'
import { fromNow } from './payment-rows.ts'

type Params = readonly unknown[]
type Settled = { version: number }

export async function settle(pool: Pool, settlement: Settlement): Promise<'settled' | 'stale'> {
  const rows = await query(pool, ...statementOf(settlement))
  return rows.length === 1 ? 'settled' : 'stale'
}

/** The transaction is written for the first time, already ended. */
export async function enter(pool: Pool, settlement: Settlement): Promise<'settled' | 'stale'> {
  const { type, midId, creditvoidId, createdAt } = settlement.transaction
  const own = [type, midId, creditvoidId, createdAt]
  const params = [...settlementParams(settlement), ...consequenceParams(settlement), ...own]
  const rows = await query(pool, enterTransaction, params)
  return rows.length === 1 ? 'settled' : 'stale'
}

function statementOf(settlement: Settlement): readonly [Statement<Settled, Params>, Params] {
  const { step, transaction, goesOn, recount } = settlement
  const params = settlementParams(settlement)
  if (step) {
    const listed = step.kind === 'REDIRECT' ? step.listedAs : null
    return [settleWithStep, [...params, json(stepRow(step)), listed, transaction.amountMinor, transaction.midId]]
  }
  const recounting = recount ? recountingParams(recount) : []
  const which = recount ? 'recounted' : 'plain'
  if (goesOn) return [settleAndGoOn[which], [...params, goesOn.sentBy, goesOn.inFlightMs, ...recounting]]
  if (hasConsequences(settlement)) {
    return [settleWithConsequences[which], [...params, ...consequenceParams(settlement), ...recounting]]
  }
  return [settleTransaction[which], [...params, ...recounting]]
}

const hasConsequences = ({ chain, plan, endsPlan, deferred, watchAt }: Settlement): boolean =>
  chain !== null || plan !== null || endsPlan !== null || deferred !== null || (watchAt ?? null) !== null

interface Variant {
  /** A table expression before the payment changes, and the condition that it adds. */
  readonly guard?: { readonly expression: string; readonly condition: string }
  /** One more column of the payment. */
  readonly change?: string
  readonly transaction?: string
  readonly more?: string
}

const endTransaction = `update transactions set state = $17, amount_minor = $40, reference = $18, facts = $19, decline_reason = $20, decline_class = $21,
       ask_at = $22, ended_at = $23, lease_until = null
     from changed where merchant_id = $1 and payment_id = $2 and id = $16`

const settleText = ({ guard, change = '', transaction = endTransaction, more = '' }: Variant) =>
  `with ${guard ? `${guard.expression}, ` : ''}changed as (
     update payments set version = version + 1, status = $4, amount_minor = $39, authorised_minor = $5, captured_minor = $6, refunded_minor = $7,
       charged_back_minor = $8, financial_day = $9, decline_reason = $10, decline_class = $11, reference = $12, facts = $13,
       open_transaction = $14, callbacks_made = callbacks_made + (case when $24::uuid is null then 0 else 1 end), updated_at = $15${change}
     where merchant_id = $1 and id = $2 and version = $3${guard ? ` and ${guard.condition}` : ''}
     returning version, callbacks_made
   ), ended as (
     ${transaction}
   ), entries as (
     insert into ledger_entries (merchant_id, payment_id, transaction_id, position, from_account, to_account, currency, amount_minor, at)
     select $1, $2, $16, entry.position, entry.from_account, entry.to_account, $29, entry.amount, $15
     from changed, unnest($30::text[], $31::text[], $32::numeric[]) with ordinality as entry (from_account, to_account, amount, position)
   ), token as (
     insert into card_tokens (merchant_id, token, card_id, test, credentials, first_name, last_name, created_at)
     select $1, $33, $34, $35, $36, $37, $38, $15 from changed where $33::text is not null
     on conflict (merchant_id, token) do update set credentials = card_tokens.credentials || excluded.credentials
       where excluded.credentials <> '{}'
   ), callback as (
     insert into callbacks (merchant_id, payment_id, sequence, id, transaction_id, url, content_type, body, state, retry_seconds,
       next_at, created_at)
     select $1, $2, changed.callbacks_made, $24, $16, $25, $26, $27, 'due', $28, $15, $15 from changed where $24::uuid is not null
   ), erased as (
     delete from payment_secrets using changed where $41 and merchant_id = $1 and payment_id = $2 and purpose = 'wallet'
   )${more}
   select version from changed`

/** Two forms of the statement: plain, and with changes to limit counters, whose parameters come last. */
const recountable = (name: string, variant: Variant, params: number, locked = 'changed') => ({
  plain: sql<Settled, Params>(name, settleText(variant)),
  recounted: sql<Settled, Params>(
    `${name}-recounted`,
    settleText({ ...variant, more: (variant.more ?? '') + recountingText(params + 1, locked) }),
  ),
})

const settleTransaction = recountable('transaction.settle', {}, 41)

/** The cascade continues: until the next attempt is written, the row names the process that will write it. */
const settleAndGoOn = recountable(
  'transaction.settle-and-go-on',
  {
    change: ", cascading = 'continues'",
    more: `, open_cascade as (
     insert into open_cascades (merchant_id, payment_id, sent_by, due_at) select $1, $2, $42, ${fromNow('$43')} from changed
   )`,
  },
  43,
)

/**
 * The payer is sent to another page, for the first time or again: the page, and a transaction row for the step, which status queries list.
 */
const settleWithStep = sql<Settled, Params>(
  'transaction.settle-with-step',
  settleText({
    more: `, step as (
     insert into payer_steps (${stepColumns()}) select ${stepColumns('given')} from changed, jsonb_populate_record(null::payer_steps, $42) as given
     on conflict (merchant_id, payment_id, transaction_id) do update set url = excluded.url, method = excluded.method,
       params = excluded.params, mpi = excluded.mpi, state = excluded.state, stored_until = excluded.stored_until,
       given_out_at = null, expires_at = excluded.expires_at, lease_until = null, ended_at = null
   ), listed as (
     insert into transactions (merchant_id, payment_id, id, type, state, amount_minor, mid_id, created_at)
     select $1, $2, $43, 'REDIRECT', 'waiting', $44, $45, $15 from changed where $43::uuid is not null
   )`,
  }),
)

/** Locks the schedule, so that it cannot change until the plan that begins on it is visible. */
const scheduleUnchanged = {
  expression: `schedule as (
     select from schedules where merchant_id = $1 and id = $44::uuid and version = $45::int and deleted_at is null for share
   )`,
  condition: '($44::uuid is null or exists (select from schedule))',
}

// The old plan ends before the new one begins: the unique index allows a chain one running plan and is checked per row.
const consequences = `, chain as (
     insert into chains (${chainColumns()}, created_at) select ${chainColumns('given')}, given.created_at from changed, jsonb_populate_record(null::chains, $42::jsonb) as given
     where given.id is not null
     on conflict do nothing
   ), former as (
     update subscriptions plan set version = plan.version + 1, state = 'ended', ended_reason = $48, next_date = null, next_at = null
     from changed
     where plan.merchant_id = $1 and plan.state = 'running' and (plan.chain_id = $46::uuid or plan.id = $47::uuid)
     returning plan.id
   ), plan as (
     insert into subscriptions (${subscriptionColumns()}) select ${subscriptionColumns('given')}
     from changed, (select count(*) from former) as ended, jsonb_populate_record(null::subscriptions, $43::jsonb) as given
     where given.id is not null
   ), deferred as (
     insert into deferred_commands (merchant_id, payment_id, command, due_at)
     select $1, $2, $49, $50 from changed where $49::text is not null
     on conflict (merchant_id, payment_id, command) do update set due_at = excluded.due_at, lease_until = null
   ), watched as (
     insert into transaction_watches (merchant_id, payment_id, transaction_id, next_at)
     select $1, $2, $16, $51 from changed where $51::timestamptz is not null
   )`

const settleWithConsequences = recountable(
  'transaction.settle-with-consequences',
  { guard: scheduleUnchanged, more: consequences },
  51,
  // Plans are locked first, as where a plan's payment is opened.
  'changed, (select count(*) from former) as plans',
)

const enterTransaction = sql<Settled, Params>(
  'transaction.enter',
  settleText({
    guard: scheduleUnchanged,
    transaction: `insert into transactions (merchant_id, payment_id, id, state, reference, facts, decline_reason, decline_class,
       ask_at, ended_at, type, amount_minor, mid_id, creditvoid_id, created_at)
     select $1, $2, $16, $17, $18, $19, $20, $21, $22, $23, $52, $40, $53, $54, $55 from changed`,
    more: consequences,
  }),
)

// biome-ignore format: the numbers are the statement's parameters.
function settlementParams({ before, after, transaction, askAt, entries, callback, token, at }: Settlement): Params {
  return [
    /*  1 */ before.merchantId, before.id, before.version,
    /*  4 */ after.status, after.authorisedMinor, after.capturedMinor, after.refundedMinor, after.chargedBackMinor,
    /*  9 */ after.financialDay, after.declineReason, after.declineClass, after.reference, json(after.facts), after.openTransaction, at,
    /* 16 */ transaction.id, transaction.state, transaction.reference, json(transaction.facts), transaction.declineReason,
    /* 21 */ transaction.declineClass, askAt, transaction.endedAt,
    /* 24 */ callback?.id ?? null, callback?.url ?? null, callback?.contentType ?? null, callback?.body ?? null, callback?.retrySeconds ?? null,
    /* 29 */ after.currency, entries.map((entry) => entry.from), entries.map((entry) => entry.to), entries.map((entry) => entry.amountMinor),
    /* 33 */ token?.token ?? null, token?.cardId ?? null, token?.test ?? null, json(token?.credentials ?? {}), token?.firstName ?? null, token?.lastName ?? null,
    /* 39 */ after.amountMinor, transaction.amountMinor, erasesWallet(after),
  ]
}

/** Chapter 40 §10: token and cryptogram are stored no longer than the first step may have to be sent again. */
const erasesWallet = ({ facts, openTransaction }: PaymentRecord): boolean =>
  facts.wallet !== undefined && openTransaction === null

// biome-ignore format: the numbers are the statement's parameters.
function consequenceParams({ chain, plan, endsPlan, deferred, watchAt, at }: Settlement): Params {
  const ends = plan ? ({ of: 'chain', id: plan.subscription.chainId, reason: 'replaced' } as const) : endsPlan
  return [
    /* 42 */ json(chain && chainRow(chain, at)), json(plan && subscriptionRow(plan.subscription)),
    /* 44 */ plan?.schedule.id ?? null, plan?.schedule.version ?? null,
    /* 46 */ ends?.of === 'chain' ? ends.id : null, ends?.of === 'subscription' ? ends.id : null, ends?.reason ?? null,
    /* 49 */ deferred?.command ?? null, deferred?.dueAt ?? null, watchAt ?? null,
  ]
}

const chainRow = (chain: NonNullable<Settlement['chain']>, createdAt: Date) => ({
  merchant_id: chain.merchantId,
  id: chain.id,
  first_payment: chain.firstPayment,
  kind: chain.kind,
  network_transaction_id: chain.networkTransactionId,
  created_at: createdAt,
})
