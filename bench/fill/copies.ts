/**
 * Copies sample payments, which the gateway itself has made, under the numbers of a history. See decisions/tests#filled-instances.
 *
 * Every column of every row is that of the sample, unless it is named here or has a type of time: times move with the payment. A column that
 * a later release adds is therefore copied too. Amounts that moved become the amount of the copy.
 */
import type { Pool, PoolClient } from '#server/store/database/pool.ts'
import { inTransaction } from '#server/store/database/transaction.ts'
import { monthTables } from '#server/store/months/month-tables.ts'
import { amountText, factsOf, isOfTheMost, lastFourText, merchantOf } from '../search/search-payments.ts'
import type { History } from './history.ts'
import { tableColumns } from './table-columns.ts'

interface Cast {
  /** The merchant with two of three payments: the one that will pay during measurements. */
  readonly most: string
  /** The second one is rare. */
  readonly mids: readonly [string, string]
}

/** By what they became; each is the end of a sample's order. */
export const sampleNames = ['settled', 'declined', 'refunded', 'voided'] as const
export type SampleName = (typeof sampleNames)[number]

export const sampleOrder = (name: SampleName): string => `SAMPLE-${name}`

/** Every merchant has seen the same few; what a payment shows of its card is varied, as the search looks for that. */
export const cards = 37

const sampleOf = (own: string): string =>
  `case when n % 31 = 7 then 'refunded' when ${own} and n % 8 = 2 then 'voided' when n % 4 = 1 then 'declined' else 'settled' end`
const currencyOf = (own: string): string =>
  `case when n % 31 = 11 then 'JPY' when ${own} then 'GBP' when n % 3 = 0 then 'USD' else 'EUR' end`

export const cardOf = (last: string): string => `md5('card ' || ${last})::uuid`

type Own = Readonly<Record<string, string>>

const relocate = (column: string): string => `case when original.${column} > 0 then copies.amount else 0 end`
/** As many digits as the sandbox writes; a payment's second transaction has its own. */
const numberOf = 'copies.n * 2 + original.place'
const reference = `case when original.reference is not null then 'SBX' || lpad((${numberOf})::text, 12, '0') end`
const digits = (key: string, value: string): string => `'${key}', case when original.facts ? '${key}' then ${value} end`
const acquirerFacts = [
  digits('arn', `'24000006' || lpad((${numberOf})::text, 15, '0')`),
  digits('rrn', `lpad((${numberOf})::text, 12, '0')`),
  digits('approvalCode', `lpad(((${numberOf}) * 7919 % 1000000)::text, 6, '0')`),
].join(', ')
const lastFour = lastFourText.replaceAll(/\bn\b/g, 'copies.n')

const ownColumns = ({ most, mids }: Cast): Readonly<Record<string, Own>> => {
  const facts = factsOf(isOfTheMost(most)).replaceAll(/\bn\b/g, 'copies.n')
  const mid = `case when copies.n % 31 = 13 then '${mids[1]}'::uuid else '${mids[0]}'::uuid end`
  const payment = { merchant_id: 'copies.merchant_id', payment_id: 'copies.id' }
  return {
    payments: {
      merchant_id: 'copies.merchant_id',
      id: 'copies.id',
      test: 'copies.n % 31 = 9',
      order_id: `'ORDER-' || copies.n`,
      amount_minor: 'copies.amount',
      amount_decimals: `case copies.currency when 'JPY' then 0 else 2 end`,
      currency: 'copies.currency',
      authorised_minor: relocate('authorised_minor'),
      captured_minor: relocate('captured_minor'),
      refunded_minor: relocate('refunded_minor'),
      mid_id: mid,
      card_id: cardOf(`copies.n % ${cards}`),
      pan10: `'411111' || ${lastFour}`,
      card_mask: `'411111******' || ${lastFour}`,
      payer_email: `'payer' || copies.n / 3 || '@example.com'`,
      payer_ip: `'203.0.113.' || copies.n % 31`,
      payer: `original.payer || jsonb_build_object('country', 'DE', 'first_name', 'Ann', 'last_name', 'Name' || copies.n)`,
      decline_reason: `case when original.decline_reason is not null then 'Do not honor' end`,
      facts: `original.facts || jsonb_strip_nulls(jsonb_build_object(${facts}))`,
      first_transaction: 'copies.transaction_1',
      reference,
    },
    transactions: {
      ...payment,
      id: `case original.place when 1 then copies.transaction_1 else copies.transaction_2 end`,
      amount_minor: relocate('amount_minor'),
      mid_id: mid,
      reference,
      facts: `original.facts || jsonb_strip_nulls(jsonb_build_object(${acquirerFacts}))`,
    },
    ledger_entries: {
      ...payment,
      transaction_id: `case original.place when 1 then copies.transaction_1 else copies.transaction_2 end`,
      currency: 'copies.currency',
      amount_minor: 'copies.amount',
    },
    callbacks: {
      ...payment,
      id: `case original.place when 1 then copies.callback_1 else copies.callback_2 end`,
      transaction_id: `case original.transaction_place when 1 then copies.transaction_1 else copies.transaction_2 end`,
      body: `replace(replace(original.body, original.payment_id::text, copies.id::text), 'SAMPLE-' || original.sample, 'ORDER-' || copies.n)`,
      written_in: 'pg_current_xact_id()',
    },
    callback_attempts: {
      merchant_id: 'copies.merchant_id',
      callback_id: `case original.place when 1 then copies.callback_1 else copies.callback_2 end`,
    },
  }
}

const placeOf = (column: string): string => `dense_rank() over (partition by p.id order by ${column})`
const ofSample = `substr(p.order_id, length('SAMPLE-') + 1) as sample, p.created_at as since`
const samples = `from payments p join transactions t on t.merchant_id = p.merchant_id and t.payment_id = p.id`
const isSample = `p.order_id like 'SAMPLE-%'`
const placed = `(select p.id as payment, t.id, ${placeOf('t.id')} as place ${samples} where ${isSample}) placed`

type ColumnsOf = (alias: string) => string

/** `place` is the position of the row's transaction or callback in its payment. */
const sampleTexts: Readonly<Record<string, (columns: ColumnsOf) => string>> = {
  payments: (columns) => `select ${columns('p')}, 1 as place, ${ofSample} from payments p where ${isSample}`,
  transactions: (columns) =>
    `select ${columns('t')}, ${placeOf('t.id')} as place, ${ofSample} ${samples} where ${isSample}`,
  ledger_entries: (columns) => `select ${columns('e')}, placed.place, ${ofSample} from payments p
    join ledger_entries e on e.merchant_id = p.merchant_id and e.payment_id = p.id join ${placed} on placed.id = e.transaction_id where ${isSample}`,
  callbacks: (
    columns,
  ) => `select ${columns('c')}, ${placeOf('c.sequence')} as place, placed.place as transaction_place, ${ofSample} from payments p
    join callbacks c on c.merchant_id = p.merchant_id and c.payment_id = p.id join ${placed} on placed.id = c.transaction_id where ${isSample}`,
  callback_attempts: (
    columns,
  ) => `select ${columns('a')}, ranked.place, ranked.sample, ranked.since from callback_attempts a join (
    select c.merchant_id, c.id, ${placeOf('c.sequence')} as place, ${ofSample} from payments p
    join callbacks c on c.merchant_id = p.merchant_id and c.payment_id = p.id where ${isSample}) ranked
    on ranked.merchant_id = a.merchant_id and ranked.id = a.callback_id`,
}

const tables = monthTables.map(({ table }) => table)

/** Puts the samples aside, because the part in which they are is taken off while it is filled. A fill that was killed has done so. */
export async function keepSamples(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query("select 1 from pg_namespace where nspname = 'samples'")
    if (rowCount !== 0) return
    await client.query('create schema samples')
    for (const table of tables) {
      const names = (await tableColumns(client, table)).map(({ name }) => name)
      const columns = (alias: string): string => names.map((name) => `${alias}.${name}`).join(', ')
      await client.query(`create table samples.${table} as ${sampleTexts[table]?.(columns)}`)
      await client.query(`analyze samples.${table}`)
    }
  })
}

export const dropSamples = (pool: Pool): Promise<unknown> => pool.query('drop schema if exists samples cascade')

interface Chunk {
  readonly from: number
  /** Not included. */
  readonly to: number
  /** The name of a table's part. */
  readonly partOf: (table: string) => string
}

type CopyChunk = (chunk: Chunk) => Promise<void>

/** Returns what copies the samples into parts for a range of numbers. */
export async function copier(client: PoolClient, history: History, cast: Cast): Promise<CopyChunk> {
  const own = ownColumns(cast)
  const selections = new Map<string, { readonly columns: string; readonly values: string }>()
  for (const table of tables) selections.set(table, await selectionOf(client, table, own[table] ?? {}))
  return async ({ from, to, partOf }) => {
    await client.query(copiesText(history, cast, { from, to }))
    for (const [table, { columns, values }] of selections)
      await client.query(
        `insert into ${partOf(table)} (${columns}) select ${values}
         from copies join samples.${table} original on original.sample = copies.sample`,
      )
    await client.query('drop table copies')
  }
}

async function selectionOf(client: PoolClient, table: string, own: Own) {
  const rows = await tableColumns(client, table)
  return {
    columns: rows.map(({ name }) => name).join(', '),
    values: rows.map(({ name, type }) => own[name] ?? copiedValue(name, type)).join(', '),
  }
}

function copiedValue(name: string, type: string): string {
  if (type === 'timestamp with time zone') return `copies.at + (original.${name} - original.since)`
  if (type === 'date') return `copies.at::date + (original.${name} - original.since::date)`
  return `original.${name}`
}

/** The digits after the time keep identifiers of one moment apart by the digit of their variant, from 8 to b. */
const identifier = (variant: string): string =>
  `(head || '7' || substr(digest, 1, 3) || '${variant}' || substr(digest, 4, 15))::uuid`

const copiesText = (
  { firstMs, stepMs }: History,
  { most }: Cast,
  { from, to }: { from: number; to: number },
): string => {
  const own = isOfTheMost(most)
  return `create temporary table copies as
    select n, digest, sample, merchant_id, currency, amount, at, ${identifier('8')} as id,
      ${identifier('9')} as transaction_1, ${identifier('a')} as transaction_2, ${identifier('9')} as callback_1, ${identifier('a')} as callback_2
    from (
      select n, md5(n::text) as digest, lpad(to_hex(${firstMs} + n * ${stepMs}), 12, '0') as head, ${sampleOf(own)} as sample,
        ${merchantOf(most)} as merchant_id, ${currencyOf(own)} as currency, ${amountText}::numeric as amount,
        to_timestamp((${firstMs} + n * ${stepMs}) / 1000.0) as at
      from generate_series(${from}::bigint, ${to - 1}::bigint) as n offset 0
    ) numbered`
}
