/** Limits of earlier releases had no currency; the migration keeps them in one that is known, and refuses otherwise. Chapter 70 §2. */
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { emptyTestDatabase } from '../../../test/database.ts'
import { migrate } from '../database/migrate.ts'
import { merchantMappingStore, midStore } from './mids.ts'

const migrations = new URL('../migrations/', import.meta.url)
const folder = await mkdtemp(join(tmpdir(), 'limits-'))
const database = await emptyTestDatabase()
const { pool } = database
after(async () => {
  await rm(folder, { recursive: true, force: true })
  await database.drop()
})

interface OldLimits {
  readonly day: number | null
  readonly longer: number | null
}

/** The schema of the release before limits had a currency, with limits of every kind. */
before(async () => {
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort()
  const earlier = files.slice(
    0,
    files.findIndex((file) => file.endsWith('_limits_by_currency.sql')),
  )
  for (const file of earlier) await copyFile(new URL(file, migrations), join(folder, file))
  await migrate(pool, { directory: pathToFileURL(`${folder}/`) })
  const id = (last: number): string => `00000000-0000-4000-8000-00000000000${last}`
  const addMid = (last: number, name: string, currencies: readonly string[], limits: OldLimits) =>
    pool.query(
      `insert into mids (id, name, connector, credentials_sealed, side, currencies, day_limit_minor, month_limit_minor, created_at)
       values ($1, $2, 'sandbox', '', 'live', $3, $4, $5, now())`,
      [id(last), name, currencies, limits.day, limits.longer],
    )
  await addMid(1, 'any', [], { day: 10000, longer: null })
  await addMid(2, 'yen', ['JPY'], { day: null, longer: 70000 })
  await addMid(3, 'free', ['EUR', 'USD'], { day: null, longer: null })
  await addMid(4, 'mapped', ['EUR', 'USD'], { day: null, longer: null })
  await pool.query('alter table merchant_mappings drop constraint merchant_mappings_merchant_id_fkey')
  const addMapping = (last: number, mid: number, day: number | null, week: number | null) =>
    pool.query(
      'insert into merchant_mappings (merchant_id, id, mid_id, day_limit_minor, week_limit_minor) values ($1, $1, $2, $3, $4)',
      [id(last), id(mid), day, week],
    )
  await addMapping(5, 2, 500, null)
  await addMapping(6, 4, null, 900)
})

test('limits whose currency nobody has named are refused, and the MIDs are named', async () => {
  await assert.rejects(migrate(pool), (error: Error) => {
    assert.match(error.message, /have none: any, mapped\. Set LIMITS_CURRENCY/)
    return true
  })
  const { rows } = await pool.query("select to_regclass('limit_sums') as made")
  assert.deepEqual(rows, [{ made: null }])
})

test('a limit is kept in the only currency of its MID, otherwise in the one that was named', async () => {
  await migrate(pool, { limitsCurrency: 'EUR' })
  const mids = await midStore(pool).list()
  assert.deepEqual(
    mids.map(({ name, dayLimit, monthLimit }) => [name, dayLimit.amounts, monthLimit.amounts]),
    [
      ['any', { EUR: 10000n }, {}],
      ['free', {}, {}],
      ['mapped', {}, {}],
      ['yen', {}, { JPY: 70000n }],
    ],
  )
  const mappings = (await merchantMappingStore(pool).list()).map(({ dayLimit, weekLimit }) => [
    dayLimit.amounts,
    weekLimit.amounts,
  ])
  assert.deepEqual(mappings, [
    [{ JPY: 500n }, {}],
    [{}, { EUR: 900n }],
  ])
})
