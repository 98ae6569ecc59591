/** The check of changes finds each thing that Citus refuses, also behind operators and casts. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { changeReader } from './changes.ts'

let database: TestDatabase
let faultsIn: (text: string) => Promise<readonly string[]>
before(async () => {
  database = await testDatabase()
  faultsIn = await changeReader(database.pool)
})
after(() => database.drop())

// biome-ignore format: a table is read in columns.
const refused: readonly (readonly [text: string, faults: readonly string[]])[] = [
  [`update payments set payer = case when payer ? 'country' then jsonb_build_object('country', payer->'country') else '{}' end where merchant_id = $1`,
                                                                              ['jsonb_build_object in case or coalesce in the values: update']],
  [`update payments set erased_at = coalesce(erased_at, now()) where merchant_id = $1`, ['now in case or coalesce in the values: update']],
  [`update payments set erased_at = clock_timestamp() where merchant_id = $1`,          ['the volatile clock_timestamp in the values: update']],
  [`update payments set erased_at = created_at + interval '1 day' where merchant_id = $1`,
                                                                              ['the stable timestamptz_pl_interval of a column in the values: update']],
  [`update payments set custom_data = to_jsonb(created_at::text) where merchant_id = $1`, ['the stable to_jsonb of a column in the values: update']],
  [`delete from sessions where merchant_id = $1 and expires_at < current_date`,         ['the stable timestamptz_lt_date of a column in the condition: delete']],
  [`delete from sessions where merchant_id = $1 returning now()`,                       ['now in returning: delete']],
  [`insert into payment_tags as t (merchant_id, payment_id, tag, author, tagged_at) values ($1, $2, 'x', 'y', $3)
    on conflict (merchant_id, payment_id, tag) do update set tagged_at = statement_timestamp() where t.tagged_at < now()`,
                                                                              ['statement_timestamp in on conflict: insert', 'now in on conflict: insert']],
  [`with gone as (delete from sessions where merchant_id = $1 returning created_at::text) select * from gone`,
                                                                              ['timestamptz_out in returning: delete']],
]

test('a change with what Citus refuses is found', async () => {
  for (const [text, faults] of refused) assert.deepEqual(await faultsIn(text), faults, text)
})

// biome-ignore format: a table is read in columns.
const allowed = [
  `update payments set erased_at = statement_timestamp(), payer = jsonb_set('{}', '{country}', payer->'country') where merchant_id = $1`,
  `delete from sessions where merchant_id = $1 and expires_at < now() - interval '1 day'`,
  `insert into payment_tags (merchant_id, payment_id, tag, author, tagged_at) values ($1, $2, 'x', 'y', clock_timestamp())`,
  `update merchants set created_at = clock_timestamp() where id = $1`,
  `select jsonb_build_object('at', created_at) from payments where merchant_id = $1`,
]

test('what a coordinator computes once, tables of the coordinator and reads are not found', async () => {
  for (const text of allowed) assert.deepEqual(await faultsIn(text), [], text)
})
