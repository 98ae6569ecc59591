/** How often the server analyses the tables of payments, and of which columns it keeps no statistics. See decisions/months#analysis. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { prepareMonths } from './prepare.ts'

const database = await testDatabase()
after(() => database.drop())

test('parts of coming months are analysed as rarely as the first one, and as few of their columns', async () => {
  const prepared = await prepareMonths(database.pool, new Date('2027-01-05T00:00:00Z'))
  assert.equal(prepared?.made.length, 2)
  const { rows } = await database.pool.query<{ table: string; fraction: string | null; unanalysed: string | null }>(
    `select inhparent::regclass::text as table,
       (select option_value from pg_options_to_table(reloptions) where option_name = 'autovacuum_analyze_scale_factor') as fraction,
       (select string_agg(attname, ' ') from pg_attribute where attrelid = inhrelid and attstattarget = 0) as unanalysed
     from pg_inherits join pg_class part on part.oid = inhrelid
     where inhparent in ('payments'::regclass, 'transactions'::regclass, 'callbacks'::regclass)`,
  )
  const ofTable = (name: string) => rows.filter(({ table }) => table === name)
  const [payments, transactions, callbacks] = ['payments', 'transactions', 'callbacks'].map(ofTable)
  assert.deepEqual(payments, Array(3).fill({ table: 'payments', fraction: '0.5', unanalysed: 'routing' }))
  assert.deepEqual(transactions, Array(3).fill({ table: 'transactions', fraction: '0.5', unanalysed: 'facts' }))
  assert.deepEqual(callbacks, Array(3).fill({ table: 'callbacks', fraction: '0.5', unanalysed: null }))
})
