import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMet } from '../figure-table.ts'
import type { LoadResult } from '../load.ts'
import { AddressReceiver, isHanging, orderIn } from './address-receiver.ts'
import { callbackFiguresOf } from './callbacks.ts'
import { faultOf, type PlanRecord } from './plan-record.ts'
import { planFiguresOf } from './plans.ts'

const record: PlanRecord = {
  plans: 2,
  payments: new Map([
    ['payment-1', 'plan-1'],
    ['payment-2', 'plan-2'],
  ]),
  executed: ['payment-1', 'a sale beside them', 'payment-2'],
  settled: 3,
  received: 3,
}

test('plans that were charged once by all three records are no fault', () => {
  assert.equal(faultOf(record), null)
})

const faults: readonly (readonly [string, Partial<PlanRecord>, RegExp])[] = [
  ['a plan without a payment', { payments: new Map([['payment-1', 'plan-1']]) }, /^1 of 2 plans/],
  ['a plan with two payments', { payments: new Map([...record.payments, ['payment-3', 'plan-1']]) }, /^3 payments/],
  ['a charge that the acquirer lacks', { executed: ['payment-1'] }, /^The acquirer executed 1 charges of 1 plans/],
  ['a charge executed twice', { executed: ['payment-1', 'payment-1', 'payment-2'] }, /3 charges of 2 plans/],
  ['one for another', { executed: ['payment-1', 'payment-1'] }, /2 charges of 1 plans/],
  ['a callback that is missing', { received: 2 }, /^3 payments were settled, and the merchant received 2 callbacks/],
]
for (const [what, changes, sentence] of faults)
  test(`${what} makes a run of plans void`, () => {
    assert.match(faultOf({ ...record, ...changes }) ?? '', sentence)
  })

const load = (requests: number, seconds: number, latencies: readonly number[]): LoadResult => ({
  requests,
  seconds,
  perSecond: requests / seconds,
  failures: 0,
  firstFailure: null,
  latencies: Float64Array.from(latencies),
})

test('the goals of plans are their time for a hundred thousand, and the share of payments beside them', () => {
  const alone = [load(1000, 10, [10, 12]), load(1000, 10, [11, 13])]
  const met = planFiguresOf({ plans: 5000, fired: 30, alone, during: [load(160, 2, [20])], backlog: 1 })
  assert.deepEqual(
    met.map((figure) => [figure.name, figure.value, isMet(figure)]),
    [
      ['5000 plans of one minute', '30.0 s, 167 /s', true],
      ['100000 at this speed', '600 s', null],
      ['payments meanwhile', '80 /s', true],
      ['latency of a payment, median', '20 ms', null],
      ['latency of a payment, p99', '20 ms', null],
      ['callbacks after the last payment', '1.0 s', null],
    ],
  )
  const missed = planFiguresOf({ plans: 5000, fired: 31, alone, during: [load(159, 2, [20])], backlog: 1 })
  assert.deepEqual(missed.map(isMet), [false, null, false, null, null, null])
})

test('the round with the median p99 of callbacks counts', () => {
  const rounds = [2000, 400, 900].map((ms) => ({ healthy: Float64Array.from([10, ms]), hanging: 1 }))
  const [p99, every] = callbackFiguresOf(rounds)
  assert.equal(p99?.value, '900 ms')
  assert.equal(p99 && isMet(p99), true)
  assert.equal(every?.value, '2000 ms 400 ms 900 ms')
})

test('a tenth of the addresses accept a callback and do not answer, and the others do', async () => {
  const receiver = new AddressReceiver(20)
  await receiver.open()
  try {
    const post = (index: number, withinMs = 60_000) =>
      fetch(receiver.urlOf(index), {
        method: 'POST',
        body: `action=SALE&order_id=ORDER-${index}`,
        signal: AbortSignal.timeout(withinMs),
      })
    assert.deepEqual([isHanging(10), isHanging(11)], [true, false])
    assert.equal(await (await post(11)).text(), 'OK')
    await assert.rejects(post(10, 500), { name: 'TimeoutError' })
    assert.deepEqual([...receiver.arrivals.keys()], ['ORDER-11', 'ORDER-10'])
    assert.equal(orderIn('order_id=A&b=1'), 'A')
  } finally {
    await receiver.close()
  }
})
