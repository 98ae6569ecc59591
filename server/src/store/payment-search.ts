/**
 * Payments as a person looks for them: any filters together, newest first, page by page.
 *
 * Pages go by the identifier, which is time-ordered, so that a page costs the same at any depth. Each filter has an index with the
 * identifier behind it; the statement is written for the filters that were given and has no name, so that PostgreSQL plans it for those
 * values and not for all.
 */
import type { Queryable } from './pool.ts'

// biome-ignore format: a table is read in columns.
const conditions = {
  // filter               condition on `p`
  paymentId:              (given: string) => `p.id = ${given}`,
  merchantId:             (given: string) => `p.merchant_id = ${given}`,
  status:                 (given: string) => `p.status = ${given}`,
  orderId:                (given: string) => `p.order_id = ${given}`,
  midId:                  (given: string) => `p.mid_id = ${given}`,
  midIds:                 (given: string) => `p.mid_id = any(${given}::uuid[])`,
  currency:               (given: string) => `p.currency = ${given}`,
  amountFrom:             (given: string) => `p.amount_minor >= ${given}::numeric`,
  amountTo:               (given: string) => `p.amount_minor <= ${given}::numeric`,
  test:                   (given: string) => `p.test = ${given}`,
  payerEmail:             (given: string) => `p.payer_email is not null and lower(p.payer_email) = lower(${given})`,
  card:                   (given: string) => `p.card_mask is not null and p.card_mask = ${given}`,
  brand:                  (given: string) => `p.facts ? 'brand' and p.facts->'brand'->>'code' = ${given}`,
  wallet:                 (given: string) => `p.facts ? 'wallet' and p.facts->'wallet'->>'name' = ${given}`,
  panType:                (given: string) => `p.facts ? 'wallet' and p.facts->'wallet'->>'panType' = ${given}`,
  threeDSServerTransID:   (given: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'threeDSServerTransID' = ${given}`,
  transStatus:            (given: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'transStatus' = ${given}`,
  dsTransID:              (given: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'dsTransID' = ${given}`,
  acsTransID:             (given: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'acsTransID' = ${given}`,
  xid:                    (given: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'xid' = ${given}`,
  transFlow:              (given: string) => `p.facts ? 'threeDs' and p.facts->'threeDs'->>'authenticationFlow' = ${given}`,
  initiator:              (given: string) => `p.facts ? 'storedCredential' and p.facts->'storedCredential'->>'initiator' = ${given}`,
  sequence:               (given: string) => `p.facts ? 'storedCredential' and p.facts->'storedCredential'->>'sequence' = ${given}`,
  source:                 (given: string) => `p.facts ? 'storedCredential' and p.facts->'storedCredential'->>'source' = ${given}`,
  from:                   (given: string) => `p.created_at >= ${given}`,
  to:                     (given: string) => `p.created_at < ${given}`,
  before:                 (given: string) => `p.id < ${given}`,
} as const

export type PaymentFilterName = keyof typeof conditions

export type PaymentFilter = {
  readonly [Name in PaymentFilterName]?: string | boolean | Date | bigint | readonly string[] | undefined
}

export interface FoundPayment {
  readonly id: string
  readonly merchantId: string
  readonly protocol: string
  readonly action: string
  readonly status: string
  readonly test: boolean
  readonly orderId: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
  readonly authorisedMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly declineReason: string | null
  readonly midId: string | null
  readonly cardMask: string | null
  readonly payerEmail: string | null
  readonly wallet: string | null
  readonly brand: string | null
  readonly createdAt: Date
}

const found = `p.id, p.merchant_id as "merchantId", p.protocol, p.action, p.status, p.test, p.order_id as "orderId",
  p.amount_minor as "amountMinor", p.amount_decimals as "amountDecimals", p.currency, p.authorised_minor as "authorisedMinor",
  p.captured_minor as "capturedMinor", p.refunded_minor as "refundedMinor", p.decline_reason as "declineReason",
  p.mid_id as "midId", p.card_mask as "cardMask", p.payer_email as "payerEmail", p.facts->'wallet'->>'name' as wallet,
  p.facts->'brand'->>'code' as brand, p.created_at as "createdAt"`

/** `merchantIds` null means all of them. */
export async function searchPayments(
  on: Queryable,
  filter: PaymentFilter,
  merchantIds: readonly string[] | null,
  limit: number,
): Promise<readonly FoundPayment[]> {
  const { where, values } = whereOf(filter, merchantIds)
  const text = `select ${found} from payments p ${where} order by p.id desc limit ${Math.trunc(limit)}`
  return (await on.query<FoundPayment>(text, values)).rows
}

export async function countPayments(
  on: Queryable,
  filter: PaymentFilter,
  merchantIds: readonly string[] | null,
): Promise<bigint> {
  const { where, values } = whereOf(filter, merchantIds)
  const { rows } = await on.query<{ count: bigint }>(`select count(*) from payments p ${where}`, values)
  return rows[0]?.count ?? 0n
}

/** Holds that wait for their capture, oldest first, with the moment at which they are captured by themselves. */
export async function waitingHolds(
  on: Queryable,
  merchantIds: readonly string[] | null,
  after: string,
  limit: number,
): Promise<readonly (FoundPayment & { readonly captureAt: Date | null })[]> {
  const values = [after, limit, ...(merchantIds === null ? [] : [merchantIds])]
  const text = `select ${found}, d.due_at as "captureAt" from payments p
    left join deferred_commands d on d.merchant_id = p.merchant_id and d.payment_id = p.id and d.command = 'CAPTURE'
    where p.status = 'PENDING' and p.authorised_minor > p.captured_minor and p.id > $1
      ${merchantIds === null ? '' : 'and p.merchant_id = any($3::uuid[])'}
    order by p.id limit $2`
  return (await on.query<FoundPayment & { captureAt: Date | null }>(text, values)).rows
}

function whereOf(filter: PaymentFilter, merchantIds: readonly string[] | null) {
  const values: unknown[] = []
  const parts: string[] = []
  for (const [name, condition] of Object.entries(conditions)) {
    // The names of one table are those of the other.
    const given = filter[name as PaymentFilterName]
    if (given === undefined) continue
    values.push(given)
    parts.push(condition(`$${values.length}`))
  }
  if (merchantIds !== null) {
    values.push(merchantIds)
    parts.push(`p.merchant_id = any($${values.length}::uuid[])`)
  }
  return { where: parts.length > 0 ? `where ${parts.join(' and ')}` : '', values }
}
