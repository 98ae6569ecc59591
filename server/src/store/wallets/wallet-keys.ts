/** Wallet keys and their rotation. Chapter 40 §5. */
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { KeyRole, KeyState, WalletKeyRecord, WalletRecordKey } from '../../contracts/wallet-records.ts'
import { columnsOf } from '../database/columns.ts'
import { insertion } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { keyColumnsOf } from './wallet-settings.ts'

interface Columns {
  merchant_id: string
  id: string
  side: Mode
  wallet: Wallet
  role: KeyRole
  state: KeyState
  type: 'EC' | 'RSA'
  private_sealed: Buffer | null
  spki: Buffer
  fingerprint: string
  public_key_hash: string
  /** The certificate signing request. */
  request: string | null
  certificate: string | null
  certificate_until: Date | null
  /** The end of a retiring key's use. */
  until: Date | null
  added_at: Date
  promoted_at: Date | null
  retired_at: Date | null
}

// biome-ignore format: a list of names.
const keyColumns = columnsOf<Columns>()([
  'merchant_id', 'id', 'side', 'wallet', 'role', 'state', 'type', 'private_sealed', 'spki', 'fingerprint',
  'public_key_hash', 'request', 'certificate', 'certificate_until', 'until', 'added_at', 'promoted_at', 'retired_at',
])

// biome-ignore format: a table is read in columns.
const keyInsertion = insertion<WalletKeyRecord>('wallet_keys', [
  ['merchant_id',       (key) => key.merchantId],
  ['id',                (key) => key.id],
  ['side',              (key) => key.mode],
  ['wallet',            (key) => key.wallet],
  ['role',              (key) => key.role],
  ['state',             (key) => key.state],
  ['type',              (key) => key.type],
  ['private_sealed',    (key) => key.privateSealed],
  ['spki',              (key) => key.spki],
  ['fingerprint',       (key) => key.fingerprint],
  ['public_key_hash',   (key) => key.publicKeyHash],
  ['request',           (key) => key.request],
  ['certificate',       (key) => key.certificate],
  ['certificate_until', (key) => key.certificateUntil],
  ['until',             (key) => key.until],
  ['added_at',          (key) => key.addedAt],
  ['promoted_at',       (key) => key.promotedAt],
  ['retired_at',        (key) => key.retiredAt],
])

const listKeys = sql<Columns, readonly [string, string, string]>(
  'wallet-key.list',
  `select ${keyColumns()} from wallet_keys where merchant_id = $1 and side = $2 and wallet = $3 order by added_at, id`,
)
const nextEnds = sql<{ wallet: Wallet; role: KeyRole; ends: Date }, readonly []>(
  'wallet-key.next-ends',
  `select wallet, role, min(certificate_until) as ends from wallet_keys
   where state <> 'retired' and certificate_until is not null group by wallet, role`,
)
const addKey = sql<Record<never, never>, readonly unknown[]>('wallet-key.add', keyInsertion.text(1))
const changeKey = sql<
  Record<never, never>,
  readonly [string, string, string, Buffer | null, string | null, Date | null, Date | null, Date | null, Date | null]
>(
  'wallet-key.change',
  `update wallet_keys set state = $3, private_sealed = $4, certificate = $5, certificate_until = $6, until = $7,
     promoted_at = $8, retired_at = $9
   where merchant_id = $1 and id = $2`,
)

export const walletKeyStore = (on: Queryable) => ({
  list: async (recordKey: WalletRecordKey): Promise<readonly WalletKeyRecord[]> =>
    (await query(on, listKeys, keyColumnsOf(recordKey))).map(keyFrom),
  /** When the next certificate of each wallet and role expires. */
  listNextEnds: (): Promise<readonly { readonly wallet: Wallet; readonly role: KeyRole; readonly ends: Date }[]> =>
    query(on, nextEnds, []),
  add: async (key: WalletKeyRecord): Promise<void> => {
    await query(on, addKey, keyInsertion.values(key))
  },
  /** Writes the changes of a rotation; the caller holds the lock on the record. */
  change: async (key: WalletKeyRecord): Promise<void> => {
    const { merchantId, id, state, privateSealed, certificate, certificateUntil, until, promotedAt, retiredAt } = key
    await query(on, changeKey, [
      merchantId,
      id,
      state,
      privateSealed,
      certificate,
      certificateUntil,
      until,
      promotedAt,
      retiredAt,
    ])
  },
})

function keyFrom(row: Columns): WalletKeyRecord {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    mode: row.side,
    wallet: row.wallet,
    role: row.role,
    state: row.state,
    type: row.type,
    privateSealed: row.private_sealed,
    spki: row.spki,
    fingerprint: row.fingerprint,
    publicKeyHash: row.public_key_hash,
    request: row.request,
    certificate: row.certificate,
    certificateUntil: row.certificate_until,
    until: row.until,
    addedAt: row.added_at,
    promotedAt: row.promoted_at,
    retiredAt: row.retired_at,
  }
}
