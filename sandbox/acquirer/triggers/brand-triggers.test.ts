// Written from chapter 20 §18, both tables; §6.3 and §11.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AcquirerReply,
  brandBody,
  decisionText,
  openTestAcquirer,
  type TestAcquirer,
} from '../testing/test-acquirer.ts'

const declinedByProcessing = 'declined hard Declined by processing'
const later = 'declined soft Try again later'

async function resolve(acquirer: TestAcquirer, { id }: AcquirerReply, afterMs = 30_000): Promise<string> {
  await acquirer.advance(afterMs)
  return decisionText(await acquirer.status(id))
}

// biome-ignore format: a table is read in columns.
const sales = [
  // identifier                  the answer    30 s later
  [ 'success@example.com',       'approved',   'approved' ],
  [ 'success@other.example',     'approved',   'approved' ],
  [ 'fail@example.com',          declinedByProcessing,   declinedByProcessing ],
  [ 'undefined@example.com',     'pending',    'approved' ],
  [ 'undefined-fail@example.com','pending',    declinedByProcessing ],
  [ 'soft-decline@example.com',  later,        later      ],
  [ 'refund-fail@example.com',   'approved',   'approved' ],
  [ 'refund-wait@example.com',   'approved',   'approved' ],
  [ 'capture-fail@example.com',  'approved',   'approved' ],
  [ 'void-fail@example.com',     'approved',   'approved' ],
  [ 'chargeback@example.com',    'approved',   'approved' ],
  [ 'exchange@example.com',      'approved',   'approved' ],
  [ 'somebody@example.com',      'approved',   'approved' ],
  [ 'fail',                      'approved',   'approved' ],
  [ 'FAIL@example.com',          'approved',   'approved' ],
] as const

for (const [identifier, answer, end] of sales) {
  for (const type of ['sale', 'authorize', 'debit']) {
    test(`${type} for ${identifier} answers "${answer}" and ends "${end}", executed accordingly`, async (t) => {
      const acquirer = await openTestAcquirer(t)
      const sale = await acquirer.brand('direct', identifier, { type })
      assert.equal(decisionText(sale), answer)
      assert.equal(await resolve(acquirer, sale), end)
      assert.deepEqual(await acquirer.effects(sale.id), end === 'approved' ? [`${type} 1000`] : [])
    })
  }
}

test('undefined is decided after 30 s and not before', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.brand('direct', 'undefined@example.com')
  assert.equal(await resolve(acquirer, sale, 29_000), 'pending')
  assert.equal(await resolve(acquirer, sale, 1_000), 'approved')
})

for (const [identifier, end] of [
  ['redirect@example.com', 'approved'],
  ['redirect-fail@example.com', declinedByProcessing],
] as const) {
  test(`${identifier} sends the payer to the page; approving there gives "${end}"`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const sale = await acquirer.brand('direct', identifier, { payment_id: 'p-1' })
    assert.equal(decisionText(sale), 'redirect')
    assert.match(sale.body.redirect_path, /^\/sandbox\/redirect\/p-1\/[0-9a-f]{32}$/)
    const body = new URLSearchParams({ decision: 'approve' })
    await fetch(acquirer.url + sale.body.redirect_path, { method: 'POST', body, redirect: 'manual' })
    assert.equal(decisionText(await acquirer.status(sale.id)), end)
  })
}

test('soft-decline is declined softly on the first MID of an order and approved on the next', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const attempt = async (order_id: string, mid: string) =>
    decisionText(await acquirer.brand('direct', 'soft-decline@example.com', { order_id, mid }))
  assert.equal(await attempt('A', 'MID-1'), later)
  assert.equal(await attempt('A', 'MID-2'), 'approved')
  assert.equal(await attempt('B', 'MID-2'), later, 'each order has its own first MID')
})

test('lost-reply is executed once, closes the connection, and is found approved', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const id = '0199a1b2-c3d4-7e5f-8a6b-000000000001'
  await assert.rejects(acquirer.post(id, brandBody('direct', 'lost-reply@example.com')))
  assert.equal(decisionText(await acquirer.status(id)), 'approved')
  assert.deepEqual(await acquirer.effects(id), ['sale 1000'])
})

// biome-ignore format: a table is read in columns.
const followUps = [
  // identifier                 first        later      the answer   30 s later
  [ 'success@example.com',      'authorize', 'capture', 'approved',  'approved' ],
  [ 'success@example.com',      'authorize', 'reverse', 'approved',  'approved' ],
  [ 'success@example.com',      'sale',      'refund',  'approved',  'approved' ],
  [ 'success@example.com',      'sale',      'void',    'approved',  'approved' ],
  [ 'success@example.com',      'debit',     'reverse', 'approved',  'approved' ],
  [ 'refund-fail@example.com',  'sale',      'refund',  declinedByProcessing,  declinedByProcessing ],
  [ 'refund-fail@example.com',  'sale',      'void',    'approved',  'approved' ],
  [ 'refund-wait@example.com',  'sale',      'refund',  'waiting',   'approved' ],
  [ 'capture-fail@example.com', 'authorize', 'capture', declinedByProcessing,  declinedByProcessing ],
  [ 'void-fail@example.com',    'sale',      'void',    declinedByProcessing,  declinedByProcessing ],
  [ 'void-fail@example.com',    'sale',      'refund',  'approved',  'approved' ],
] as const

for (const [identifier, first, step, answer, end] of followUps) {
  test(`after ${first} for ${identifier}, ${step} answers "${answer}" and ends "${end}"`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const followUp = await acquirer.later(step, await acquirer.brand('direct', identifier, { type: first }), '1000')
    assert.equal(decisionText(followUp), answer)
    assert.equal(await resolve(acquirer, followUp), end)
    assert.deepEqual(await acquirer.effects(followUp.id), end === 'approved' ? [`${step} 1000`] : [])
  })
}

test('chargeback is reported after 60 s as 1212 Fraud', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.brand('direct', 'chargeback@example.com')
  await acquirer.advance(60_000)
  const [report, ...others] = await acquirer.events()
  assert.deepEqual(others, [])
  assert.deepEqual(
    [report?.kind, report?.transaction_id, report?.amount, report?.reason_code],
    ['chargeback', sale.id, '1000', '1212 Fraud'],
  )
})

test('exchange names both rates and what was paid', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { exchange_rate, exchange_rate_base, exchange_currency, exchange_amount } = (
    await acquirer.brand('direct', 'exchange@example.com')
  ).body
  assert.deepEqual(
    [exchange_rate, exchange_rate_base, exchange_currency, exchange_amount],
    ['1.2500', '0.8000', 'EUR', '10.00'],
  )
})

// biome-ignore format: a table is read in columns.
const kinds = [
  // kind        behaviour     the answer
  [ 'direct',    null,         'approved' ],
  [ 'direct',    'approval',   'pending'  ],
  [ 'redirect',  null,         'redirect' ],
  [ 'redirect',  'direct',     'approved' ],
  [ 'crypto',    null,         'waiting'  ],
  [ 'voucher',   'voucher',    'waiting'  ],
  [ 'debit',     'debit',      'approved' ],
  [ 'an own',    'an own',     'approved' ],
] as const

for (const [kind, behaviour, answer] of kinds) {
  test(`without trigger a brand of kind ${kind} and behaviour ${behaviour} answers "${answer}"`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    assert.equal(decisionText(await acquirer.brand(kind, 'payer-1', {}, { behaviour })), answer)
    assert.equal(decisionText(await acquirer.brand(kind, null, {}, { behaviour })), answer)
  })
}

test('a payer who approves in an app does so after 5 s', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.brand('direct', 'payer-1', {}, { behaviour: 'approval' })
  assert.equal(await resolve(acquirer, sale, 4_000), 'pending')
  assert.equal(await resolve(acquirer, sale, 1_000), 'approved')
})

test('a trigger wins over the kind', async (t) => {
  const acquirer = await openTestAcquirer(t)
  for (const kind of ['redirect', 'crypto', 'voucher', 'wallet', 'debit']) {
    assert.equal(decisionText(await acquirer.brand(kind, 'fail@example.com')), declinedByProcessing)
    assert.equal(decisionText(await acquirer.brand(kind, 'success@example.com')), 'approved')
  }
})

// biome-ignore format: a table is read in columns.
const payouts = [
  // kind      parameters                          the answer   30 s later
  [ 'payout',  { account_holder: 'John Doe' },     'approved',  'approved' ],
  [ 'payout',  { account_holder: 'FAIL Doe' },     declinedByProcessing,  declinedByProcessing ],
  [ 'payout',  { account_holder: 'WAIT Doe' },     'pending',   'approved' ],
  [ 'payout',  {},                                 'approved',  'approved' ],
  [ 'crypto',  { address: 'TAbcdefghijklmnopqrs' },'waiting',   'approved' ],
  [ 'crypto',  { address: 'FAILdefghijklmnopqrs' },declinedByProcessing,  declinedByProcessing ],
  [ 'crypto',  { address: 'WAITdefghijklmnopqrs' },'waiting',   'approved' ],
] as const

for (const [kind, parameters, answer, end] of payouts) {
  test(`a ${kind} payout with ${JSON.stringify(parameters)} answers "${answer}" and ends "${end}"`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const payout = await acquirer.brand(kind, null, { type: 'credit', parameters })
    assert.equal(decisionText(payout), answer)
    assert.equal(await resolve(acquirer, payout), end)
    assert.deepEqual(await acquirer.effects(payout.id), end === 'approved' ? ['credit 1000'] : [])
  })
}

test('a crypto payout is done as soon as somebody asks, one that waits not before 30 s', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const payout = (address: string) => acquirer.brand('crypto', null, { type: 'credit', parameters: { address } })
  const [done, waits] = [await payout('TAbcdefghijklmnopqrs'), await payout('WAITdefghijklmnopqrs')]
  assert.equal(decisionText(await acquirer.status(done.id)), 'approved')
  assert.equal(await resolve(acquirer, waits, 29_000), 'waiting')
})

test('amounts of 38 digits and currencies of six letters and digits are taken, longer ones refused', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const amount = '12345678901234567890123456789012345678'
  const sale = await acquirer.brand('direct', 'success@example.com', { amount, currency: '1INCHX' })
  assert.deepEqual(await acquirer.effects(sale.id), [`sale ${amount}`])
  assert.equal((await acquirer.brand('direct', null, { amount: `${amount}9` })).status, 400)
  assert.equal((await acquirer.brand('direct', null, { currency: 'SEVENXX' })).status, 400)
})

// biome-ignore format: a table is read in columns.
const malformedRequests: readonly (readonly [what: string, fields: object, brand: object])[] = [
  ['no code',                 {},                      { code: '' }],
  ['a code that is too long', {},                      { code: 'x'.repeat(37) }],
  ['no kind',                 {},                      { kind: '' }],
  ['a time that is none',     {},                      { expires_at: 'tomorrow' }],
  ['no amount',               { amount: undefined },   {}],
  ['a card besides',          { card: { number: '4111111111111111', exp_month: 1, exp_year: 2038 } }, {}],
]

for (const [what, fields, brand] of malformedRequests) {
  test(`a brand with ${what} is refused before anything happens`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const answer = await acquirer.brand('direct', 'success@example.com', fields, brand)
    assert.deepEqual([answer.status, answer.body.error?.code], [400, 'invalid_request'])
  })
}

test('a repeated brand payment has one effect, its parameters in any order; another account is another request', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const body = (parameters: object) => brandBody('payout', null, { type: 'credit', parameters })
  const first = await acquirer.post('key-1', body({ account_holder: 'John Doe', account_number: '1' }))
  const again = await acquirer.post('key-1', body({ account_number: '1', account_holder: 'John Doe' }))
  assert.deepEqual(again.body, first.body)
  assert.equal((await acquirer.post('key-1', body({ account_holder: 'John Doe', account_number: '2' }))).status, 422)
  assert.deepEqual(await acquirer.effects('key-1'), ['credit 1000'])
})

test('the ledger names the brand beside the transaction of our caller', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.brand('direct', 'success@example.com')
  const [entry] = (await acquirer.ask('GET', '/ledger')).body.entries
  assert.deepEqual([entry?.transaction_id, entry?.brand, entry?.type], [sale.id, 'a-direct', 'sale'])
})
