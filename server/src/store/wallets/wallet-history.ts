/** Every change of a wallet's settings with user and time. Chapter 40 §3, `history`. */
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Ids } from '../../contracts/ports.ts'
import type { JsonObject } from '../../contracts/records.ts'
import type { WalletChange } from '../../contracts/wallet-records.ts'
import { columnsOf } from '../database/columns.ts'
import { json } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

interface Columns {
  merchant_id: string
  side: Mode | null
  wallet: Wallet
  at: Date
  by_user: string
  what: string
  details: JsonObject
}

const changeColumns = columnsOf<Columns>()(['merchant_id', 'side', 'wallet', 'at', 'by_user', 'what', 'details'])

const longestList = 500

const addChange = sql<
  Record<never, never>,
  readonly [string, string, string | null, string, Date, string, string, string | null]
>(
  'wallet-history.add',
  `insert into wallet_history (merchant_id, id, side, wallet, at, by_user, what, details)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const listChanges = sql<Columns, readonly [string, string, number]>(
  'wallet-history.list',
  `select ${changeColumns()} from wallet_history where merchant_id = $1 and wallet = $2 order by id desc limit $3`,
)

export const walletHistoryStore = (on: Queryable) => ({
  add: async (change: WalletChange, ids: Ids): Promise<void> => {
    const { merchantId, mode, wallet, at, byUser, what, details } = change
    await query(on, addChange, [merchantId, ids.next(), mode, wallet, at, byUser, what, json(details)])
  },
  /** The newest first. */
  list: async (merchantId: string, wallet: Wallet): Promise<readonly WalletChange[]> =>
    (await query(on, listChanges, [merchantId, wallet, longestList])).map(({ merchant_id, side, by_user, ...row }) => ({
      ...row,
      merchantId: merchant_id,
      mode: side,
      byUser: by_user,
    })),
})
