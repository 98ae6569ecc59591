/** Wallet settings: one record per merchant, mode and wallet, and the operator's own under the platform's id. Chapter 40 §3. */
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { WalletFields, WalletRecordKey, WalletSettings, WalletSetup } from '../../contracts/wallet-records.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'
import { columnsOf } from '../database/columns.ts'
import { insertion, json } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

/** The key of the operator's record, which serves both modes. */
export const platformRecordKey = (wallet: Wallet): WalletRecordKey => ({
  merchantId: PLATFORM_SCOPE,
  mode: 'live',
  wallet,
})

interface Columns {
  merchant_id: string
  side: Mode
  wallet: Wallet
  setup: WalletSetup
  enabled: boolean
  trust_source: WalletSettings['trustSource']
  fields: WalletFields
  association_file: Buffer | null
  version: number
  created_at: Date
  updated_at: Date
}

// biome-ignore format: a list of names.
const settingsColumns = columnsOf<Columns>()([
  'merchant_id', 'side', 'wallet', 'setup', 'enabled', 'trust_source', 'fields', 'association_file', 'version',
  'created_at', 'updated_at',
])

// biome-ignore format: a table is read in columns.
const settingsInsertion = insertion<WalletSettings>('wallet_settings', [
  ['merchant_id',      (settings) => settings.merchantId],
  ['side',             (settings) => settings.mode],
  ['wallet',           (settings) => settings.wallet],
  ['setup',            (settings) => settings.setup],
  ['enabled',          (settings) => settings.enabled],
  ['trust_source',     (settings) => settings.trustSource],
  ['fields',           (settings) => json(settings.fields)],
  ['association_file', (settings) => settings.associationFile],
  ['version',          (settings) => settings.version],
  ['created_at',       (settings) => settings.createdAt],
  ['updated_at',       (settings) => settings.updatedAt],
])

type WalletKeyColumns = readonly [merchantId: string, mode: string, wallet: string]

const findSettings = sql<Columns, WalletKeyColumns>(
  'wallet-settings.find',
  `select ${settingsColumns()} from wallet_settings where merchant_id = $1 and side = $2 and wallet = $3`,
)
const lockSettings = sql<Columns, WalletKeyColumns>(
  'wallet-settings.lock',
  `select ${settingsColumns()} from wallet_settings where merchant_id = $1 and side = $2 and wallet = $3 for update`,
)
const listSettings = sql<Columns, readonly []>(
  'wallet-settings.list',
  `select ${settingsColumns()} from wallet_settings order by merchant_id, side, wallet`,
)
// The watch is created together with the record, so that no record is without one.
const addSettings = sql<{ merchant_id: string }, readonly unknown[]>(
  'wallet-settings.add',
  `with added as (${settingsInsertion.text(1)} on conflict do nothing returning merchant_id, side, wallet),
   watched as (
     insert into wallet_watches (merchant_id, side, wallet, check_at, probe_at)
     select merchant_id, side, wallet, $${settingsInsertion.width + 1}::timestamptz,
       case when side = 'live' and wallet = 'walletapay' then $${settingsInsertion.width + 1}::timestamptz + interval '1 day' end
     from added
   )
   select merchant_id from added`,
)
const changeSettings = sql<{ version: number }, readonly unknown[]>(
  'wallet-settings.change',
  `update wallet_settings set setup = $4, enabled = $5, trust_source = $6, fields = $7, association_file = $8,
     version = version + 1, updated_at = $9
   where merchant_id = $1 and side = $2 and wallet = $3 and version = $10
   returning version`,
)
const namesSandbox = sql<{ found: boolean }, readonly []>(
  'wallet-settings.names-sandbox',
  `select exists (select 1 from wallet_settings where trust_source = 'sandbox authority')
       or exists (select 1 from wallet_trust where source = 'sandbox authority') as found`,
)

export const walletSettingsStore = (on: Queryable) => ({
  find: async (recordKey: WalletRecordKey): Promise<WalletSettings | null> =>
    first(await query(on, findSettings, keyColumnsOf(recordKey))),
  /** Call inside a transaction: a change of a record's keys holds this lock, so that rules across several keys stay true. */
  lock: async (recordKey: WalletRecordKey): Promise<WalletSettings | null> =>
    first(await query(on, lockSettings, keyColumnsOf(recordKey))),
  list: async (): Promise<readonly WalletSettings[]> => (await query(on, listSettings, [])).map(settingsFrom),
  /** False if the record already exists. */
  add: async (settings: WalletSettings): Promise<boolean> =>
    (await query(on, addSettings, [...settingsInsertion.values(settings), settings.createdAt])).length === 1,
  /** False if it has changed since it was read. */
  change: async (settings: WalletSettings): Promise<boolean> => {
    const { setup, enabled, trustSource, fields, associationFile, updatedAt, version } = settings
    const changed = [setup, enabled, trustSource, json(fields), associationFile, updatedAt, version]
    return (await query(on, changeSettings, [...keyColumnsOf(settings), ...changed])).length === 1
  },
})

/** True if any setting relies on a sandbox authority, which a live instance must not. */
export const hasSandboxAuthority = async (pool: Queryable): Promise<boolean> =>
  (await query(pool, namesSandbox, []))[0]?.found ?? false

export const keyColumnsOf = ({ merchantId, mode, wallet }: WalletRecordKey): WalletKeyColumns => [
  merchantId,
  mode,
  wallet,
]

const first = ([row]: readonly Columns[]): WalletSettings | null => (row ? settingsFrom(row) : null)

function settingsFrom(row: Columns): WalletSettings {
  return {
    merchantId: row.merchant_id,
    mode: row.side,
    wallet: row.wallet,
    setup: row.setup,
    enabled: row.enabled,
    trustSource: row.trust_source,
    fields: row.fields,
    associationFile: row.association_file,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
