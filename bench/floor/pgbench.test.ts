import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../../tools/command-line.ts'
import { connectionVariables, drivenBy, findPgbench } from './pgbench.ts'

const report = `transaction type: -
number of transactions actually processed: 9000
number of failed transactions: 0 (0.000%)
latency average = 16.000 ms
tps = 1000.000000 (without initial connection time)
`
const progress = `pgbench (15.4)
progress: 1.0 s, 800.0 tps, lat 19.4 ms stddev 8.1, 0 failed
progress: 2.0 s, 1025.0 tps, lat 15.5 ms stddev 4.0, 0 failed
`

test('the first line, in which statements are prepared, is not measured', () => {
  assert.deepEqual(drivenBy(report, progress, 4.5), { payments: 1025, warmUp: 7975, seconds: 1, cpuSeconds: 0.5125 })
})

test('lines that come late count for the time that they cover', () => {
  const late =
    'progress: 2.5 s, 100.0 tps, lat 1 ms\nprogress: 4.5 s, 600.0 tps, lat 1 ms\nprogress: 5.0 s, 400.0 tps, lat 1 ms\n'
  assert.deepEqual(drivenBy(report, late, 9), { payments: 1400, warmUp: 7600, seconds: 2.5, cpuSeconds: 1.4 })
})

test('a run with a single line of progress counts as a whole', () => {
  const whole = { payments: 9000, warmUp: 0, seconds: 9, cpuSeconds: 4.5 }
  assert.deepEqual(drivenBy(report, 'progress: 9.2 s, 978.0 tps, lat 1 ms\n', 4.5), whole)
})

test('a report without figures is an error and not a speed of nothing', () => {
  assert.throws(() => drivenBy('', progress, 1), /^Error: pgbench reported no figures/)
})

test('the address of the database reaches pgbench in its environment', () => {
  const common = { PGAPPNAME: 'floor', PGOPTIONS: '-c plan_cache_mode=force_generic_plan' }
  assert.deepEqual(connectionVariables('postgres://gatehouse:se%2Fcret@/lean?host=%2Ftmp%2Fgh'), {
    ...common,
    PGUSER: 'gatehouse',
    PGPASSWORD: 'se/cret',
    PGHOST: '/tmp/gh',
    PGDATABASE: 'lean',
  })
  assert.deepEqual(connectionVariables('postgres://u@db.example:5433/gatehouse'), {
    ...common,
    PGUSER: 'u',
    PGHOST: 'db.example',
    PGPORT: '5433',
    PGDATABASE: 'gatehouse',
  })
})

test('a named program that does not exist is a wrong command line', () => {
  assert.throws(() => findPgbench('/nowhere/pgbench'), new UsageError('--pgbench: /nowhere/pgbench is not a program.'))
  assert.equal(findPgbench(process.execPath), process.execPath)
})
