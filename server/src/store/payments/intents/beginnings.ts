/**
 * The intent of a later transaction of a payment, in one statement.
 *
 * It is guarded by the version of the payment that was read; the claim of an idempotency key's use admits one of two requests with the same
 * key.
 */
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { Payments } from '../../../contracts/ports.ts'
import type { Beginning } from '../../../contracts/records.ts'
import { isDistributed } from '../../database/buckets.ts'
import { refusedBy } from '../../database/constraint.ts'
import { json } from '../../database/insertion.ts'
import { type Pool, query, sql } from '../../database/pool.ts'
import { claimedTransaction, claimSuffix, claimTexts, useClashes } from '../../months/claims.ts'
import { tryingParams, tryingText } from '../limits/card-tries.ts'
import { beginCounters } from '../limits/limit-counters.ts'
import { clashOf, countingOnlyText, countingParams, countingText, countingWidth } from '../limits/limit-uses.ts'
import { fromNow } from '../payment-rows.ts'

type Params = readonly unknown[]

interface BeginText {
  /** What changes in the payment. */
  readonly change: string
  /** The condition on its open transaction. */
  readonly open: string
  readonly more?: string
  /** The request has an idempotency key, whose use is claimed. */
  readonly isKeyed: boolean
}

/** A deferred command is removed when the command begins, whether the service or a person issued it. */
const beginText = ({ change, open, more = '', isKeyed }: BeginText): string =>
  `with changed as (
     update payments set version = version + 1, open_transaction = $4, updated_at = $5${change}
     where merchant_id = $1 and id = $2 and version = $3 and open_transaction ${open}
     returning version
   ), transaction as (
     insert into transactions (merchant_id, payment_id, id, type, state, amount_minor, mid_id, parameters, creditvoid_id,
       idempotency_use, sent_by, in_flight_until, ask_at, created_at)
     select $1, $2, $4, $6, 'sent', $7, $8, $9, $10, $11, $12, ${fromNow('$13')}, ${fromNow('$13')}, $5 from changed${isKeyed ? `\n     returning ${claimedTransaction}` : ''}
   ), given as (
     delete from deferred_commands using changed where merchant_id = $1 and payment_id = $2 and command = $6
   )${[more, ...claimTexts(isKeyed ? ['use'] : [], '$1').map((text) => `, ${text}`)].join('')}
   select version from changed`

/** Without and with a claim of the use of an idempotency key. */
const inBothForms = (name: string, text: Omit<BeginText, 'isKeyed'>) => ({
  plain: sql<{ version: number }, Params>(name, beginText({ ...text, isKeyed: false })),
  keyed: sql<{ version: number }, Params>(`${name}${claimSuffix(['use'])}`, beginText({ ...text, isKeyed: true })),
})

const beginFollowUp = inBothForms('transaction.begin', { change: '', open: 'is null' })

/**
 * The acquirer knows the payment by this charge from now on, and it may be a different acquirer than before. A preceding authentication
 * ends in the same statement; otherwise the payment would for a moment have no open transaction.
 *
 * Only a declined payment, which has no claim, can stop or begin to exclude others of its order: its claim is taken with the outcome.
 */
const beginCharge = (name: string, more: string) =>
  inBothForms(name, {
    change: `, first_transaction = $4, mid_id = $8, mapping_id = $14, holds = $15, routing = $16,
       alone_in_order = case when status = 'DECLINED' then $17 else alone_in_order end, facts = $18`,
    open: 'is not distinct from $19::uuid',
    more: `, proved as (
     update transactions set state = 'success', ended_at = $5, ask_at = null, lease_until = null
     from changed where merchant_id = $1 and payment_id = $2 and id = $19::uuid
   )${more}`,
  })

const inRoom = 'changed, (select count(*) from counted) as room'

/** A charge that counts towards limits is written only if they have room. */
const chargesWith = (suffix: string, counting: typeof countingText) => ({
  plain: beginCharge('transaction.begin-charge', ''),
  limits: beginCharge(`transaction.begin-charge-limits${suffix}`, `, ${counting(20, 'changed')}`),
  try: beginCharge('transaction.begin-charge-try', `, ${tryingText(20, 'changed')}`),
  both: beginCharge(
    `transaction.begin-charge-limits-try${suffix}`,
    `, ${counting(20, 'changed')}, ${tryingText(20 + countingWidth, inRoom)}`,
  ),
})

const beginCharges = chargesWith('', countingText)
/** For a distributed database, which creates counters by a statement of their own. */
const beginChargesCounted = chargesWith('-counted', countingOnlyText)

export async function begin(pool: Pool, beginning: Beginning): ReturnType<Payments['begin']> {
  try {
    const { limits = [], payment } = beginning
    const needsCounters = limits.length > 0 && (await isDistributed(pool))
    if (needsCounters) await beginCounters(pool, limits, payment.midId)
    const rows = await query(pool, ...statementOf(beginning, needsCounters ? beginChargesCounted : beginCharges))
    return rows.length === 1 ? 'begun' : 'stale'
  } catch (error) {
    if (useClashes.includes(refusedBy(error) ?? '')) return 'idempotency-clash'
    const clash = clashOf(error)
    if (clash === null) throw error
    return clash
  }
}

function statementOf(
  beginning: Beginning,
  charges: typeof beginCharges,
): readonly [typeof beginFollowUp.plain, Params] {
  const params = beginningParams(beginning)
  const form = beginning.transaction.useId === null ? 'plain' : 'keyed'
  if (!firstStepTypes.includes(beginning.transaction.type)) return [beginFollowUp[form], params]
  const { payment, transaction, limits = [], try: given } = beginning
  const which = limits.length > 0 ? (given ? 'both' : 'limits') : given ? 'try' : 'plain'
  return [
    charges[which][form],
    [
      ...params,
      ...chargeParams(beginning),
      ...(limits.length > 0 ? countingParams(limits, transaction.amountMinor, payment.midId) : []),
      ...(given ? tryingParams(given, transaction.createdAt) : []),
    ],
  ]
}

// biome-ignore format: the numbers are the statement's parameters.
function beginningParams({ payment, transaction, sending }: Beginning): Params {
  return [
    /*  1 */ payment.merchantId, payment.id, payment.version,
    /*  4 */ transaction.id, transaction.createdAt, transaction.type, transaction.amountMinor, transaction.midId,
    /*  9 */ json(transaction.parameters), transaction.creditvoidId, transaction.useId, sending.sentBy, sending.inFlightMs,
  ]
}

// biome-ignore format: the numbers are the statement's parameters.
function chargeParams({ payment, authentication }: Beginning): Params {
  return [
    /* 14 */ payment.mappingId, payment.holds, json(payment.routing), payment.aloneInOrder, json(payment.facts),
    /* 19 */ authentication ?? null,
  ]
}
