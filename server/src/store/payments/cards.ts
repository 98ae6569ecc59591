/** Cards and their tokens. Card numbers enter and leave sealed; only the vault opens them. */
import type { Cards } from '../../contracts/ports.ts'
import type { CardRecord, CardTokenRecord } from '../../contracts/records.ts'
import { columnsOf } from '../database/columns.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { cardInsertion } from './payment-rows.ts'

/** The table's `holder` is not used any more: a later release drops it (see "Add a migration" in the recipes). */
export interface CardRow {
  merchant_id: string
  id: string
  pan_sealed: Buffer
  bin: string
  last_four: string
  pan_length: number
  expiry_month: number | null
  expiry_year: number | null
  network: string | null
}

// biome-ignore format: a list of names.
export const cardColumns = columnsOf<CardRow>()([
  'merchant_id', 'id', 'pan_sealed', 'bin', 'last_four', 'pan_length', 'expiry_month', 'expiry_year',
  'network',
])

interface TokenRow {
  merchant_id: string
  token: string
  card_id: string
  test: boolean
  first_name: string | null
  last_name: string | null
  credentials: Record<string, string>
}

// biome-ignore format: a list of names.
const tokenColumns = columnsOf<TokenRow>()([
  'merchant_id', 'token', 'card_id', 'test', 'first_name', 'last_name', 'credentials',
])

const findCard = sql<CardRow, readonly [string, string]>(
  'card.find',
  `select ${cardColumns()} from cards where merchant_id = $1 and id = $2`,
)

const findToken = sql<TokenRow, readonly [string, string]>(
  'card-token.find',
  `select ${tokenColumns()} from card_tokens where merchant_id = $1 and token = $2`,
)

/** Read only if the merchant itself has no such token. */
const foreignToken = sql<{ merchant_id: string }, readonly [string]>(
  'card-token.find-foreign',
  'select merchant_id from card_tokens where token = $1 limit 1',
)

const issuedToken = sql<{ id: string }, readonly [string, string, boolean]>(
  'card-token.issued',
  `select id from payments where merchant_id = $1 and facts ? 'issuedToken' and facts->>'issuedToken' = $2 and test = $3 limit 1`,
)

const keepCard = sql<Record<never, never>, readonly unknown[]>(
  'card.keep',
  `${cardInsertion.text(1)} on conflict do nothing`,
)

export function cardStore(pool: Pool): Cards {
  return {
    keep: async (card, createdAt) => {
      await query(pool, keepCard, cardInsertion.values({ ...card, createdAt }))
    },
    find: async (merchantId, id) => {
      const [row] = await query(pool, findCard, [merchantId, id])
      return row ? cardFrom(row) : null
    },
    findToken: async (merchantId, token) => {
      const [row] = await query(pool, findToken, [merchantId, token])
      return row ? tokenFrom(row) : null
    },
    isTokenOfAny: async (token) => (await query(pool, foreignToken, [token])).length === 1,
    isIssued: async (merchantId, token, mode) =>
      (await query(pool, issuedToken, [merchantId, token, mode === 'test'])).length === 1,
  }
}

export const cardFrom = (row: CardRow): CardRecord => ({
  merchantId: row.merchant_id,
  id: row.id,
  panSealed: row.pan_sealed,
  bin: row.bin,
  lastFour: row.last_four,
  panLength: row.pan_length,
  expiryMonth: row.expiry_month,
  expiryYear: row.expiry_year,
  network: row.network,
})

const tokenFrom = (row: TokenRow): CardTokenRecord => ({
  merchantId: row.merchant_id,
  token: row.token,
  cardId: row.card_id,
  mode: row.test ? 'test' : 'live',
  firstName: row.first_name,
  lastName: row.last_name,
  credentials: row.credentials,
})
