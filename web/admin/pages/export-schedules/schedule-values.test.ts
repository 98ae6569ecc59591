import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, filterIn, newSchedule, type Schedule, valuesOf } from './schedule-values.ts'

const names = { payments: ['id', 'amount', 'currency'], transactions: ['id', 'type'] }
const schedule: Schedule = {
  id: '0198f7a1-5a0e-7c3e-9d55-0242ac1f0007',
  name: 'Daily',
  ownerEmail: 'ann@example.com',
  kind: 'payments',
  filter: { status: 'SETTLED', network: 'visa' },
  columns: ['id', 'amount'],
  period: 'week',
  timeZone: 'Europe/Berlin',
  minuteOfDay: 450,
  targetKind: 'mail',
  addresses: ['a@example.com', 'b@example.com'],
  shownTarget: 'a@example.com, b@example.com',
  pausedAt: null,
  pauseReason: null,
  nextAt: '2026-03-02T06:30:00.000Z',
  lastState: null,
}

test('a schedule that is opened and saved is the same', () => {
  const { name, kind, filter, columns, period, timeZone, minuteOfDay, addresses } = schedule
  assert.deepEqual(bodyOf(valuesOf(schedule, names), names), {
    name,
    kind,
    filter,
    columns,
    period,
    timeZone,
    minuteOfDay,
    target: { kind: 'mail', addresses },
  })
})

test('no chosen column means all, and columns of the other kind are left out', () => {
  const values = newSchedule(null, 'live')
  assert.deepEqual(bodyOf(values, names).columns, names.payments)
  assert.deepEqual(bodyOf({ ...values, kind: 'transactions', columns: ['id', 'amount'] }, names).columns, ['id'])
  assert.deepEqual(valuesOf({ ...schedule, columns: names.payments }, names).columns, [])
})

test('an address that was not entered again is kept', () => {
  const values = { ...newSchedule(null, 'live'), targetKind: 'https' as const }
  assert.deepEqual(bodyOf(values, names).target, { kind: 'https' })
  assert.deepEqual(bodyOf({ ...values, url: ' https://a.example ' }, names).target, {
    kind: 'https',
    url: 'https://a.example',
  })
})

test('a new schedule has the filter of the search, or the payments of the selected mode', () => {
  assert.deepEqual(bodyOf(newSchedule(null, 'test'), names).filter, { test: 'true' })
  const filter = filterIn('{"status":"SETTLED","bin":"411111","test":"false"}')
  assert.deepEqual(bodyOf(newSchedule(filter, 'test'), names).filter, {
    bin: '411111',
    status: 'SETTLED',
    test: 'false',
  })
  assert.deepEqual(bodyOf(newSchedule(filterIn('{}'), 'live'), names).filter, {}, 'both modes')
  assert.equal(filterIn('blank'), null)
})
