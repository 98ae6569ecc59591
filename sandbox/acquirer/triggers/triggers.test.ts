// Written from chapter 10 §12, never from the table under test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  type AcquirerReply,
  decisionText,
  firstBody,
  openTestAcquirer,
  type TestAcquirer,
} from '../testing/test-acquirer.ts'

const visa = '4111111111111111'
const cards = [visa, '4601541833776519', '5555555555554444', '378282246310005']
const declinedByProcessing = 'declined hard Declined by processing'

const resolve = async (acquirer: TestAcquirer, { body }: AcquirerReply): Promise<string> => {
  await acquirer.advance(20_000)
  assert.equal((await acquirer.status(body.transaction_id)).body.state, body.state, 'not before 30 s are over')
  await acquirer.advance(10_000)
  return decisionText(await acquirer.status(body.transaction_id))
}

// biome-ignore format: a table is read in columns.
const firstSteps = [
  // expiry    the answer                        30 s later
  [ '01/2038', 'approved',                       'approved'  ],
  [ '02/2038', declinedByProcessing,                       declinedByProcessing  ],
  [ '03/2038', 'approved',                       'approved'  ],
  [ '04/2038', 'pending',                        'approved'  ],
  [ '07/2038', 'pending',                        declinedByProcessing  ],
  [ '08/2038', 'declined soft Try again later',    null ],
  [ '09/2038', 'declined hard Stolen card',        null ],
  [ '10/2038', 'declined soft Insufficient funds', null ],
  [ '01/2039', 'approved',                       'approved'  ],
  [ '02/2039', 'approved',                       'approved'  ],
  [ '03/2039', 'approved',                       'approved'  ],
  [ '04/2039', 'approved',                       'approved'  ],
  [ '05/2039', 'approved',                       'approved'  ],
  [ '07/2039', 'approved',                       'approved'  ],
  [ '08/2039', 'pending',                        'pending'   ],
  [ '09/2039', 'approved',                       'approved'  ],
  [ '10/2039', 'approved',                       'approved'  ],
  [ '11/2039', 'approved',                       'approved'  ],
  [ '01/2040', 'approved',                       'approved'  ],
  [ '04/2040', 'approved',                       'approved'  ],
  [ '12/2031', declinedByProcessing,                       declinedByProcessing  ],
] as const

for (const [expiry, answer, later] of firstSteps) {
  test(`expiry ${expiry} answers "${answer}" to every first step with every test card`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    for (const number of cards) assert.equal(decisionText(await acquirer.first('sale', number, expiry)), answer)
    for (const type of ['authorize', 'debit', 'transfer']) {
      assert.equal(decisionText(await acquirer.first(type, visa, expiry)), answer, type)
    }
    if (later !== null) assert.equal(await resolve(acquirer, await acquirer.first('sale', visa, expiry)), later)
  })
}

test('a number that is no test card is declined whatever its expiry', async (t) => {
  const acquirer = await openTestAcquirer(t)
  assert.equal(decisionText(await acquirer.first('sale', '4000000000000002', '01/2038')), declinedByProcessing)
})

// biome-ignore format: a table is read in columns.
const payerSteps = [
  // expiry    without a payer step  30 s later
  [ '05/2038', 'approved',           'approved' ],
  [ '06/2038', declinedByProcessing,           declinedByProcessing ],
  [ '12/2038', 'approved',           'approved' ],
  [ '12/2039', declinedByProcessing,           declinedByProcessing ],
  [ '02/2040', 'pending',            'approved' ],
] as const

for (const [expiry, final, later] of payerSteps) {
  test(`expiry ${expiry} asks for authentication, and gives its final outcome where no payer step is possible`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const challenge = 'declined authentication_required Authentication required'
    assert.equal(decisionText(await acquirer.first('sale', visa, expiry)), challenge)
    const absences = [
      { moto: true },
      { payer_present: false },
      { external_3ds: { eci: '05' } },
      { recurring: 'subsequent' },
    ]
    for (const absence of absences)
      assert.equal(decisionText(await acquirer.first('sale', visa, expiry, absence)), final)
    assert.equal(await resolve(acquirer, await acquirer.first('sale', visa, expiry, { moto: true })), later)
  })
}

test('expiry 11/2038 is approved and answered after 5 s', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const startedAt = performance.now()
  const sale = await acquirer.first('sale', visa, '11/2038')
  const passed = performance.now() - startedAt
  assert.equal(decisionText(sale), 'approved')
  assert.ok(passed >= 4_990 && passed < 8_000, `answered after ${passed} ms`)
})

test('expiry 06/2039 executes once, drops the link, and is found after 30 s', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const id = randomUUID()
  await assert.rejects(acquirer.post(id, firstBody('sale', visa, '06/2039')), { message: 'fetch failed' })
  assert.deepEqual(await acquirer.effects(id), ['sale 1000'])
  assert.equal((await acquirer.status(id)).body.state, 'pending')
  await acquirer.advance(30_000)
  assert.equal((await acquirer.status(id)).body.state, 'approved')
  assert.deepEqual(await acquirer.effects(id), ['sale 1000'])
})

test('expiry 07/2039 tells the caller to drop its own answer, also when asked again, but not in a status', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.first('sale', visa, '07/2039')
  assert.equal(sale.body.drop_answer, true)
  assert.equal((await acquirer.post(sale.id, firstBody('sale', visa, '07/2039'))).body.drop_answer, true)
  assert.equal((await acquirer.status(sale.id)).body.drop_answer, undefined)
})

test('expiry 08/2039 is never decided', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.first('sale', visa, '08/2039')
  await acquirer.advance(366 * 86_400_000)
  assert.equal((await acquirer.status(sale.id)).body.state, 'pending')
  assert.deepEqual(await acquirer.effects(sale.id), [])
})

// biome-ignore format: a table is read in columns.
const laterSteps = [
  // expiry    first        later      the answer   30 s later
  [ '01/2038', 'authorize', 'capture', 'approved',  'approved' ],
  [ '01/2038', 'authorize', 'reverse', 'approved',  'approved' ],
  [ '01/2038', 'sale',      'refund',  'approved',  'approved' ],
  [ '01/2038', 'sale',      'void',    'approved',  'approved' ],
  [ '01/2038', 'debit',     'reverse', 'approved',  'approved' ],
  [ '03/2038', 'authorize', 'capture', declinedByProcessing,  declinedByProcessing ],
  [ '03/2038', 'authorize', 'reverse', 'approved',  'approved' ],
  [ '04/2039', 'sale',      'refund',  declinedByProcessing,  declinedByProcessing ],
  [ '04/2039', 'authorize', 'reverse', declinedByProcessing,  declinedByProcessing ],
  [ '04/2039', 'sale',      'void',    'approved',  'approved' ],
  [ '05/2039', 'sale',      'void',    declinedByProcessing,  declinedByProcessing ],
  [ '05/2039', 'sale',      'refund',  'approved',  'approved' ],
  [ '09/2039', 'sale',      'refund',  'waiting',   'approved' ],
  [ '09/2039', 'authorize', 'reverse', 'waiting',   'approved' ],
  [ '09/2039', 'authorize', 'capture', 'approved',  'approved' ],
  [ '10/2039', 'authorize', 'capture', 'pending',   'approved' ],
  [ '10/2039', 'sale',      'refund',  'pending',   'approved' ],
  [ '10/2039', 'sale',      'void',    'pending',   'approved' ],
  [ '11/2039', 'authorize', 'capture', 'pending',   declinedByProcessing ],
  [ '11/2039', 'sale',      'refund',  'pending',   declinedByProcessing ],
  [ '11/2039', 'sale',      'void',    'pending',   declinedByProcessing ],
] as const

for (const [expiry, first, later, answer, end] of laterSteps) {
  test(`after ${first} with expiry ${expiry}, ${later} answers "${answer}" and ends "${end}"`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const followUp = await acquirer.later(later, await acquirer.first(first, visa, expiry), '1000')
    assert.equal(decisionText(followUp), answer)
    assert.equal(await resolve(acquirer, followUp), end)
    assert.deepEqual(await acquirer.effects(followUp.id), end === 'approved' ? [`${later} 1000`] : [])
  })
}

test('expiry 04/2039 declines a partial refund too', async (t) => {
  const acquirer = await openTestAcquirer(t)
  assert.equal(
    decisionText(await acquirer.later('refund', await acquirer.first('sale', visa, '04/2039'), '400')),
    declinedByProcessing,
  )
})

// biome-ignore format: a table is read in columns.
const chainTriggers = [
  // expiry    recurring payment   RETRY: the same payment again
  [ '01/2038', 'approved',                      null                            ],
  [ '01/2039', 'declined soft Try again later', 'approved'                      ],
  [ '02/2039', declinedByProcessing,                      null                            ],
  [ '03/2039', 'declined soft Try again later', 'declined soft Try again later' ],
] as const

for (const [expiry, charged, retried] of chainTriggers) {
  test(`expiry ${expiry}: every recurring payment "${charged}", its retry "${retried ?? 'not made'}"`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    assert.equal(decisionText(await acquirer.first('sale', visa, expiry, { recurring: 'initial' })), 'approved')
    for (const payment_id of ['month-1', 'month-2']) {
      const fields = { recurring: 'subsequent', payment_id }
      assert.equal(decisionText(await acquirer.first('sale', visa, expiry, fields)), charged)
      if (retried !== null) assert.equal(decisionText(await acquirer.first('sale', visa, expiry, fields)), retried)
    }
  })
}

test('expiry 03/2040 is declined softly on the first MID of an order and approved on the next', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const attempt = async (order_id: string, mid: string) =>
    decisionText(await acquirer.first('sale', visa, '03/2040', { order_id, mid }))
  assert.equal(await attempt('A', 'MID-1'), 'declined soft Try again later')
  assert.equal(await attempt('A', 'MID-2'), 'approved')
  assert.equal(await attempt('A', 'MID-1'), 'declined soft Try again later')
  assert.equal(await attempt('B', 'MID-2'), 'declined soft Try again later', 'each order has its own first MID')
})

// biome-ignore format: a table is read in columns.
const payouts = [
  // recipient's card    the answer   30 s later
  [ '4601541833776519',  'approved',  'approved' ],
  [ '4111111111111111',  'approved',  'approved' ],
  [ '4917484589897107',  declinedByProcessing,  declinedByProcessing ],
  [ '4000000000000002',  'pending',   'approved' ],
  [ '5555555555554444',  declinedByProcessing,  declinedByProcessing ],
] as const

for (const [number, answer, end] of payouts) {
  test(`a payout to ${number} answers "${answer}" and ends "${end}"`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const payout = await acquirer.first('credit', number, '')
    assert.equal(decisionText(payout), answer)
    assert.equal(await resolve(acquirer, payout), end)
    assert.deepEqual(await acquirer.effects(payout.id), end === 'approved' ? ['credit 1000'] : [])
  })
}

test('expiry 04/2040 is charged back in full after 60 s, as 1212 Fraud, once', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.first('sale', visa, '04/2040')
  const voided = await acquirer.first('sale', visa, '04/2040')
  await acquirer.later('void', voided, '1000')
  const list = async (since = 0) => (await acquirer.ask('GET', `/v1/chargebacks?since=${since}`)).body.chargebacks

  await acquirer.advance(50_000)
  assert.deepEqual(await list(), [])
  await acquirer.advance(10_000)
  const [chargeback, ...others] = await list()
  assert.deepEqual(others, [], 'neither the voided sale nor a second one')
  assert.equal(chargeback?.transaction_id, sale.id)
  assert.equal(chargeback?.amount, '1000')
  assert.equal(chargeback?.reason_code, '1212 Fraud')
  assert.match(chargeback?.bank_date ?? '', /^\d{4}-\d{2}-\d{2}$/)
  await acquirer.advance(60_000)
  assert.equal((await list()).length, 1)
  assert.deepEqual(await list(chargeback?.sequence), [])
  assert.deepEqual(await acquirer.effects(sale.id), ['sale 1000', 'chargeback 1000'])
})

test('a held payment of expiry 04/2040 is charged back 60 s after its capture, for the captured amount', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const capture = await acquirer.later('capture', await acquirer.first('authorize', visa, '04/2040'), '700')
  await acquirer.advance(60_000)
  assert.deepEqual(await acquirer.effects(capture.id), ['capture 700', 'chargeback 700'])
})
