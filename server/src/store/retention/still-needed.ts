/**
 * Why a payment's data must stay for now, as SQL. Every removal uses this expression in its own statement, so that a payment that begins to
 * need its data meanwhile keeps it.
 */
const keepReasons = ['running', 'hold', 'plan', 'command', 'callback'] as const
export type KeepReason = (typeof keepReasons)[number]

/**
 * `payment` is the alias of a row of `payments`. Null if nothing needs its data. A statement about one merchant names it, so that the
 * planner, or a distributed database, looks at that merchant's rows alone.
 */
export const keepReasonOf = (payment: string, merchant = `${payment}.merchant_id`): string => `case
    when ${payment}.open_transaction is not null or ${payment}.status in ('PREPARE', '3DS', 'REDIRECT') or ${payment}.cascading = 'continues'
      then 'running'
    when ${payment}.status = 'PENDING' then 'hold'
    when exists (
      select 1 from subscriptions plan
      where plan.merchant_id = ${merchant} and plan.chain_id = ${payment}.chain_id and plan.state = 'running'
    ) then 'plan'
    when exists (
      select 1 from deferred_commands later where later.merchant_id = ${merchant} and later.payment_id = ${payment}.id
    ) then 'command'
    when exists (
      select 1 from callbacks waiting
      where waiting.merchant_id = ${merchant} and waiting.payment_id = ${payment}.id and waiting.next_at is not null
    ) then 'callback'
  end`
