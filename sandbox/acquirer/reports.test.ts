// What the acquirer reports by itself: chapter 10 §6 ("Hold lapses", "Late outcome", "Chargeback"), chapter 20 §18.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { temporaryFolder } from '../kit/testing/temporary-folder.ts'
import { Acquirer } from './acquirer.ts'
import { decisionText, firstBody, openTestAcquirer } from './testing/test-acquirer.ts'

const visa = '4111111111111111'
const weekMs = 7 * 86_400_000

test('late decisions, chargebacks and lapses stand in one list, in the order in which they happened', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const pending = await acquirer.first('sale', visa, '04/2038')
  const disputed = await acquirer.first('sale', visa, '04/2040')
  const hold = await acquirer.first('authorize', visa, '01/2038')
  await acquirer.advance(30_000)
  assert.deepEqual(
    (await acquirer.events()).map(({ kind }) => kind),
    ['decided'],
  )
  await acquirer.advance(weekMs)

  const events = await acquirer.events()
  assert.deepEqual(
    events.map(({ sequence, kind, transaction_id }) => [sequence, kind, transaction_id]),
    [
      [1, 'decided', pending.id],
      [2, 'chargeback', disputed.id],
      [3, 'lapse', hold.id],
    ],
  )
  const [decided, chargeback, lapse] = events
  assert.equal(decided?.state, 'approved')
  assert.equal(decided?.payment_id, `payment-of-${pending.id}`)
  assert.equal(decided?.reference, pending.body.reference)
  assert.deepEqual([chargeback?.chargeback, chargeback?.amount, chargeback?.reason_code], [1, '1000', '1212 Fraud'])
  assert.deepEqual([lapse?.mid, lapse?.reference], ['MID-1', hold.body.reference])
  assert.deepEqual(
    (await acquirer.events(2)).map(({ sequence }) => sequence),
    [3],
  )
})

test('a payer’s decision is reported, and so is that of a refund which waited', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const redirect = await acquirer.brand('redirect', 'payer-1', { payment_id: 'p-1' })
  await acquirer.ask('POST', '/trigger/p-1', { report: 'decline' })
  const refund = await acquirer.later('refund', await acquirer.brand('direct', 'refund-wait@example.com'), '400')
  await acquirer.advance(30_000)
  assert.deepEqual(
    (await acquirer.events()).map(({ kind, transaction_id, state }) => [kind, transaction_id, state]),
    [
      ['decided', redirect.id, 'declined'],
      ['decided', refund.id, 'approved'],
    ],
  )
})

test('what is decided in the answer is not reported', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await acquirer.later('refund', await acquirer.first('sale', visa, '01/2038'), '1000')
  await acquirer.first('sale', visa, '02/2038')
  await acquirer.advance(weekMs * 2)
  assert.deepEqual(await acquirer.events(), [])
})

test('a hold lapses after seven days, once, and nothing can be done with it any more', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const hold = await acquirer.first('authorize', visa, '01/2038')
  await acquirer.advance(weekMs - 60_000)
  assert.deepEqual(await acquirer.events(), [])
  await acquirer.advance(60_000)
  assert.deepEqual(await acquirer.effects(hold.id), ['authorize 1000', 'lapse 1000'])
  for (const step of ['capture', 'reverse', 'void', 'refund']) {
    assert.match(decisionText(await acquirer.later(step, hold, '1000')), /^declined hard/, step)
  }
  await acquirer.advance(weekMs)
  assert.equal((await acquirer.events()).length, 1)
})

test('a captured or released hold does not lapse, and a sale never does', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await acquirer.later('capture', await acquirer.first('authorize', visa, '01/2038'), '400')
  await acquirer.later('reverse', await acquirer.first('authorize', visa, '01/2038'), '1000')
  await acquirer.first('sale', visa, '01/2038')
  await acquirer.advance(weekMs * 2)
  assert.deepEqual(await acquirer.events(), [])
})

test('a hold whose capture is not decided yet waits for it, and lapses when that is declined', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const hold = await acquirer.first('authorize', visa, '11/2039')
  await acquirer.advance(weekMs - 10_000)
  const capture = await acquirer.later('capture', hold, '1000')
  assert.equal(decisionText(capture), 'pending')
  await acquirer.advance(15_000)
  assert.deepEqual(await acquirer.events(), [])
  await acquirer.advance(60_000)
  assert.deepEqual(
    (await acquirer.events()).map(({ kind, transaction_id }) => [kind, transaction_id]),
    [
      ['decided', capture.id],
      ['lapse', hold.id],
    ],
  )
})

test('a hold that was decided late lasts seven days from its decision', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await acquirer.first('authorize', visa, '04/2038')
  await acquirer.advance(weekMs)
  assert.deepEqual(
    (await acquirer.events()).map(({ kind }) => kind),
    ['decided'],
  )
  await acquirer.advance(30_000)
  assert.deepEqual(
    (await acquirer.events()).map(({ kind }) => kind),
    ['decided', 'lapse'],
  )
})

test('a scenario may make holds last shorter', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await acquirer.ask('PUT', '/scenario', { mid: 'MID-1', lapse_after_ms: 60_000 })
  const [short, usual] = [
    await acquirer.first('authorize', visa, '01/2038'),
    await acquirer.first('authorize', visa, '01/2038', { mid: 'MID-2' }),
  ]
  await acquirer.advance(60_000)
  assert.deepEqual(await acquirer.effects(short.id), ['authorize 1000', 'lapse 1000'])
  assert.deepEqual(await acquirer.effects(usual.id), ['authorize 1000'])
})

test('a charge whose void is not decided yet is not disputed meanwhile', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.first('sale', visa, '04/2040')
  await acquirer.ask('PUT', '/scenario', { types: ['void'], never_decide: true })
  await acquirer.later('void', sale, '1000')
  await acquirer.advance(600_000)
  assert.deepEqual(await acquirer.events(), [])
})

test('reports keep their numbers through a restart, and nothing happens twice', async (t) => {
  const folder = await temporaryFolder(t)
  const before = await Acquirer.open(folder)
  const send = (type: string, expiry: string) =>
    before.submit(randomUUID(), { ...firstBody(type, visa, expiry), payment_id: randomUUID() })
  await send('sale', '04/2038')
  await send('sale', '04/2040')
  await send('authorize', '01/2038')
  before.setClock(weekMs + 60_000)
  before.settleDue()
  const reports = before.book.reports.map(({ sequence, kind, at }) => ({ sequence, kind, at }))
  assert.equal(reports.length, 3)
  await before.close()

  const after = await Acquirer.open(folder)
  t.after(() => after.close())
  after.setClock(weekMs * 3)
  after.settleDue()
  assert.deepEqual(
    after.book.reports.map(({ sequence, kind, at }) => ({ sequence, kind, at })),
    reports,
  )
  assert.equal(after.book.ledger.size, 5)
})
