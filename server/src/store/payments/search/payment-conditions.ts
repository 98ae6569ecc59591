/**
 * The search filters for payments and their SQL conditions.
 *
 * Each filter says by what its payments are found, because the fastest way through millions of payments depends on it:
 *
 *   few        an index over all payments; few of any merchant match
 *   tags       the index of tags, newest first
 *   beginning  an index over all payments that is sorted by text, not by time
 *   many       an index per merchant, newest first: in one over all payments a merchant's own would have to be picked out
 *   range      an index per merchant that is sorted by amount, not by time
 *   scattered  summaries of each group of pages, which say where a value cannot be (`payments_by_payer_ip`, `payments_by_traits`);
 *              see decisions/database#values-without-an-index
 *   plain      no index: nearly every value is common, so that the newest payments have it
 *   place      says where to look, such as a page or a merchant
 */
import { type InBucket, oneServer } from '../../database/buckets.ts'
import { latePaymentIdsFrom, latestAfter, paymentIdsBefore, paymentIdsFrom } from '../../database/id-bounds.ts'
import { fate } from '../fate.ts'

type FoundBy = 'few' | 'tags' | 'beginning' | 'many' | 'range' | 'scattered' | 'plain' | 'place'
/** In a distributed database further tables name the merchants, too: Citus derives no condition of one table from that of another. */
type Condition = readonly [foundBy: FoundBy, on: (value: string, inBucket: InBucket) => string]

/** The value is folded to a constant before planning, so that the index on the lower-case text serves the range. */
const beginsWith = (column: string, value: string): string =>
  `lower(${column}) like replace(replace(replace(lower(${value}::text), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`

/** All references of a transaction, as the index `transactions_references` has them. */
export const transactionReferences = `array_remove(array[t.reference, t.facts->>'arn', t.facts->>'rrn', t.facts->>'approvalCode', t.facts->>'gatewayId',
  t.facts->>'extraGatewayId'], null)`

/** An amount by currency: each currency has its own minor units. The second condition is for the index, which has no currency. */
const amountBy = (sign: '=' | '>=' | '<=', value: string): string => {
  const units = `select units.value::numeric from jsonb_each_text(${value}::jsonb) as units`
  const bound = {
    '=': `any(array(${units}))`,
    '>=': `(select min(value) from (${units}) u)`,
    '<=': `(select max(value) from (${units}) u)`,
  }
  return `p.amount_minor ${sign} (${value}::jsonb->>p.currency)::numeric and p.amount_minor ${sign} ${bound[sign]}`
}

// biome-ignore format: a table is read in columns.
const conditions = {
  // filter              found by   condition on `p`
  paymentId:             ['few',    (value: string) => `p.id = ${value}`],
  merchantId:            ['place',  (value: string) => `p.merchant_id = ${value}`],
  status:                ['many',   (value: string) => `p.status = ${value}`],
  orderId:               ['beginning', (value: string) => beginsWith('p.order_id', value)],
  reference:             ['few',    (value: string, inBucket: InBucket) => `p.id in (select t.payment_id from transactions t where t.reference is not null and ${transactionReferences} && array[${value}::text, upper(${value}::text)]${inBucket('t')})`],
  subscriptionId:        ['few',    (value: string, inBucket: InBucket) => `p.id in (select c.id from subscriptions s join payments c on c.merchant_id = s.merchant_id and c.chain_id = s.chain_id where s.id = ${value} and c.subscription_id = s.id${inBucket('s')}${inBucket('c')})`],
  tag:                   ['tags',    (value: string, inBucket: InBucket) => `p.id in (select tagged.payment_id from payment_tags tagged where tagged.tag = ${value}${inBucket('tagged')})`],
  lastName:              ['beginning', (value: string) => `p.payer ? 'last_name' and ${beginsWith("(p.payer->>'last_name')", value)}`],
  firstName:             ['plain',   (value: string) => beginsWith("(p.payer->>'first_name')", value)],
  payerIp:               ['scattered', (value: string) => `p.payer_ip = ${value}`],
  declineReason:         ['scattered', (value: string) => `p.decline_reason = ${value}`],
  protocol:              ['plain',   (value: string) => `p.protocol = ${value}`],
  kind:                  ['plain',   (value: string) => `p.kind = any(case ${value}::text when 'income' then array['sale', 'debit'] else array[${value}::text] end)`],
  country:               ['scattered', (value: string) => `coalesce(p.payer->>'country', p.facts->'issuer'->>'country') = ${value}`],
  issuerCountry:         ['scattered', (value: string) => `p.facts->'issuer'->>'country' = ${value}`],
  bin:                   ['scattered', (value: string) => `left(p.card_mask, 6) = ${value}`],
  outcome:               ['plain',   (value: string) => `(${fate}) = ${value}`],
  network:               ['scattered', (value: string) => `p.facts->>'network' = ${value}`],
  midId:                 ['many',   (value: string) => `p.mid_id = ${value}`],
  midIds:                ['many',   (value: string) => `p.mid_id = any(${value}::uuid[])`],
  currency:              ['many',   (value: string) => `p.currency = ${value}`],
  amountFrom:            ['range',   (value: string) => `p.amount_minor >= ${value}::numeric`],
  amountTo:              ['range',   (value: string) => `p.amount_minor <= ${value}::numeric`],
  amount:                ['many',   (value: string) => `p.amount_minor = ${value}::numeric`],
  amountBy:              ['range',   (value: string) => amountBy('=', value)],
  amountMinBy:           ['range',   (value: string) => amountBy('>=', value)],
  amountMaxBy:           ['range',   (value: string) => amountBy('<=', value)],
  test:                  ['many',   (value: string) => `p.test = ${value}`],
  payerEmail:            ['few',    (value: string) => `p.payer_email is not null and lower(p.payer_email) = lower(${value})`],
  lastFour:              ['many',   (value: string) => `p.card_mask is not null and right(p.card_mask, 4) = ${value}`],
  card:                  ['many',   (value: string) => `p.card_mask is not null and right(p.card_mask, 4) = right(${value}, 4) and p.card_mask = ${value}`],
  cardId:                ['plain',   (value: string) => `p.card_id = ${value}`],
  brand:                 ['many',   (value: string) => `p.facts ? 'brand' and p.facts->'brand'->>'code' = ${value}`],
  wallet:                ['many',   (value: string) => `p.facts ? 'wallet' and p.facts->'wallet'->>'name' = ${value}`],
  panType:               ['many',   (value: string) => `p.facts ? 'wallet' and p.facts->'wallet'->>'panType' = ${value}`],
  threeDSServerTransID:  ['few',    (value: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'threeDSServerTransID' = ${value}`],
  transStatus:           ['many',   (value: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'transStatus' = ${value}`],
  dsTransID:             ['few',    (value: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'dsTransID' = ${value}`],
  acsTransID:            ['few',    (value: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'acsTransID' = ${value}`],
  xid:                   ['few',    (value: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'xid' = ${value}`],
  transFlow:             ['many',   (value: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'authenticationFlow' = ${value}`],
  initiator:             ['many',   (value: string) => `p.facts ? 'storedCredential' and p.facts->'storedCredential'->>'initiator' = ${value}`],
  sequence:              ['many',   (value: string) => `p.facts ? 'storedCredential' and p.facts->'storedCredential'->>'sequence' = ${value}`],
  source:                ['many',   (value: string) => `p.facts ? 'storedCredential' and p.facts->'storedCredential'->>'source' = ${value}`],
  attempts:              ['place',  (value: string) => `(${value}::text = 'last') = (p.cascading is distinct from 'continued')`],
  before:                ['place',  (value: string) => `p.id < ${value}`],
} as const satisfies Readonly<Record<string, Condition>>

type PaymentFilterName = keyof typeof conditions | 'to' | 'from'

export type PaymentFilter = {
  readonly [Name in PaymentFilterName]?: string | boolean | Date | bigint | readonly string[] | undefined
}

const names = Object.keys(conditions) as readonly (keyof typeof conditions)[] // The keys of an object literal are exactly its names.

/** True if one of its conditions is found by one of these. */
export const isFoundBy = (filter: PaymentFilter, ...ways: readonly FoundBy[]): boolean =>
  names.some((name) => filter[name] !== undefined && ways.includes(conditions[name][0]))

/** The conditions that are found by one of these. */
export const partFoundBy = (filter: PaymentFilter, ...ways: readonly FoundBy[]): PaymentFilter =>
  Object.fromEntries(names.filter((name) => ways.includes(conditions[name][0])).map((name) => [name, filter[name]]))

/**
 * How the ids of payments relate to a time range: payments made with their id, payments made up to a session's length after their id, or
 * both.
 */
export type Timing = 'at once' | 'late' | 'any'

/**
 * An index has payments of a single amount in order, but not those of a range. A range with equal ends therefore becomes a single amount.
 */
export function withExactAmount(filter: PaymentFilter): PaymentFilter {
  const { amountFrom, amountTo, ...rest } = filter
  return amountFrom === undefined || amountFrom !== amountTo ? filter : { ...rest, amount: amountFrom }
}

/** The conditions of a statement on `p`, and its parameters. */
export class Conditions {
  readonly values: unknown[]
  readonly #parts: string[] = []
  #inBucket: InBucket

  constructor(values: unknown[] = [], inBucket: InBucket = oneServer.inBucket) {
    this.values = values
    this.#inBucket = inBucket
  }

  /** Conditions for another part of the same statement, with shared parameters. */
  apart(): Conditions {
    return new Conditions(this.values, this.#inBucket)
  }

  /**
   * In a distributed database: only payments of these merchants, in every table that the filters read. Citus finds their shards by values that
   * it sees. An equality keeps the order of an index, a list of one value does not.
   */
  addShardsOf(merchantIds: readonly string[]): this {
    const [only, ...others] = merchantIds
    const merchants = others.length === 0 ? this.place(only) : `any(${this.place(merchantIds)}::uuid[])`
    const isOfThem = (alias: string): string => `${alias}.merchant_id = ${merchants}`
    this.#inBucket = (alias = 'p') => ` and ${isOfThem(alias)}`
    return this.add(isOfThem('p'))
  }

  place(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  /**
   * Hides the value from the planner, so that it assumes an average share. Otherwise it estimates one row between two close ids, and
   * expects a large merchant's payments among the newest of all; either way it would read everyone's payments instead of the merchant's.
   */
  hide(id: string | undefined): string {
    return `(select ${this.place(id)}::uuid)`
  }

  add(part: string): this {
    this.#parts.push(part)
    return this
  }

  addFilter({ from, to, ...rest }: PaymentFilter, timing: Timing): this {
    const filter = withExactAmount(rest)
    for (const name of names) {
      if (filter[name] !== undefined) this.add(conditions[name][1](this.place(filter[name]), this.#inBucket))
    }
    if (to instanceof Date) this.add(`p.id < ${this.hide(paymentIdsBefore(to))}`)
    if (from instanceof Date) this.#addBeginning(from, timing)
    return this.#addTimes(from, to, timing)
  }

  get text(): string {
    return this.#parts.length > 0 ? this.#parts.join(' and ') : 'true'
  }

  #addBeginning(from: Date, timing: Timing): void {
    this.add(`p.id >= ${this.hide(timing === 'at once' ? paymentIdsFrom(from) : latePaymentIdsFrom(from))}`)
    if (timing !== 'late') return
    this.add(`p.session_id is not null and p.id < ${this.hide(paymentIdsFrom(from))}`)
    this.add(`p.created_at < ${this.place(latestAfter(from))}`)
  }

  /**
   * The planner takes a range of times and a range of ids as independent and expects almost no row to match both, so it would read and sort
   * them all. Inside a CASE it assumes that half of the rows match the times.
   */
  #addTimes(from: PaymentFilter['from'], to: PaymentFilter['to'], timing: Timing): this {
    const times = [
      ...(from === undefined ? [] : [`p.created_at >= ${this.place(from)}`]),
      ...(to === undefined ? [] : [`p.created_at < ${this.place(to)}`]),
    ]
    if (times.length === 0) return this
    const both = times.join(' and ')
    return this.add(timing === 'at once' ? `case when ${both} then true else false end` : both)
  }
}
