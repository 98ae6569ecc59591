/**
 * The first write of a payment: card, payment, first transaction and everything that must exist with them, in one statement.
 *
 * Claims and unique keys decide what excludes it, not look-ups: one payment per wallet token for ever, one payment per session that is not
 * declined, one per order if the merchant wants that, one per use of an idempotency key. Counters decide whether limits have room; see
 * `limit-uses.ts`.
 */
import type { OpenResult } from '../../../contracts/ports.ts'
import type { Opening } from '../../../contracts/records.ts'
import { isDistributed } from '../../database/buckets.ts'
import { refusedBy } from '../../database/constraint.ts'
import { inGroups } from '../../database/in-groups.ts'
import { changedNothing, type Pool, query, type Statement, sql } from '../../database/pool.ts'
import {
  type Claim,
  claimedPayment,
  claimedTransaction,
  claimSuffix,
  claimsOf,
  claimTexts,
} from '../../months/claims.ts'
import { tryingParams, tryingText, tryingWidth } from '../limits/card-tries.ts'
import { beginCounters } from '../limits/limit-counters.ts'
import { clashOf, countingOnlyText, countingParams, countingText, countingWidth } from '../limits/limit-uses.ts'
import { cardInsertion, paymentInsertion, transactionInsertion } from '../payment-rows.ts'
import { openTogether } from './opening-groups.ts'

type Params = readonly unknown[]

/** The maximum number of payments in one statement. */
const mostTogether = 32

/** Opens payments; those that arrive while another is being written are written together. */
export function opener(pool: Pool): (opening: Opening) => Promise<OpenResult> {
  const openInGroup = inGroups<Opening, OpenResult>({
    runAlone: (opening) => open(pool, opening),
    runTogether: async (openings) => {
      await openTogether(pool, openings)
      return () => 'opened'
    },
    // Two payments of an order that is paid once exclude each other; in one group they would make it fail.
    apart: ({ payment }) => (payment.aloneInOrder ? `${payment.merchantId} ${payment.orderId}` : payment.id),
    most: mostTogether,
    mayRepeat: changedNothing,
  })
  return async (opening) =>
    isPlain(opening) && !(await isDistributed(pool)) ? openInGroup(opening) : open(pool, opening)
}

/** It touches no row of other payments, but for a card that may exist. */
const isPlain = (opening: Opening): boolean => shapes.every((shape) => shape === 'card' || !isIn(opening, shape))

export async function open(pool: Pool, opening: Opening): Promise<OpenResult> {
  try {
    const { limits = [], payment } = opening
    const needsCounters = limits.length > 0 && (await isDistributed(pool))
    if (needsCounters) await beginCounters(pool, limits, payment.midId)
    const rows = await query(pool, statementOf(opening, needsCounters), paramsOf(opening))
    if (rows.length > 0) return 'opened'
    return opening.session ? 'session-changed' : 'cascade-ended'
  } catch (error) {
    const clash = clashOf(error) ?? clashes[refusedBy(error) ?? '']
    if (clash === undefined) throw error
    return clash
  }
}

/** By a claim, or by an index of the part from before the claims. */
const clashes: Readonly<Record<string, OpenResult>> = {
  key_uses_pkey: 'idempotency-clash',
  transactions_idempotency: 'idempotency-clash',
  order_claims_pkey: 'duplicate-order',
  payments_alone_in_order: 'duplicate-order',
  session_claims_pkey: 'session-busy',
  payments_alone_in_session: 'session-busy',
  wallet_token_uses_pkey: 'token-used',
}

/** The optional parts of the statement. Each combination that occurs is prepared once per connection. */
const shapes = ['card', 'sealed', 'tokens', 'session', 'next', 'plan', 'limits', 'try'] as const
type Shape = (typeof shapes)[number]

const statements = new Map<string, Statement<{ id: string }, Params>>()

/** `hasCounters`: the counters of its limits exist, as in a distributed database. */
function statementOf(opening: Opening, hasCounters: boolean): Statement<{ id: string }, Params> {
  const has = shapes.filter((shape) => isIn(opening, shape))
  const claims = claimsOf(opening)
  const name = ['payment.open', ...has, ...(hasCounters ? ['counted'] : [])].join('-') + claimSuffix(claims)
  const known = statements.get(name)
  if (known) return known
  const counting = hasCounters ? countingOnlyText : countingText
  const statement = sql<{ id: string }, Params>(name, textOf(new Set(has), claims, counting))
  statements.set(name, statement)
  return statement
}

function isIn(opening: Opening, shape: Shape): boolean {
  const { payment, card, sealedData, tokenUses = [], session, follows, limits = [] } = opening
  switch (shape) {
    case 'card':
      return card !== null
    case 'sealed':
      return isGiven(sealedData)
    case 'tokens':
      return tokenUses.length > 0
    case 'session':
      return isGiven(session)
    case 'next':
      return isGiven(follows)
    case 'plan':
      return isGiven(follows) && payment.subscriptionId !== null
    case 'limits':
      return limits.length > 0
    case 'try':
      return isGiven(opening.try)
  }
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

/** In the order of `paramsOf`. */
function textOf(has: ReadonlySet<Shape>, claims: readonly Claim[], counting: typeof countingText): string {
  const places = counter()
  const payment = places(paymentInsertion.width)
  const transaction = places(transactionInsertion.width)
  const card = places(has.has('card') ? cardInsertion.width : 0)
  const sealed = places(has.has('sealed') ? 2 : 0)
  const tokens = places(has.has('tokens') ? 3 : 0)
  const session = places(has.has('session') ? 3 : 0)
  const next = places(has.has('next') ? 2 : 0)
  const plan = places(has.has('plan') ? 1 : 0)
  const limits = places(has.has('limits') ? countingWidth : 0)
  const trying = places(has.has('try') ? tryingWidth : 0)
  // If the session, or the attempt that this one follows, has changed, nothing is written: every other part selects from it.
  const from = has.has('session') ? 'session' : has.has('next') ? 'former' : undefined
  const ifThere = from ? ` from ${from}` : ''
  const parts = [
    has.has('session') &&
      `session as (
         update sessions set version = version + 1, attempts = attempts + 1, fields_sealed = null, collection = null,
           collection_complete = false, updated_at = $${session + 2}
         where merchant_id = $1 and id = $${session} and version = $${session + 1}
         returning id
       )`,
    has.has('next') && nextText(next),
    has.has('plan') &&
      `plan as (
         update subscriptions set last_payment = $2 from former
         where merchant_id = $1 and subscriptions.id = $${plan} and last_payment = former.id
         returning subscriptions.id
       )`,
    `payment as (${paymentInsertion.text(payment, from)} returning ${claims.length > 0 ? claimedPayment : 'id'})`,
    // The card's id is its fingerprint, so a known card already exists.
    has.has('card') && `card as (${cardInsertion.text(card, from)} on conflict do nothing)`,
    has.has('sealed') &&
      `kept as (
         insert into payment_secrets (merchant_id, payment_id, purpose, sealed)
         select $1, $2, $${sealed}, $${sealed + 1}${ifThere}
       )`,
    has.has('tokens') &&
      `used as (
         insert into wallet_token_uses (wallet, token_hash, merchant_id, payment_id, used_at)
         select token.wallet, decode(token.hash, 'hex'), $1, $2, $${tokens}
         from unnest($${tokens + 1}::text[], $${tokens + 2}::text[]) as token (wallet, hash)${from ? `, ${from}` : ''}
       )`,
    `transaction as (${transactionInsertion.text(transaction, from)}${claims.includes('use') ? ` returning ${claimedTransaction}` : ''})`,
    has.has('limits') && counting(limits, fromClause(from, has.has('plan') && 'plan')),
    has.has('try') && tryingText(trying, fromClause(from, has.has('limits') && 'counted') ?? '(values (1)) as always'),
    ...claimTexts(claims, '$1'),
  ].filter((part) => part !== false)
  return `with ${parts.join(',\n     ')}\n   select id from payment`
}

/** Marks the declined attempt as continued. If it was changed or its cascade was ended since, no row matches and nothing is written. */
const nextText = (first: number): string =>
  `former as (
     update payments set version = version + 1, cascading = 'continued'
     where merchant_id = $1 and id = $${first} and version = $${first + 1} and cascading = 'continues' and open_transaction is null
     returning id
   ), gone as (
     delete from open_cascades using former where merchant_id = $1 and payment_id = former.id
   )`

/** Rows are locked in the same order everywhere: plan, limits, card. */
function fromClause(guard: string | undefined, locked: string | false): string | undefined {
  const parts = [guard, locked && `(select count(*) from ${locked}) as locked`].filter((part) => part)
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** Parameters are numbered from 1, part by part. */
function counter(): (width: number) => number {
  let next = 1
  return (width) => {
    const first = next
    next += width
    return first
  }
}

function paramsOf(opening: Opening): Params {
  const { payment, card, sealedData, tokenUses = [], session, follows, limits = [] } = opening
  return [
    ...openingParams(opening),
    ...(card ? cardInsertion.values({ ...card, createdAt: payment.createdAt }) : []),
    ...(sealedData ? [sealedData.purpose, sealedData.sealed] : []),
    ...(tokenUses.length > 0
      ? [payment.createdAt, tokenUses.map(({ wallet }) => wallet), tokenUses.map(({ hash }) => hash)]
      : []),
    ...(session ? [session.id, session.version, payment.createdAt] : []),
    ...(follows ? [follows.id, follows.version] : []),
    ...(follows && payment.subscriptionId !== null ? [payment.subscriptionId] : []),
    ...(limits.length > 0 ? countingParams(limits, payment.amountMinor, payment.midId) : []),
    ...(opening.try ? tryingParams(opening.try, payment.createdAt) : []),
  ]
}

/** Payment and transaction alone, for statements that write them together with other rows. */
export function openingParams({ payment, transaction, sending }: Opening): Params {
  return [...paymentInsertion.values(payment), ...transactionInsertion.values({ ...transaction, sending })]
}
