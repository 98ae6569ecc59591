/**
 * The lean floor: the least that a gateway has to write for a payment. One row of the intent, its outcome as an update of that row, the
 * ledger and one callback, with primary keys and no other index. What the gateway writes beyond that (transactions, cards, claims, and
 * the indexes of the panel's search) is the difference to the floor.
 *
 * The contents are those of the recorded SALE, so that rows have its size.
 */
import { textOfValue } from './pgbench-script.ts'
import type { SaleStatements, Statement } from './statements.ts'

export const leanSchema = `
  create table payments (
    id uuid primary key, merchant_id uuid not null, state text not null, version int not null, facts text not null,
    created_at timestamptz not null, updated_at timestamptz
  );
  create table ledger_entries (
    payment_id uuid not null, position int not null, from_account text not null, to_account text not null, currency text not null,
    amount_minor numeric not null, at timestamptz not null, primary key (payment_id, position)
  );
  create table callbacks (
    id uuid primary key, payment_id uuid not null, url text not null, body text not null, state text not null,
    next_at timestamptz not null
  );
  -- The server plans for tables with rows, as it does for the gateway's after the warm-up.
  insert into payments (id, merchant_id, state, version, facts, created_at)
  select gen_random_uuid(), gen_random_uuid(), 'settled', 2, repeat('x', 1000), now() from generate_series(1, 2000);
  analyze`

const intent = `insert into payments (id, merchant_id, state, version, facts, created_at) values ($1, $2, 'sent', 1, $3, $4)`

const outcome = `with changed as (
     update payments set state = 'settled', version = version + 1, updated_at = $2 where id = $1 and version = 1 returning id
   ), entries as (
     insert into ledger_entries (payment_id, position, from_account, to_account, currency, amount_minor, at)
     select changed.id, entry.position, entry.from_account, entry.to_account, $3, entry.amount, $2
     from changed, unnest($4::text[], $5::text[], $6::numeric[]) with ordinality as entry (from_account, to_account, amount, position)
   ), callback as (
     insert into callbacks (id, payment_id, url, body, state, next_at) select $7, changed.id, $8, $9, 'due', $2 from changed
   )
   select id from changed`

const payment = 0
const callback = 1
const merchant = '01900000-0000-7000-8000-000000000001'

export function leanStatements({ statements }: SaleStatements): SaleStatements {
  const [opening, settling] = [statements.at(0), statements.at(-1)]
  const [from = [], to = [], amounts = []] = settling?.values.filter((value) => Array.isArray(value)) ?? []
  const texts = settling?.values.filter((value) => typeof value === 'string') ?? []
  const url = texts.find((text) => text.startsWith('http')) ?? ''
  const [body = ''] = texts.toSorted((a, b) => b.length - a.length)
  const at = '2026-01-01T00:00:00.000Z'
  return {
    statements: [
      statement('lean.open', intent, [null, merchant, opening?.values.map(textOfValue).join(' '), at], [[0, payment]]),
      statement(
        'lean.settle',
        outcome,
        [null, at, 'EUR', from, to, amounts, null, url, body],
        [
          [0, payment],
          [6, callback],
        ],
      ),
    ],
    identifiers: 2,
  }
}

const statement = (name: string, text: string, values: readonly unknown[], fresh: Statement['fresh']): Statement => ({
  name,
  text,
  values,
  fresh,
})
