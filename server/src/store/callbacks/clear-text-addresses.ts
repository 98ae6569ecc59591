/**
 * Seals callback addresses that earlier releases stored with credentials in clear text, one page at a time. Rows that change meanwhile are
 * left alone. Sealed addresses are not found again, so an interrupted run can simply be repeated.
 */
import type { CallbackAddresses } from '../../contracts/ports.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { addressKeyOf } from './callback-address.ts'

interface AddressColumn {
  readonly name: string
  readonly table: string
  /** The SQL expression for a row's merchant. */
  readonly merchant: string
  readonly address: string
  /** The SQL assignment; `$4` is the sealed address. */
  readonly write: string
}

// biome-ignore format: a table is read in columns.
const addressColumns: readonly AddressColumn[] = [
  { name: 'merchant',  table: 'merchants', merchant: 'id',          address: 'notification_url',          write: 'notification_url = $4' },
  { name: 'test',      table: 'merchants', merchant: 'id',          address: 'test_notification_url',     write: 'test_notification_url = $4' },
  { name: 'payment',   table: 'payments',  merchant: 'merchant_id', address: 'callback_url',              write: 'callback_url = $4' },
  { name: 'plan',      table: 'payments',  merchant: 'merchant_id', address: "facts->>'sentCallbackUrl'", write: "facts = jsonb_set(facts, '{sentCallbackUrl}', to_jsonb($4::text))" },
  { name: 'callback',  table: 'callbacks', merchant: 'merchant_id', address: 'url',                       write: 'url = $4' },
]

/** Returns how many addresses were sealed. */
export async function sealClearAddresses(
  pool: Queryable,
  addresses: Pick<CallbackAddresses, 'seal'>,
  merchantIds: readonly string[],
): Promise<number> {
  // Rows written by the previous release, whose key contains credentials.
  await query(pool, forgetWholeAddresses, [])
  let sealed = 0
  for (const merchantId of merchantIds)
    for (const column of addressColumns) sealed += await sealColumn(pool, addresses, merchantId, column)
  return sealed
}

async function sealColumn(
  pool: Queryable,
  addresses: Pick<CallbackAddresses, 'seal'>,
  merchantId: string,
  column: AddressColumn,
): Promise<number> {
  let sealed = 0
  for (let after = firstId; ; ) {
    const page: readonly Row[] = await query(pool, readStatement(column), [merchantId, after, pageSize])
    for (const { id, address } of page) {
      const stored = await addresses.seal(merchantId, address)
      sealed += (await query(pool, writeStatement(column), [merchantId, id, address, stored])).length
    }
    const last = page.at(-1)
    if (last === undefined) return sealed
    after = last.id
  }
}

interface Row {
  readonly id: string
  readonly address: string
}

const firstId = '00000000-0000-0000-0000-000000000000'
const pageSize = 500

const readStatement = ({ name, table, merchant, address }: AddressColumn) =>
  sql<Row, readonly [merchantId: string, after: string, limit: number]>(
    `clear-address.read-${name}`,
    String.raw`select id, ${address} as address from ${table}
     where ${merchant} = $1 and id > $2 and ${address} ~ '^[A-Za-z]+:[/\\]*[^/\\?#]*@' and ${address} !~ '^https?://sealed:'
     order by id limit $3`,
  )

const writeStatement = ({ name, table, merchant, address, write }: AddressColumn) =>
  sql<{ id: string }, readonly [merchantId: string, id: string, clear: string, sealed: string]>(
    `clear-address.seal-${name}`,
    `update ${table} set ${write} where ${merchant} = $1 and id = $2 and ${address} = $3 returning id`,
  )

const forgetWholeAddresses = sql<Record<never, never>, readonly []>(
  'callback-url.forget-whole',
  `delete from callback_urls where url <> ${addressKeyOf('url')}`,
)
