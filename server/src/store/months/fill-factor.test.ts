/** A callback that is claimed stays on the page on which it was written. See decisions/callbacks#room-on-pages. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertCallback, insertPayment, madeAt } from '../../../test/callbacks/callback-rows.ts'
import { testDatabase } from '../../../test/database.ts'
import { callbackRows } from '../callbacks/callbacks.ts'
import { prepareMonths } from './prepare.ts'

const database = await testDatabase()
after(() => database.drop())

const pagesOf = async (): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await database.pool.query<{ id: string; page: string }>(
    `select id, tableoid::regclass::text || ' ' || (ctid::text::point)[0] as page from callbacks`,
  )
  return new Map(rows.map(({ id, page }) => [id, page]))
}

test('parts of coming months have the settings of the first', async () => {
  const prepared = await prepareMonths(database.pool, new Date('2027-01-05T00:00:00Z'))
  assert.equal(prepared?.made.length, 2)
  const { rows } = await database.pool.query<{ options: string | null }>(
    `select array_to_string(reloptions, ' ') as options from pg_class join pg_inherits on inhrelid = oid where inhparent = 'callbacks'::regclass`,
  )
  assert.deepEqual(
    rows.map(({ options }) => options),
    Array(3).fill('fillfactor=50 autovacuum_analyze_scale_factor=0.5'),
  )
})

test('claims of callbacks stay on the pages of their rows, so that no index changes', async () => {
  for (let count = 0; count < 24; count += 1)
    await insertCallback(database.pool, await insertPayment(database.pool), {
      url: 'https://shop.example/notify',
      body: 'x'.repeat(500),
    })
  const before = await pagesOf()
  assert.equal((await callbackRows(database.pool).claim(madeAt, 24, 60)).length, 24)
  assert.deepEqual(await pagesOf(), before)
  assert.ok(new Set(before.values()).size > 1, 'several pages were filled')
})
