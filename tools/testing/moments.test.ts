/** A process of its own for each moment, as a batch of tests has. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { machineMs } from '#server/process/clock.ts'
import { environmentAt, moments } from './moments.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Prints the times of the process, of a program that it starts, of a database and of a row's default. */
const program = `
  import { spawnSync } from 'node:child_process'
  import { testDatabase } from './server/test/database.ts'
  const { pool, drop } = await testDatabase()
  const { rows } = await pool.query('select now() as now, clock_timestamp() as clock, statement_timestamp() as statement')
  const { rows: files } = await pool.query("select max(applied_at) as migrated from schema_migrations")
  const child = spawnSync(process.execPath, ['-p', 'Date.now()'], { encoding: 'utf8' })
  const times = [new Date(), Date.now(), Date(), Number(child.stdout), ...Object.values(rows[0]), files[0].migrated]
  await drop()
  console.log(JSON.stringify({ times: times.map((time) => +new Date(time)), minutes: new Date().getTimezoneOffset() }))
`

/** A run may be busy: the process may begin this much later. */
const startsWithinMs = 300_000

/** The first of each zone: the way is the same for all. */
const samples = [...Map.groupBy(moments, ({ zone }) => zone).values()].flatMap(([first]) => first ?? [])

for (const moment of samples)
  test(`at ${moment.name} every clock of a test shows that moment`, () => {
    const { GATEHOUSE_TEST_RUN: _, NODE_TEST_CONTEXT: __, ...inherited } = process.env
    const env = { ...inherited, ...environmentAt(moment, machineMs()) }
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      env,
      encoding: 'utf8',
    })
    assert.equal(ran.status, 0, ran.stderr)
    const { times, minutes }: { times: readonly number[]; minutes: number } = JSON.parse(ran.stdout)
    const begin = Date.parse(moment.at)
    const [migrated, ...clocks] = times.toReversed()
    for (const time of clocks) assert.ok(time >= begin - 1000 && time < begin + startsWithinMs, ran.stdout)
    // The template may be older than this process, and is shifted nevertheless.
    assert.ok(migrated !== undefined && migrated > Date.parse('2027-01-01'), ran.stdout)
    assert.equal(moment.zone === 'UTC', minutes === 0)
  })
