/**
 * A command with an open outcome is overtaken by an event at the acquirer: the hold lapses, or the payer's bank disputes the charge. An
 * overtaken command is never sent again, and polling for it ends. Chapter 10 §6 ("Chargeback", "Hold lapses"), §6.2.
 */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AcquirerEvent } from '#server/connectors/connector.ts'
import { enterEvent } from '#server/payments/commands/acquirer-event.ts'
import { expireExecutionTime, withoutOutcome } from '../../crash.ts'
import { operationDeps } from '../../operation-deps.ts'
import { expiryFields, readCallbacks, readEffects, statusOf } from '../../payments.ts'
import { type Answer, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop({}, ['back office', 'chargebacks'])
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const { pool, clock } = shop.base
const deps = operationDeps(shop)

async function report(transId: string, event: Pick<AcquirerEvent, 'kind'> & { amountMinor?: bigint }): Promise<void> {
  const { rows } = await pool.query<{ mid_id: string }>('select mid_id from payments where id = $1', [transId])
  const facts = { reference: `${event.kind} ${transId}`, paymentId: transId, at: clock.now() }
  const disputed = { bankDate: '2026-03-01', reasonCode: '1212 Fraud' }
  await enterEvent(deps, rows[0]?.mid_id ?? '', { ...facts, ...disputed, ...event } as AcquirerEvent)
}

/**
 * The intent is written and the request never reaches the acquirer, which is down until it has reported its event; it is asked once the
 * request can no longer arrive.
 */
async function neverArrives(request: () => Promise<Answer>, reportEvent: () => Promise<void>): Promise<void> {
  await shop.scenario({ down: true })
  assert.equal((await withoutOutcome(shop, request)).http, 500)
  await reportEvent()
  await expireExecutionTime(shop)
  await shop.clearScenario()
}

/** For example `CAPTURE fail`, finished and open ones. */
async function transactions(transId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ text: string }>(
    `select format('%s %s%s', t.type, t.state, case when t.ask_at is not null then ', asked about' end) as text
     from transactions t where t.payment_id = $1 order by t.created_at, t.id`,
    [transId],
  )
  return rows.map(({ text }) => text)
}

async function alerts(transId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ text: string }>('select text from alerts where payment_id = $1', [transId])
  return rows.map(({ text }) => text)
}

async function makeSale(over: RequestFields = {}): Promise<string> {
  return (await shop.sale(over)).body.trans_id
}

test('a refund that never arrived is not sent after a full chargeback: the payer would get the money twice', async () => {
  const transId = await makeSale()
  await neverArrives(
    () => shop.followUp('CREDITVOID', transId),
    () => report(transId, { kind: 'chargeback', amountMinor: 1000n }),
  )
  await shop.advance(61_000)
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000'])
  assert.deepEqual(await transactions(transId), ['SALE success', 'REFUND fail', 'CHARGEBACK success'])
  assert.deepEqual(await readCallbacks(shop, transId, 'CREDITVOID'), ['DECLINED CHARGEBACK'])
  assert.deepEqual(await shop.postings(transId), ['payer -> settled 1000', 'settled -> charged_back 1000'])
})

test('a refund that never arrived is sent if a chargeback has left enough for it', async () => {
  const transId = await makeSale()
  await neverArrives(
    () => shop.followUp('CREDITVOID', transId, { amount: '4.00' }),
    () => report(transId, { kind: 'chargeback', amountMinor: 600n }),
  )
  await shop.advance(61_000)
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000', 'refund 400'])
  assert.deepEqual(await readCallbacks(shop, transId, 'CREDITVOID'), ['SUCCESS CHARGEBACK'])
})

test('a VOID that never arrived is not sent after a chargeback', async () => {
  const transId = await makeSale()
  await neverArrives(
    () => shop.followUp('VOID', transId),
    () => report(transId, { kind: 'chargeback', amountMinor: 100n }),
  )
  await shop.advance(61_000)
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000'])
  assert.deepEqual(await readCallbacks(shop, transId, 'VOID'), ['DECLINED CHARGEBACK'])
})

for (const command of ['CAPTURE', 'CREDITVOID']) {
  test(`a ${command} that never arrived is not sent after the hold has lapsed, and ends`, async () => {
    const transId = await makeSale({ auth: 'Y' })
    await neverArrives(
      () => shop.followUp(command, transId),
      () => report(transId, { kind: 'lapse' }),
    )
    await shop.advance(61_000)
    assert.deepEqual(await readEffects(shop, transId), ['authorize 1000'])
    assert.deepEqual(
      (await transactions(transId)).filter((text) => !/^(AUTH|REVERSAL|CAPTURE) (success|fail)$/.test(text)),
      [],
    )
    assert.equal(await statusOf(shop, transId), 'REVERSAL')
    assert.deepEqual(await alerts(transId), [])
  })
}

test('a capture that is declined after its hold has lapsed ends and is called back, and changes nothing', async () => {
  const transId = await makeSale({ auth: 'Y', ...expiryFields('11/2039') })
  await shop.followUp('CAPTURE', transId)
  await report(transId, { kind: 'lapse' })
  await shop.advance(40_000)
  assert.deepEqual(await transactions(transId), ['AUTH success', 'CAPTURE fail', 'REVERSAL success'])
  assert.deepEqual(await readCallbacks(shop, transId, 'CAPTURE'), ['UNDEFINED PENDING', 'DECLINED REVERSAL'])
  assert.deepEqual(await shop.postings(transId), ['payer -> held 1000', 'held -> payer 1000'])
  assert.deepEqual(await alerts(transId), [])
})

test('a release that succeeds after its hold has lapsed ends, and nothing is released twice', async () => {
  const transId = await makeSale({ auth: 'Y', ...expiryFields('10/2039') })
  await shop.followUp('CREDITVOID', transId)
  await report(transId, { kind: 'lapse' })
  await shop.advance(40_000)
  assert.deepEqual(await transactions(transId), ['AUTH success', 'REVERSAL success', 'REVERSAL success'])
  assert.deepEqual(await shop.postings(transId), ['payer -> held 1000', 'held -> payer 1000'])
  assert.equal(await statusOf(shop, transId), 'REVERSAL')
  assert.deepEqual(await alerts(transId), [])
})

test('a capture that succeeds although its hold was reported as lapsed raises an alert, and polling ends', async () => {
  const transId = await makeSale({ auth: 'Y', ...expiryFields('10/2039') })
  await shop.followUp('CAPTURE', transId)
  await report(transId, { kind: 'lapse' })
  await shop.advance(40_000)
  assert.deepEqual(await transactions(transId), ['AUTH success', 'CAPTURE undefined', 'REVERSAL success'])
  assert.match(
    (await alerts(transId))[0] ?? '',
    /^The outcome "approved" of CAPTURE .* arrived for a payment in status REVERSAL\.$/,
  )
})

test('a capture without an outcome after its hold has lapsed is polled by plan, without an alert at each poll', async () => {
  const transId = await makeSale({ auth: 'Y' })
  await shop.scenario({ down: true })
  assert.equal((await withoutOutcome(shop, () => shop.followUp('CAPTURE', transId))).http, 500)
  await expireExecutionTime(shop)
  await report(transId, { kind: 'lapse' })
  await shop.advance(70_000)
  assert.deepEqual(await transactions(transId), ['AUTH success', 'CAPTURE undefined, asked about', 'REVERSAL success'])
  assert.deepEqual(await alerts(transId), [])
})

test('a chargeback that is reported while a refund is open stays when the refund succeeds', async () => {
  const transId = await makeSale()
  await shop.scenario({ delay_ms: 1_500 })
  const refund = shop.followUp('CREDITVOID', transId, { amount: '4.00' })
  const isUnderWay = async (): Promise<boolean> =>
    (await transactions(transId)).some((one) => one.startsWith('REFUND sent'))
  while (!(await isUnderWay())) await sleep(10)
  await report(transId, { kind: 'chargeback', amountMinor: 600n })
  assert.equal((await refund).body.result, 'ACCEPTED')
  await shop.clearScenario()
  await shop.callbacks(transId)
  const { rows } = await pool.query('select refunded_minor, charged_back_minor from payments where id = $1', [transId])
  assert.deepEqual(rows, [{ refunded_minor: 400n, charged_back_minor: 600n }])
  assert.deepEqual((await shop.postings(transId)).toSorted(), [
    'payer -> settled 1000',
    'settled -> charged_back 600',
    'settled -> refunded 400',
  ])
})
