import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { temporaryFolder } from '../kit/testing/temporary-folder.ts'
import { Acquirer } from './acquirer.ts'
import { type AcquirerReply, firstBody, openTestAcquirer } from './testing/test-acquirer.ts'

const visa = '4111111111111111'

test('fifty concurrent requests with one key have one effect and one answer', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const id = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => acquirer.post(id, firstBody('sale', visa, '01/2038'))),
  )
  for (const { status, body } of answers) {
    assert.equal(status, 200)
    assert.deepEqual(body, answers[0]?.body)
  }
  assert.deepEqual(await acquirer.effects(id), ['sale 1000'])
  assert.equal((await acquirer.ask('GET', '/ledger/summary')).body.repeated_requests, 49)
})

test('a key that comes with another amount, card or MID is refused and has no effect', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { id } = await acquirer.first('sale', visa, '01/2038')
  const others: readonly (readonly [string, string, object])[] = [
    [visa, '01/2038', { amount: '1001' }],
    [visa, '01/2038', { mid: 'MID-2' }],
    [visa, '01/2039', {}],
    ['5555555555554444', '01/2038', {}],
  ]
  for (const [number, expiry, fields] of others) {
    const answer = await acquirer.post(id, firstBody('sale', number, expiry, fields))
    assert.equal(answer.status, 422)
    assert.equal(answer.body.error.code, 'key_reused')
  }
  assert.deepEqual(await acquirer.effects(id), ['sale 1000'])
})

test('a repeated request may lack the verification code, which its sender may not keep', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.first('sale', visa, '01/2038')
  const card = { number: visa, exp_month: 1, exp_year: 2038 }
  assert.deepEqual((await acquirer.post(sale.id, firstBody('sale', visa, '01/2038', { card }))).body, sale.body)
})

test('the ledger has the order of a first step, by which a gateway finds a charge that it lost', async (t) => {
  const acquirer = await openTestAcquirer(t)
  await acquirer.first('sale', visa, '01/2038', { order_id: 'SHOES-7' })
  await acquirer.first('sale', visa, '01/2038', { order_id: undefined })
  const { entries } = (await acquirer.ask('GET', '/ledger')).body
  assert.deepEqual(
    entries.map(({ order_id }) => order_id),
    ['SHOES-7', undefined],
  )
})

test('an approved answer carries the references of a real acquirer', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { body } = await acquirer.first('sale', visa, '01/2038', { register_card: true })
  assert.match(body.rrn, /^\d{12}$/)
  assert.match(body.arn, /^\d{23}$/)
  assert.match(body.approval_code, /^\d{6}$/)
  assert.match(body.network_transaction_id, /^\d{15}$/)
  assert.match(body.stored_credential, /./)
  assert.equal(body.descriptor, 'TEST')
  const { body: named } = await acquirer.first('sale', visa, '01/2038', { descriptor: 'EXAMPLE SHOP' })
  assert.equal(named.descriptor, 'EXAMPLE SHOP')
  assert.equal(body.avs_result, 'Y')
  assert.equal(body.cvv_result, 'M')
})

test('a transaction that never arrived is not found, and that of another MID is not shown', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { id } = await acquirer.first('sale', visa, '01/2038')
  const unheard = await acquirer.status(randomUUID())
  assert.equal(unheard.status, 404)
  assert.equal(unheard.body.error.code, 'transaction_not_found')
  assert.equal((await acquirer.status(id, 'MID-2')).status, 403)
  assert.equal((await acquirer.ask('GET', '/no/such/address')).body.error.code, 'route_not_found')
})

// biome-ignore format: a table is read in columns.
const refusedSteps = [
  // title                                          first        then                                          refused
  [ 'a capture above the hold',                     'authorize', [],                                           'capture 1001' ],
  [ 'a capture of nothing',                         'authorize', [],                                           'capture 0'    ],
  [ 'a second capture',                             'authorize', ['capture 400'],                              'capture 100'  ],
  [ 'a capture of a released hold',                 'authorize', ['reverse 1000'],                             'capture 1000' ],
  [ 'a capture of a sale',                          'sale',      [],                                           'capture 1000' ],
  [ 'a partial release of a hold',                  'authorize', [],                                           'reverse 400'  ],
  [ 'a second release of a hold',                   'authorize', ['reverse 1000'],                             'reverse 1000' ],
  [ 'a release of a captured hold',                 'authorize', ['capture 1000'],                             'reverse 1000' ],
  [ 'a refund of a hold',                           'authorize', [],                                           'refund 1000'  ],
  [ 'a refund above the sale',                      'sale',      [],                                           'refund 1001'  ],
  [ 'a refund above what earlier refunds left',     'sale',      ['refund 400', 'refund 400'],                 'refund 201'   ],
  [ 'a refund above a partial capture',             'authorize', ['capture 400'],                              'refund 401'   ],
  [ 'a refund of a voided sale',                    'sale',      ['void 1000'],                                'refund 1000'  ],
  [ 'a refund of a debit',                          'debit',     [],                                           'refund 1000'  ],
  [ 'a reversal above what is left of a debit',     'debit',     ['reverse 600'],                              'reverse 401'  ],
  [ 'a void of a hold',                             'authorize', [],                                           'void 1000'    ],
  [ 'a void of a part',                             'sale',      [],                                           'void 999'     ],
  [ 'a void after a refund',                        'sale',      ['refund 1'],                                 'void 1000'    ],
  [ 'a second void',                                'sale',      ['void 1000'],                                'void 1000'    ],
  [ 'a void of a debit',                            'debit',     [],                                           'void 1000'    ],
  [ 'a refund of a transfer',                       'transfer',  [],                                           'refund 1000'  ],
] as const

for (const [title, first, steps, refused] of refusedSteps) {
  test(`${title} is declined, hard, and has no effect`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const original = await acquirer.first(first, visa, '01/2038')
    const take = (step: string): Promise<AcquirerReply> => {
      const [type = '', amount = ''] = step.split(' ')
      return acquirer.later(type, original, amount)
    }
    for (const step of steps) assert.equal((await take(step)).body.state, 'approved', step)
    const answer = await take(refused)
    assert.equal(answer.body.state, 'declined')
    assert.equal(answer.body.decline_class, 'hard')
    assert.deepEqual(await acquirer.effects(answer.id), [])
  })
}

test('a later step on an unknown, foreign, declined or undecided original is declined, hard', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.first('sale', visa, '01/2038')
  const declined = await acquirer.first('sale', visa, '02/2038')
  const undecided = await acquirer.first('sale', visa, '04/2038')
  const attempts = [
    acquirer.later('refund', sale, '1000', { original_transaction_id: randomUUID() }),
    acquirer.later('refund', sale, '1000', { mid: 'MID-2' }),
    acquirer.later('refund', sale, '1000', { payment_id: 'another' }),
    acquirer.later('refund', sale, '1000', { currency: 'USD' }),
    acquirer.later('refund', declined, '1000'),
    acquirer.later('refund', undecided, '1000'),
  ]
  for (const { body } of await Promise.all(attempts)) {
    assert.deepEqual([body.state, body.decline_class], ['declined', 'hard'])
  }
})

test('a later step may name its original by our reference, and a refund may name the capture', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const hold = await acquirer.first('authorize', visa, '01/2038')
  const { reference } = hold.body
  const capture = await acquirer.later('capture', hold, '800', { original_transaction_id: undefined, reference })
  assert.equal(capture.body.state, 'approved')
  const refund = (amount: string) => acquirer.later('refund', hold, amount, { original_transaction_id: capture.id })
  assert.equal((await refund('801')).body.state, 'declined')
  assert.equal((await refund('800')).body.state, 'approved')
})

test('while a later step is undecided no other may begin, and its money comes back when it ends declined', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const sale = await acquirer.first('sale', visa, '11/2039')
  assert.equal((await acquirer.later('refund', sale, '100')).body.state, 'pending')
  assert.equal((await acquirer.later('refund', sale, '100')).body.state, 'declined')
  await acquirer.advance(30_000)
  assert.equal((await acquirer.later('refund', sale, '1000')).body.state, 'pending')
})

test('a zero authorization is approved and released; it cannot be captured', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const hold = await acquirer.first('authorize', visa, '01/2038', { amount: '0' })
  assert.equal(hold.body.state, 'approved')
  assert.equal((await acquirer.later('capture', hold, '0')).body.state, 'declined')
  assert.equal((await acquirer.later('reverse', hold, '0')).body.state, 'approved')
})

// biome-ignore format: a table is read in columns.
const malformedRequests = [
  // title                     changed fields
  [ 'no type',                 { type: undefined } ],
  [ 'an unknown type',         { type: 'steal' } ],
  [ 'no MID',                  { mid: '' } ],
  [ 'a decimal amount',        { amount: '10.00' } ],
  [ 'a negative amount',       { amount: '-1' } ],
  [ 'an amount as a number',   { amount: 1000 } ],
  [ 'no card',                 { card: undefined } ],
  [ 'a wrong check digit',     { card: { number: '4111111111111112', exp_month: 1, exp_year: 2038 } } ],
  [ 'a thirteenth month',      { card: { number: visa, exp_month: 13, exp_year: 2038 } } ],
] as const

for (const [title, fields] of malformedRequests) {
  test(`${title} is refused before anything happens, without quoting the value`, async (t) => {
    const acquirer = await openTestAcquirer(t)
    const answer = await acquirer.first('sale', visa, '01/2038', fields)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.error.code, 'invalid_request')
    assert.doesNotMatch(JSON.stringify(answer.body), /\d{12}/)
    assert.equal((await acquirer.status(answer.id)).status, 404)
  })
}

test('a body that is not JSON, or too large, or without a key is refused', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const post = (body: string, headers = {}) =>
    fetch(`${acquirer.url}/v1/transactions`, { method: 'POST', body, headers })
  assert.equal((await post('{', { 'idempotency-key': 'k' })).status, 400)
  assert.equal((await post(`"${'x'.repeat(70_000)}"`, { 'idempotency-key': 'k' })).status, 413)
  assert.equal((await post(JSON.stringify(firstBody('sale', visa, '01/2038')))).status, 400)
})

test('no order of later steps gives back more than was taken, or takes more than was held', async (t) => {
  const acquirer = await Acquirer.open(await temporaryFolder(t))
  t.after(() => acquirer.close())
  const step = fc.tuple(fc.constantFrom('capture', 'refund', 'reverse', 'void'), fc.integer({ min: 0, max: 1200 }))
  // 09/2039 to 11/2039 leave steps undecided for a while.
  const expiry = fc.constantFrom('01/2038', '09/2039', '10/2039', '11/2039')

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('sale', 'authorize', 'debit'),
      expiry,
      fc.array(step, { maxLength: 12 }),
      async (type, when, steps) => {
        const paymentId = randomUUID()
        const first = randomUUID()
        await acquirer.submit(first, { ...firstBody(type, visa, when), payment_id: paymentId })
        for (const [later, amount] of steps) {
          const fields = { mid: 'MID-1', payment_id: paymentId, original_transaction_id: first, currency: 'EUR' }
          await acquirer.submit(randomUUID(), { type: later, amount: String(amount), ...fields })
          if (amount % 3 === 0) acquirer.setClock(acquirer.clock.offsetMs + 30_000)
          // Sometimes a hold lapses in between.
          if (amount % 5 === 0) acquirer.setClock(acquirer.clock.offsetMs + 4 * 86_400_000)
        }
        acquirer.setClock(acquirer.clock.offsetMs + 30_000)
        acquirer.settleDue()

        const sum = {
          sale: 0,
          authorize: 0,
          debit: 0,
          capture: 0,
          refund: 0,
          reverse: 0,
          void: 0,
          credit: 0,
          transfer: 0,
          chargeback: 0,
          lapse: 0,
        }
        for (const entry of acquirer.book.ledger.since(0, Number.MAX_SAFE_INTEGER)) {
          if (entry.transaction.record.paymentId === paymentId)
            sum[entry.type] += Number(entry.transaction.record.amount)
        }
        const taken = sum.sale + sum.debit + sum.capture
        const released = (type === 'authorize' ? sum.reverse : 0) + sum.lapse
        assert.ok(sum.capture + released <= sum.authorize, 'captured and released together are at most the hold')
        assert.ok(
          sum.refund + sum.void + (type === 'authorize' ? 0 : sum.reverse) <= taken,
          'given back at most what was taken',
        )
      },
    ),
    { numRuns: 150 },
  )
})
