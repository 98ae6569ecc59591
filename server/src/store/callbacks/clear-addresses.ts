/**
 * Callback addresses that earlier releases stored with their credentials in clear text: found a page at a time, and written sealed. A row
 * that was changed meanwhile is left alone. What was done is not found again, so that an interrupted run is simply repeated.
 */
import type { CallbackAddresses } from '../../contracts/ports.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { addressKeyOf } from './callback-address.ts'

interface Place {
  readonly name: string
  readonly table: string
  /** The SQL that gives a row's merchant. */
  readonly merchant: string
  readonly address: string
  /** How it is written, `$4` being the sealed address. */
  readonly write: string
}

// biome-ignore format: a table is read in columns.
const places: readonly Place[] = [
  { name: 'merchant',  table: 'merchants', merchant: 'id',          address: 'notification_url',          write: 'notification_url = $4' },
  { name: 'test',      table: 'merchants', merchant: 'id',          address: 'test_notification_url',     write: 'test_notification_url = $4' },
  { name: 'payment',   table: 'payments',  merchant: 'merchant_id', address: 'callback_url',              write: 'callback_url = $4' },
  { name: 'plan',      table: 'payments',  merchant: 'merchant_id', address: "facts->>'sentCallbackUrl'", write: "facts = jsonb_set(facts, '{sentCallbackUrl}', to_jsonb($4::text))" },
  { name: 'callback',  table: 'callbacks', merchant: 'merchant_id', address: 'url',                       write: 'url = $4' },
]

/** Answers how many addresses were sealed. */
export async function sealClearAddresses(
  pool: Queryable,
  addresses: Pick<CallbackAddresses, 'seal'>,
  merchantIds: readonly string[],
): Promise<number> {
  // Counted by addresses with their credentials, by a process of the release before.
  await query(pool, forgetWholeAddresses, [])
  let sealed = 0
  for (const merchantId of merchantIds)
    for (const place of places) sealed += await sealPlace(pool, addresses, merchantId, place)
  return sealed
}

async function sealPlace(
  pool: Queryable,
  addresses: Pick<CallbackAddresses, 'seal'>,
  merchantId: string,
  place: Place,
): Promise<number> {
  let sealed = 0
  for (let after = firstId; ; ) {
    const page: readonly Row[] = await query(pool, reading(place), [merchantId, after, pageSize])
    for (const { id, address } of page) {
      const stored = await addresses.seal(merchantId, address)
      sealed += (await query(pool, writing(place), [merchantId, id, address, stored])).length
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

const reading = ({ name, table, merchant, address }: Place) =>
  sql<Row, readonly [merchantId: string, after: string, limit: number]>(
    `clear-address.read-${name}`,
    String.raw`select id, ${address} as address from ${table}
     where ${merchant} = $1 and id > $2 and ${address} ~ '^[A-Za-z]+:[/\\]*[^/\\?#]*@' and ${address} !~ '^https?://sealed:'
     order by id limit $3`,
  )

const writing = ({ name, table, merchant, address, write }: Place) =>
  sql<{ id: string }, readonly [merchantId: string, id: string, clear: string, sealed: string]>(
    `clear-address.seal-${name}`,
    `update ${table} set ${write} where ${merchant} = $1 and id = $2 and ${address} = $3 returning id`,
  )

const forgetWholeAddresses = sql<Record<never, never>, readonly []>(
  'callback-url.forget-whole',
  `delete from callback_urls where url <> ${addressKeyOf('url')}`,
)
