/** What the dashboard warns of: late or failed callbacks, unknown outcomes, expiring certificates and failing domains. Chapter 50 §8. */
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { DomainState, KeyRole } from '../../contracts/wallet-records.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { unresolvedList } from '../finance/unresolved-list.ts'

/** Null for all merchants. */
type Merchants = readonly string[] | null

interface CallbackCounts {
  readonly waiting: number
  readonly late: number
  readonly failed: number
}

// Each count is a table of its own: Citus has no subqueries in the list of columns of a statement over several shards.
const countCallbacks = sql<CallbackCounts, readonly [Merchants, Date]>(
  'callback.count-standing',
  `select due.waiting, due.late, ended.failed
   from (
     select count(*)::int as waiting, count(*) filter (where next_at <= $2)::int as late
     from callbacks where state = 'due' and ($1::uuid[] is null or merchant_id = any($1))
   ) due, (
     select count(*)::int as failed from callbacks where state = 'failed' and ($1::uuid[] is null or merchant_id = any($1))
   ) ended`,
)

interface EndingCertificate {
  readonly merchantId: string
  readonly mode: Mode
  readonly wallet: Wallet
  readonly role: KeyRole
  readonly fingerprint: string
  readonly until: Date
}

const listEnding = sql<EndingCertificate, readonly [Merchants, Date, number]>(
  'wallet-key.list-ending',
  `select merchant_id as "merchantId", side as mode, wallet, role, fingerprint, certificate_until as until
   from wallet_keys
   where state in ('current', 'retiring') and certificate_until < $2 and ($1::uuid[] is null or merchant_id = any($1))
   order by certificate_until limit $3`,
)

interface FailingDomain {
  readonly merchantId: string
  readonly wallet: Wallet
  readonly domain: string
  readonly state: DomainState
  readonly lastFault: string | null
  readonly lastCheck: Date | null
}

const listFailing = sql<FailingDomain, readonly [Merchants, number]>(
  'wallet-domain.list-failing',
  `select merchant_id as "merchantId", wallet, domain, state, last_fault as "lastFault", last_check as "lastCheck"
   from wallet_domains where state in ('failing', 'suspended') and ($1::uuid[] is null or merchant_id = any($1))
   order by last_check limit $2`,
)

export const openRisks = (on: Queryable, merchantIds: Merchants, limit: number) => ({
  countCallbacks: async (now: Date): Promise<CallbackCounts> =>
    (await query(on, countCallbacks, [merchantIds, now]))[0] ?? { waiting: 0, late: 0, failed: 0 },
  /** The oldest first, with the total number: the first page of the list Unresolved, so that the number is the list it opens. */
  readUnknownOutcomes: async () => {
    const { count, outcomes } = await unresolvedList(on, merchantIds).listOutcomes(null, limit)
    const oldest = outcomes.map(({ merchantId, paymentId, type, createdAt: since }) => ({
      merchantId,
      paymentId,
      type,
      since,
    }))
    return { count, oldest }
  },
  listCertificates: (endingBefore: Date) => query(on, listEnding, [merchantIds, endingBefore, limit]),
  listDomains: () => query(on, listFailing, [merchantIds, limit]),
})
