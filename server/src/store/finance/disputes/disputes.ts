/** Disputes and their evidence. Chapter 70 §4. */

import type { DisputeStage } from '#domain/dispute/dispute.ts'
import { closedStages } from '#domain/dispute/dispute.ts'
import type { EvidenceKind, EvidenceType } from '#domain/dispute/evidence.ts'
import type { DeadlineMail } from '../../../contracts/dispute-ports.ts'
import { literals } from '../../database/columns.ts'
import { type Nothing, type Queryable, query, sql } from '../../database/pool.ts'
import { beginOf } from '../missing-settlements.ts'

export interface DisputeRow {
  readonly merchantId: string
  readonly id: string
  readonly paymentId: string
  /** The merchant's number of the payment, by which people know it; null once the payment was removed with its month. */
  readonly orderId: string | null
  readonly midId: string
  readonly reference: string
  /** The acquirer's own of the dispute, by which it is answered; null if the acquirer named none. */
  readonly caseReference: string | null
  readonly reasonCode: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly amountDecimals: number
  readonly network: string | null
  readonly stage: DisputeStage
  /** Its money was taken; until then it is an inquiry. */
  readonly isChargedBack: boolean
  readonly answer: 'accepted' | 'contested' | null
  readonly answeredAt: Date | null
  readonly dueOn: string | null
  readonly warnedDays: number | null
  /** Of its money; zero until it came back. */
  readonly returnedMinor: bigint
  readonly returnedAt: Date | null
  readonly openedAt: Date
}

type StoredDispute = Omit<DisputeRow, 'orderId'>

const columns = `merchant_id as "merchantId", id, payment_id as "paymentId",
  mid_id as "midId", reference, case_reference as "caseReference", reason_code as "reasonCode", amount_minor as "amountMinor", currency, amount_decimals as "amountDecimals", network, stage, charged_back as "isChargedBack", answer, answered_at as "answeredAt",
  due_on::text as "dueOn", warned_days as "warnedDays", returned_minor as "returnedMinor",
  returned_at as "returnedAt", opened_at as "openedAt"`

const listDisputes = sql<
  StoredDispute,
  readonly [readonly string[] | null, string | null, boolean, string | null, number]
>(
  'dispute.list',
  `select ${columns} from disputes
   where ($1::uuid[] is null or merchant_id = any($1)) and ($2::text is null or stage = $2)
     and (not $3 or stage not in (${literals(closedStages)}))
     and ($4::uuid is null or (opened_at, id) < (select last.opened_at, last.id from disputes last where last.id = $4))
   order by opened_at desc, id desc limit $5`,
)
const findDispute = sql<StoredDispute, readonly [string, string]>(
  'dispute.find',
  `select ${columns} from disputes where merchant_id = $1 and id = $2`,
)
const changeDispute = sql<
  { id: string },
  readonly [string, string, string, string | null, Date | null, string | null, Date, string | null]
>(
  'dispute.change',
  `update disputes set stage = $3, answer = $4, answered_at = $5, warned_days = case when due_on is not distinct from $6::date then warned_days end,
     due_on = $6, changed_at = $7
   where merchant_id = $1 and id = $2 and stage not in (${literals(closedStages)}) and answer is not distinct from $8 returning id`,
)
const dueSoon = sql<StoredDispute, readonly [string]>(
  'dispute.due-soon',
  `select ${columns} from disputes
   where due_on is not null and answer is null and stage not in (${literals(closedStages)}) and due_on between $1::date and $1::date + 7
   order by due_on limit 500`,
)
// In a distributed database the coordinator has the disputes and other servers the payments; it joins no two such rows
// (decisions/shards#plans-with-values).
const ordersOfPayments = sql<{ id: string; orderId: string }, readonly [readonly string[], readonly string[]]>(
  'dispute.orders',
  'select id, order_id as "orderId" from payments where merchant_id = any($1::uuid[]) and id = any($2::uuid[])',
)

async function withOrders(on: Queryable, disputes: readonly StoredDispute[]): Promise<readonly DisputeRow[]> {
  if (disputes.length === 0) return []
  const merchantIds = [...new Set(disputes.map(({ merchantId }) => merchantId))]
  const found = await query(on, ordersOfPayments, [merchantIds, disputes.map(({ paymentId }) => paymentId)])
  const orders = new Map(found.map(({ id, orderId }) => [id, orderId]))
  return disputes.map((one) => ({ ...one, orderId: orders.get(one.paymentId) ?? null }))
}

/**
 * Money that is here although the acquirer says that the dispute is lost, unless a later chargeback of the payment took it. Such a chargeback is a dispute of its own
 * (decisions/disputes#newest-report).
 */
const lostAndReturned = sql<LostDispute, readonly [readonly string[] | null, number]>(
  'dispute.lost-and-returned',
  `select d.merchant_id as "merchantId", d.payment_id as "paymentId", d.reference from disputes d
   where d.stage = 'lost' and d.returned_at is not null and ($1::uuid[] is null or d.merchant_id = any($1))
     and not exists (select 1 from disputes later where later.merchant_id = d.merchant_id and later.payment_id = d.payment_id
       and later.id <> d.id and later.charged_back and later.opened_at >= d.returned_at)
   order by d.changed_at desc limit $2`,
)
const countTaken = sql<{ count: number }, readonly [readonly string[] | null]>(
  'dispute.count-taken',
  'select count(*)::int as count from disputes where charged_back and ($1::uuid[] is null or merchant_id = any($1))',
)

/** Of two workers one marks the warning, and only that one queues the mails. */
const markWarned = sql<Nothing, readonly unknown[]>(
  'dispute.warned',
  `with marked as (
     update disputes set warned_days = $3 where merchant_id = $1 and id = $2 and warned_days is distinct from $3 returning id
   )
   insert into mails (id, recipient, subject, text, written_at, next_at)
   select mail.id, mail.recipient, $6, $7, $8, $8 from marked, unnest($4::uuid[], $5::text[]) as mail (id, recipient)`,
)

type LostDispute = Pick<DisputeRow, 'merchantId' | 'paymentId' | 'reference'>

interface EvidenceFile {
  readonly id: string
  readonly name: string
  readonly type: EvidenceType
  readonly kind: EvidenceKind
  readonly size: number
  readonly sha256: string
  readonly addedBy: string
  readonly addedAt: Date
  readonly sentAt: Date | null
}

const fileColumns = `id, name, type, kind, size, sha256, added_by as "addedBy", added_at as "addedAt", sent_at as "sentAt"`
const listFiles = sql<EvidenceFile, readonly [string, string]>(
  'dispute.files',
  `select ${fileColumns} from dispute_files where merchant_id = $1 and dispute_id = $2 order by added_at, id`,
)
const findFile = sql<EvidenceFile & { sealed: Buffer }, readonly [string, string, string]>(
  'dispute.file',
  `select ${fileColumns}, sealed from dispute_files where merchant_id = $1 and dispute_id = $2 and id = $3`,
)
const addFile = sql<Nothing, readonly unknown[]>(
  'dispute.add-file',
  `insert into dispute_files (merchant_id, dispute_id, id, name, type, size, sha256, sealed, added_by, added_at, kind)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)
const removeFile = sql<{ name: string }, readonly [string, string, string]>(
  'dispute.remove-file',
  'delete from dispute_files where merchant_id = $1 and dispute_id = $2 and id = $3 and sent_at is null returning name',
)
const markSent = sql<Nothing, readonly [string, string, Date]>(
  'dispute.sent',
  'update dispute_files set sent_at = $3 where merchant_id = $1 and dispute_id = $2 and sent_at is null',
)

interface DisputeRate {
  readonly midId: string
  readonly network: string | null
  readonly disputes: number
  readonly payments: number
}

// The schemes compare the disputes of a month with the settled payments of that month.
const listRates = sql<DisputeRate, readonly [string, string]>(
  'dispute.rates',
  `with disputed as (
     select d.mid_id, d.network, count(*)::int as count from disputes d
     where d.charged_back and d.opened_at >= ${beginOf('$1::date')} and d.opened_at < ${beginOf('$2::date')}
       and d.mid_id in (select id from mids where side = 'live')
     group by 1, 2
   ), paid as (
     select mid_id, facts->>'network' as network, count(*)::int as count from payments
     where mid_id in (select mid_id from disputed) and financial_day >= $1::date and financial_day < $2::date and not test group by 1, 2
   )
   select disputed.mid_id as "midId", disputed.network, disputed.count as disputes, coalesce(paid.count, 0) as payments
   from disputed left join paid on paid.mid_id = disputed.mid_id and paid.network is not distinct from disputed.network
   order by disputed.count desc limit 200`,
)

interface DisputeChange extends Pick<DisputeRow, 'merchantId' | 'id' | 'stage' | 'answer' | 'answeredAt' | 'dueOn'> {
  /** The answer that the change was decided on. */
  readonly answerBefore: DisputeRow['answer']
  readonly at: Date
}

export const disputeStore = (on: Queryable) => ({
  list: async (of: {
    readonly merchantIds: readonly string[] | null
    readonly stage: string | null
    readonly openOnly: boolean
    readonly before: string | null
    readonly limit: number
  }) => withOrders(on, await query(on, listDisputes, [of.merchantIds, of.stage, of.openOnly, of.before, of.limit])),
  find: async (merchantId: string, id: string): Promise<DisputeRow | null> =>
    (await withOrders(on, await query(on, findDispute, [merchantId, id])))[0] ?? null,
  /** False if it was won, lost or answered in the meantime. */
  change: async (change: DisputeChange): Promise<boolean> => {
    const { merchantId, id, stage, answer, answeredAt, dueOn, at, answerBefore } = change
    return (
      (await query(on, changeDispute, [merchantId, id, stage, answer, answeredAt, dueOn, at, answerBefore])).length ===
      1
    )
  },
  listDueSoon: async (today: string) => withOrders(on, await query(on, dueSoon, [today])),
  recordWarning: async (
    { merchantId, id }: Pick<DisputeRow, 'merchantId' | 'id'>,
    days: number,
    { mails, subject, text, at }: DeadlineMail,
  ): Promise<void> => {
    const [ids, recipients] = [mails.map((mail) => mail.id), mails.map(({ to }) => to)]
    await query(on, markWarned, [merchantId, id, days, ids, recipients, subject, text, at])
  },
  listFiles: (merchantId: string, id: string) => query(on, listFiles, [merchantId, id]),
  findFile: async (merchantId: string, id: string, fileId: string) =>
    (await query(on, findFile, [merchantId, id, fileId]))[0] ?? null,
  addFile: async (
    place: readonly [string, string],
    file: Omit<EvidenceFile, 'sentAt'>,
    sealed: Buffer,
  ): Promise<void> => {
    const { id, name, type, kind, size, sha256, addedBy, addedAt } = file
    await query(on, addFile, [...place, id, name, type, size, sha256, sealed, addedBy, addedAt, kind])
  },
  /** Null if it is not there, or was sent. */
  removeFile: async (merchantId: string, id: string, fileId: string): Promise<string | null> =>
    (await query(on, removeFile, [merchantId, id, fileId]))[0]?.name ?? null,
  markSent: async (merchantId: string, id: string, at: Date): Promise<void> => {
    await query(on, markSent, [merchantId, id, at])
  },
  /** With the number of all whose money was taken. */
  listLostAndReturned: async (merchantIds: readonly string[] | null, limit: number) => ({
    checked: (await query(on, countTaken, [merchantIds]))[0]?.count ?? 0,
    found: await query(on, lostAndReturned, [merchantIds, limit]),
  }),
  listRates: (from: string, to: string) => query(on, listRates, [from, to]),
})
