import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Acquirer } from './acquirer.ts'
import { openTestAcquirer } from './testing/test-acquirer.ts'

const visa = '4111111111111111'

test('the ledger lists effects only, in order, and can be read on from any of them', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const hold = await acquirer.first('authorize', visa, '01/2038')
  await acquirer.first('sale', visa, '02/2038')
  await acquirer.first('sale', visa, '08/2039')
  const capture = await acquirer.later('capture', hold, '700')
  await acquirer.later('refund', hold, '701')

  const { entries } = (await acquirer.ask('GET', '/ledger')).body
  assert.deepEqual(
    entries.map((entry) => ({ ...entry, at: typeof entry.at })),
    [
      {
        sequence: 1,
        at: 'string',
        type: 'authorize',
        mid: 'MID-1',
        transaction_id: hold.id,
        payment_id: `payment-of-${hold.id}`,
        order_id: 'ORDER-1',
        amount: '1000',
        currency: 'EUR',
        reference: hold.body.reference,
      },
      {
        sequence: 2,
        at: 'string',
        type: 'capture',
        mid: 'MID-1',
        transaction_id: capture.id,
        payment_id: `payment-of-${hold.id}`,
        amount: '700',
        currency: 'EUR',
        reference: capture.body.reference,
      },
    ],
  )
  assert.deepEqual((await acquirer.ask('GET', '/ledger?since=1')).body.entries, entries.slice(1))
  assert.deepEqual((await acquirer.ask('GET', '/ledger?limit=1')).body.entries, entries.slice(0, 1))
})

test('a long ledger, and the settlement file from it, are whole', async (t) => {
  let opened: Acquirer | undefined
  const acquirer = await openTestAcquirer(t, {
    onOpen: (one) => {
      opened = one
    },
  })
  await acquirer.first('sale', visa, '01/2038')
  const ledger = opened?.book.ledger
  const [sale] = ledger?.since(0) ?? []
  assert.ok(ledger && sale)
  while (ledger.size < 100_001) ledger.enter(sale.transaction, sale.at)
  assert.equal((await acquirer.ask('GET', '/ledger')).body.entries.length, 100_001)
  const file = await (await fetch(`${acquirer.url}/settlement?mid=MID-1`)).text()
  assert.equal(file.split(sale.transaction.record.paymentId).length - 1, 100_001)
})

test('an undecided payment enters the ledger when it is decided, not before', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.first('sale', visa, '04/2038')
  assert.deepEqual(await acquirer.effects(sale.id), [])
  await acquirer.advance(30_000)
  assert.deepEqual(await acquirer.effects(sale.id), ['sale 1000'])
})

test('the summary counts and sums by type and currency', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.first('sale', visa, '01/2038')
  await acquirer.first('sale', visa, '01/2038', { amount: '5', currency: 'JPY' })
  await acquirer.later('refund', sale, '400')
  await acquirer.first('sale', visa, '04/2038')
  assert.deepEqual((await acquirer.ask('GET', '/ledger/summary')).body, {
    transactions: 4,
    undecided: 1,
    entries: 3,
    repeated_requests: 0,
    by_type: {
      sale: { count: 2, sums: { EUR: '1000', JPY: '5' } },
      refund: { count: 1, sums: { EUR: '400' } },
    },
  })
})

test('the clock moves by advance and by offset, and refuses to be advanced backwards', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const now = async () => Date.parse((await acquirer.ask('GET', '/clock')).body.now)
  const before = await now()
  await acquirer.advance(3_600_000)
  await acquirer.advance(3_600_000)
  assert.equal((await acquirer.ask('GET', '/clock')).body.offset_ms, 7_200_000)
  const moved = (await now()) - before
  assert.ok(moved >= 7_200_000 && moved < 7_260_000, `moved by ${moved} ms`)
  assert.equal((await acquirer.ask('POST', '/clock', { offset_ms: 0 })).body.offset_ms, 0)
  assert.equal((await acquirer.ask('POST', '/clock', { advance_ms: -1 })).status, 400)
  assert.equal((await acquirer.ask('POST', '/clock', { forward: 1 })).status, 400)
})

test('the page shows the last transactions with masked cards, and quotes callers without running their markup', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await acquirer.first('sale', '4917484589897107', '01/2038', { mid: '<script>alert(1)</script>' })
  const { status, text: page } = await acquirer.ask('GET', '/')
  assert.equal(status, 200)
  assert.match(page, /491748\*{6}7107/)
  assert.doesNotMatch(page, /<script>/)
  assert.match(page, /09\/2038.*Stolen card/)
  assert.equal((await acquirer.ask('GET', '/health')).status, 200)
})
