/** Domains that show a wallet's button, their association files, and when each is checked next. Chapter 40 §8. */
import type { Wallet } from '#domain/mid.ts'
import type { DomainState, WalletDomain } from '../../contracts/wallet-records.ts'
import { columnsOf } from '../database/columns.ts'
import { insertion } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

interface Columns {
  merchant_id: string
  wallet: Wallet
  domain: string
  purpose: WalletDomain['purpose']
  controlled_by: WalletDomain['controlledBy']
  state: DomainState
  file: Buffer | null
  file_sha256: string | null
  last_check: Date | null
  last_fault: string | null
  verified_since: Date | null
  succeeded_at: Date | null
  verified_at_maker: Date | null
  added_at: Date
  next_check: Date | null
}

// biome-ignore format: a list of names.
const domainColumns = columnsOf<Columns>()([
  'merchant_id', 'wallet', 'domain', 'purpose', 'controlled_by', 'state', 'file', 'file_sha256', 'last_check',
  'last_fault', 'verified_since', 'succeeded_at', 'verified_at_maker', 'added_at', 'next_check',
])

// biome-ignore format: a table is read in columns.
const domainInsertion = insertion<WalletDomain>('wallet_domains', [
  ['merchant_id',       (domain) => domain.merchantId],
  ['wallet',            (domain) => domain.wallet],
  ['domain',            (domain) => domain.domain],
  ['purpose',           (domain) => domain.purpose],
  ['controlled_by',     (domain) => domain.controlledBy],
  ['state',             (domain) => domain.state],
  ['file',              (domain) => domain.file],
  ['file_sha256',       (domain) => domain.fileSha256],
  ['last_check',        (domain) => domain.lastCheck],
  ['last_fault',        (domain) => domain.lastFault],
  ['verified_since',    (domain) => domain.verifiedSince],
  ['succeeded_at',      (domain) => domain.succeededAt],
  ['verified_at_maker', (domain) => domain.verifiedAtMaker],
  ['added_at',          (domain) => domain.addedAt],
  ['next_check',        (domain) => domain.nextCheck],
])

const changedColumns = [
  'purpose',
  'controlled_by',
  'state',
  'file',
  'file_sha256',
  'last_check',
  'last_fault',
  'verified_since',
  'succeeded_at',
  'verified_at_maker',
  'added_at',
  'next_check',
]

const lockMerchant = sql<{ name: string }, readonly [string]>(
  'wallet-domain.lock-merchant',
  'select name from merchants where id = $1 for no key update',
)
const listDomains = sql<Columns, readonly [string, string]>(
  'wallet-domain.list',
  `select ${domainColumns()} from wallet_domains where merchant_id = $1 and wallet = $2 and state <> 'removed' order by domain`,
)
const findDomain = sql<Columns, readonly [string, string, string]>(
  'wallet-domain.find',
  `select ${domainColumns()} from wallet_domains where merchant_id = $1 and wallet = $2 and domain = $3 and state <> 'removed'`,
)
const domainsOfHost = sql<Columns, readonly [string]>(
  'wallet-domain.of-host',
  `select ${domainColumns()} from wallet_domains where domain = $1 and state <> 'removed' order by file is null, added_at`,
)
const putDomain = sql<Record<never, never>, readonly unknown[]>(
  'wallet-domain.put',
  `${domainInsertion.text(1)} on conflict (merchant_id, wallet, domain) do update set
     ${changedColumns.map((column) => `${column} = excluded.${column}`).join(', ')}, lease_until = null`,
)
const claimDue = sql<Columns, readonly [Date, number, number]>(
  'wallet-domain.claim',
  `with due as (
     select merchant_id, wallet, domain from wallet_domains
     where next_check <= $1 and (lease_until is null or lease_until < clock_timestamp())
     order by next_check limit $2
     for update skip locked
   )
   update wallet_domains held set lease_until = clock_timestamp() + make_interval(secs => $3)
   from due where (held.merchant_id, held.wallet, held.domain) = (due.merchant_id, due.wallet, due.domain)
   returning ${domainColumns('held')}`,
)
// Only if the entry was not changed during the check: a replaced file is checked again.
const settleCheck = sql<
  Record<never, never>,
  readonly [
    string,
    string,
    string,
    string,
    Date | null,
    string | null,
    Date | null,
    Date | null,
    Date | null,
    string | null,
  ]
>(
  'wallet-domain.settle',
  `update wallet_domains set state = $4, last_check = $5, last_fault = $6, verified_since = $7, succeeded_at = $8,
     next_check = $9, lease_until = null
   where merchant_id = $1 and wallet = $2 and domain = $3 and state <> 'removed' and file_sha256 is not distinct from $10`,
)

/** Entries of platform merchants without their own file: the platform's file is now available or has changed. */
const platformFileChanged = sql<Record<never, never>, readonly [string, Date]>(
  'wallet-domain.platform-file-changed',
  `update wallet_domains set state = case state when 'new' then 'file ready' else state end, next_check = $2
   where wallet = $1 and state <> 'removed' and file is null and domain <> 'localhost'
     and merchant_id in (select merchant_id from wallet_settings where wallet = $1 and setup = 'platform')`,
)

const ofPlatform = sql<{ domain: string }, readonly [string]>(
  'wallet-domain.of-platform',
  `select distinct domain from wallet_domains
   where wallet = $1 and state <> 'removed'
     and merchant_id in (select merchant_id from wallet_settings where wallet = $1 and setup = 'platform')
   order by domain`,
)

export const walletDomainStore = (on: Queryable) => ({
  /** Call inside a transaction: keeps the number of a merchant's domains exact while some are added. Returns the merchant's name. */
  lockMerchant: async (merchantId: string): Promise<string> =>
    (await query(on, lockMerchant, [merchantId]))[0]?.name ?? '',
  /** Without removed domains. */
  list: async (merchantId: string, wallet: Wallet): Promise<readonly WalletDomain[]> =>
    (await query(on, listDomains, [merchantId, wallet])).map(domainFrom),
  find: async (merchantId: string, wallet: Wallet, domain: string): Promise<WalletDomain | null> =>
    (await query(on, findDomain, [merchantId, wallet, domain])).map(domainFrom)[0] ?? null,
  /** Every merchant's entry for the host; entries with their own file first. */
  listOfHost: async (domain: string): Promise<readonly WalletDomain[]> =>
    (await query(on, domainsOfHost, [domain])).map(domainFrom),
  /** An entry that was removed before starts from the beginning. */
  put: async (domain: WalletDomain): Promise<void> => {
    await query(on, putDomain, domainInsertion.values(domain))
  },
  /** Every domain of every merchant in the platform setup. */
  listOfPlatform: async (wallet: Wallet): Promise<readonly string[]> =>
    (await query(on, ofPlatform, [wallet])).map(({ domain }) => domain),
  recordPlatformFileChange: async (wallet: Wallet, now: Date): Promise<void> => {
    await query(on, platformFileChanged, [wallet, now])
  },
  claim: async (now: Date, limit: number, leaseSeconds: number): Promise<readonly WalletDomain[]> =>
    (await query(on, claimDue, [now, limit, leaseSeconds])).map(domainFrom),
  settle: async (domain: WalletDomain): Promise<void> => {
    const { merchantId, wallet, domain: host, state, lastCheck, lastFault, verifiedSince, succeededAt } = domain
    await query(on, settleCheck, [
      merchantId,
      wallet,
      host,
      state,
      lastCheck,
      lastFault,
      verifiedSince,
      succeededAt,
      domain.nextCheck,
      domain.fileSha256,
    ])
  },
})

function domainFrom(row: Columns): WalletDomain {
  return {
    merchantId: row.merchant_id,
    wallet: row.wallet,
    domain: row.domain,
    purpose: row.purpose,
    controlledBy: row.controlled_by,
    state: row.state,
    file: row.file,
    fileSha256: row.file_sha256,
    lastCheck: row.last_check,
    lastFault: row.last_fault,
    verifiedSince: row.verified_since,
    succeededAt: row.succeeded_at,
    verifiedAtMaker: row.verified_at_maker,
    addedAt: row.added_at,
    nextCheck: row.next_check,
  }
}
