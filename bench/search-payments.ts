/**
 * Payments by the hundred thousand, for measurements of the search: made by the database itself, without a gateway.
 *
 * Everything follows from a payment's number, so that a filter's value is known without looking for it. Of two hundred merchants one
 * has two of three payments, another one in five, and the others few each; what is rare has one in 31. The numbers that decide have no
 * factor in common, so that every merchant has every value, as often as all have it; but for what one alone has, which the others
 * must not find slowly.
 */
import type { Pool, PoolClient } from '#server/store/database/pool.ts'

/** The time over which they are spread, and when it begins. */
const firstMoment = Date.parse('2026-01-01T00:00:00Z')
const stepMs = 1000

const merchantNumbered = (number: number): string => `00000000-0000-4000-8000-${number.toString().padStart(12, '0')}`

// biome-ignore format: a table is read in columns.
export const merchants = {
  // has of all payments
  most:       merchantNumbered(1), // two of three
  fifth:      merchantNumbered(2), // one in five
  hundredth:  merchantNumbered(3), // one in 120
  small:      merchantNumbered(4), // some hundred of the first, and one in 1200 since: a first page is full before and after
} as const
const firstOfTail = 5
const tail = 199

const merchantOf = `case when n % 5 = 0 then '${merchants.fifth}' when n % 997 = 11 or n < 10000 and n % 11 = 4 then '${merchants.small}'
  when n % 101 = 3 then '${merchants.hundredth}'
  when n % 11 = 2 then '00000000-0000-4000-8000-' || lpad((${firstOfTail} + n / 11 % ${tail})::text, 12, '0')
  else '${merchants.most}' end::uuid`

export const mids = ['00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000a2'] as const

const rowsAtOnce = 50_000

/** The search of several merchants goes by their table. */
export async function addMerchants(pool: Pool): Promise<void> {
  await pool.query(
    `insert into merchants (id, name, title, key, test_key, password_sealed, webhook_secrets_sealed, created_at)
     select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'merchant-' || n, 'Merchant', gen_random_uuid(), gen_random_uuid(), '', '', $2
     from generate_series(1, $1::int) as n`,
    [firstOfTail + tail - 1, new Date(firstMoment)],
  )
  await pool.query('vacuum analyze merchants')
}

/** Indexes are made behind them: kept up row by row they would take most of the time. */
export async function addPayments(pool: Pool, payments: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const definitions = await dropIndexes(client)
    for (let first = 0; first < payments; first += rowsAtOnce)
      await client.query(insertion, [first, Math.min(first + rowsAtOnce, payments) - 1])
    for (const definition of definitions) await client.query(definition)
    await client.query('vacuum analyze payments')
  } finally {
    client.release(true)
  }
}

async function dropIndexes(client: PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'payments'::regclass and not i.indisprimary`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** A time-ordered identifier of version 7 that follows from the number. */
const idOf = `(lpad(to_hex(${firstMoment} + n * ${stepMs}), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid`

/** What no other merchant has. */
const ofTheMost = `(n % 3 = 1 and ${merchantOf} = '${merchants.most}')`

const facts = `jsonb_strip_nulls(jsonb_build_object(
  'network', case n % 3 when 0 then 'mastercard' else 'visa' end,
  'threeDs', case when n % 3 = 0 then jsonb_build_object('threeDSServerTransID', 'server-' || n, 'dsTransID', 'ds-' || n, 'acsTransID', 'acs-' || n,
    'xid', 'xid-' || n, 'transStatus', case n % 31 when 0 then 'U' else 'Y' end, 'authenticationFlow', case n % 2 when 0 then 'challenge' else 'frictionless' end) end,
  'wallet', case when n % 7 = 1 then jsonb_build_object('name', case when ${ofTheMost} then 'walletcpay' when n % 4 = 1 then 'walletbpay' else 'walletapay' end,
    'panType', case n % 4 when 2 then 'FPAN' else 'DPAN' end) end,
  'brand', case when n % 7 = 2 then jsonb_build_object('code', case when ${ofTheMost} then 'own-brand' when n % 4 = 2 then 'rare-brand' else 'usual-brand' end) end,
  'storedCredential', case when n % 7 = 3 then jsonb_build_object('initiator', case n % 4 when 3 then 'merchant' else 'cardholder' end,
    'sequence', case n % 4 when 3 then 'subsequent' else 'initial' end, 'source', case n % 4 when 1 then 'schedule' else 'recurring' end) end,
  'notes', repeat('x', 300)))`

const insertion = `insert into payments (merchant_id, id, protocol, action, kind, status, test, holds, order_id, order_description,
    amount_minor, amount_decimals, currency, authorised_minor, captured_minor, mid_id, card_mask, payer_email, payer, facts,
    first_transaction, created_at, updated_at)
  select ${merchantOf}, ${idOf}, 'S2S_CARD', 'SALE', 'sale',
    case when n % 31 = 7 then 'CHARGEBACK' when ${ofTheMost} then 'VOID' when n % 4 = 1 then 'DECLINED' else 'SETTLED' end,
    n % 31 = 9, false, 'ORDER-' || n, 'An order', 100 + n % 37 * 100, 2,
    case when n % 31 = 11 then 'JPY' when ${ofTheMost} then 'GBP' when n % 3 = 0 then 'USD' else 'EUR' end, 0, 0,
    case when n % 31 = 13 then '${mids[1]}'::uuid else '${mids[0]}'::uuid end,
    '411111******' || lpad((n % 37)::text, 4, '0'), 'payer' || n / 3 || '@example.com', '{"country":"DE"}', ${facts},
    ${idOf}, to_timestamp((${firstMoment} + n::bigint * ${stepMs}) / 1000.0), to_timestamp((${firstMoment} + n::bigint * ${stepMs}) / 1000.0)
  from generate_series($1::bigint, $2::bigint) as n`

export const momentOf = (number: number): Date => new Date(firstMoment + number * stepMs)
