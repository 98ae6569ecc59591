/** What follows from an outcome beyond its payment: chains, plans, deferred commands and watches. Part of the statement of the outcome. */
import type { OutcomeRecord, PlanEnd } from '../../../contracts/records.ts'
import { json } from '../../database/insertion.ts'
import { parameters } from '../../database/parameters.ts'
import { chainColumns } from '../../plans/chains.ts'
import { planColumns, planRow } from '../../plans/plan-rows.ts'
import { outcomeParameters } from './outcome-columns.ts'

const { at } = outcomeParameters

/** Their parameters begin with number `first`. */
export function consequencesFrom(first: number) {
  // biome-ignore format: a table is read in columns.
  const { at: given, values, next } = parameters<OutcomeRecord>()(first, [
    ['chain',            ({ chain, at: createdAt }) => json(chain && chainRow(chain, createdAt))],
    ['plan',             ({ plan }) => json(plan && planRow(plan.subscription))],
    ['schedule',         ({ plan }) => plan?.schedule.id ?? null],
    ['schedule version', ({ plan }) => plan?.schedule.version ?? null],
    ['ends chain',       (outcome) => planEndOf(outcome, 'chain')?.id ?? null],
    ['ends plan',        (outcome) => planEndOf(outcome, 'subscription')?.id ?? null],
    ['end reason',       (outcome) => planEndOf(outcome)?.reason ?? null],
    ['command',          ({ deferred }) => deferred?.command ?? null],
    ['due at',           ({ deferred }) => deferred?.dueAt ?? null],
    ['watch at',         ({ watchAt }) => watchAt ?? null],
  ])
  return {
    values,
    next,
    /** Locks the schedule, so that it cannot change until the plan that begins on it is visible. */
    guard: {
      expression: `schedule as (
     select 1 from schedules
     where merchant_id = ${at('merchant')} and id = ${given('schedule')}::uuid and version = ${given('schedule version')}::int and deleted_at is null
     for share
   )`,
      condition: `(${given('schedule')}::uuid is null or exists (select 1 from schedule))`,
    },
    // The old plan ends before the new one begins: the unique index allows a chain one running plan and is checked per row.
    more: `, chain as (
     insert into chains (${chainColumns()}, created_at)
     select ${chainColumns('given')}, given.created_at from changed, jsonb_populate_record(null::chains, ${given('chain')}::jsonb) as given
     where given.id is not null
     on conflict do nothing
   ), former as (
     update subscriptions plan
     set version = plan.version + 1, state = 'ended', ended_reason = ${given('end reason')}, next_date = null, next_at = null
     from changed
     where plan.merchant_id = ${at('merchant')} and plan.state = 'running'
       and (plan.chain_id = ${given('ends chain')}::uuid or plan.id = ${given('ends plan')}::uuid)
     returning plan.id
   ), plan as (
     insert into subscriptions (${planColumns()}) select ${planColumns('given')}
     from changed, (select count(*) from former) as ended, jsonb_populate_record(null::subscriptions, ${given('plan')}::jsonb) as given
     where given.id is not null
   ), deferred as (
     insert into deferred_commands (merchant_id, payment_id, command, due_at)
     select ${at('merchant')}, ${at('payment')}, ${given('command')}, ${given('due at')}
     from changed where ${given('command')}::text is not null
     on conflict (merchant_id, payment_id, command) do update set due_at = excluded.due_at, lease_until = null
   ), watched as (
     insert into transaction_watches (merchant_id, payment_id, transaction_id, next_at)
     select ${at('merchant')}, ${at('payment')}, ${at('transaction')}, ${given('watch at')}
     from changed where ${given('watch at')}::timestamptz is not null
   )`,
  }
}

/** The plan that ends; a new plan replaces the one that runs on its chain. Null also if it ends by something else than `by`. */
function planEndOf({ plan, endsPlan }: OutcomeRecord, by?: PlanEnd['of']): PlanEnd | null {
  const end: PlanEnd | null = plan ? { of: 'chain', id: plan.subscription.chainId, reason: 'replaced' } : endsPlan
  return by === undefined || end?.of === by ? end : null
}

const chainRow = (chain: NonNullable<OutcomeRecord['chain']>, createdAt: Date) => ({
  merchant_id: chain.merchantId,
  id: chain.id,
  first_payment: chain.firstPayment,
  kind: chain.kind,
  network_transaction_id: chain.networkTransactionId,
  created_at: createdAt,
})
