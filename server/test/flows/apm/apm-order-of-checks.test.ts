/** Which error is reported when a request on S2S APM has several faults, and which payments are unknown here. Chapter 20 §1, §1.1, §17. */
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { Apm, openApmAccount } from '../../apm.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Answer, formOf, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop({ TRUSTED_PROXIES: '127.0.0.1' })
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
const unknownId = '00000000-0000-4000-8000-000000000000'
const unknownRoute = (answer: Answer) => assertRefused(answer, 100000, 'Route or parameters is not supported', 404)

/** A step of chapter 20 §1.1: how a CAPTURE of a payment without a hold is made to fail there, and the answer of that step. */
interface Step {
  readonly title: string
  /** Set after the payment was made, because the payment itself would violate it. */
  readonly restriction?: string
  readonly exhausted?: boolean
  readonly fields?: RequestFields
  readonly rawTail?: string
  readonly answers: (answer: Answer) => void
}

const steps: readonly Step[] = [
  {
    title: '1 body',
    rawTail: '&x=%zz',
    answers: (answer) => assertViolations(answer, ['body: A percent sign must be followed by two hexadecimal digits.']),
  },
  { title: '2 action', fields: { action: 'DEBIT' }, answers: unknownRoute },
  {
    title: '3 key',
    restriction: 'update merchants set test_only = true where name = $1',
    answers: (answer) => assertRefused(answer, 220002, 'Use merchant test key.'),
  },
  {
    title: '4 mapping',
    restriction: `delete from protocol_mappings where protocol = 'S2S_APM' and merchant_id = (select id from merchants where name = $1)`,
    answers: (answer) => assertRefused(answer, 100000, 'Protocol mapping not found.'),
  },
  {
    title: '5 address',
    restriction: `update merchants set allowed_ips = '{203.0.113.0/24}' where name = $1`,
    answers: (answer) => assertRefused(answer, 100000, 'IP address is not allowed.', 403),
  },
  {
    title: '6 rate',
    restriction: 'update merchants set rate_per_second = 1 where name = $1',
    exhausted: true,
    answers: (answer) => assertRefused(answer, 100000, 'Too many requests.', 429),
  },
  {
    title: '7 parameters',
    fields: { parameters: 'x' },
    answers: (answer) => assertViolations(answer, [`parameters: ${says.notValid}`]),
  },
  {
    title: '8 entity',
    fields: { trans_id: unknownId },
    answers: (answer) => assertRefused(answer, 101000, 'Transaction does not exist.'),
  },
  {
    title: '9 hash',
    fields: { hash: '0'.repeat(32) },
    answers: (answer) => assertViolations(answer, [`hash: ${says.wrongHash}`]),
  },
  {
    title: '10 rules',
    answers: (answer) =>
      assertRefused(answer, 208003, 'Not acceptable to request the capture for payment not in pending status.'),
  },
]

async function captureFailing(faults: readonly Step[]): Promise<Answer> {
  const merchant = await openApmAccount(shop)
  const { body } = await apm.sale({}, { merchant })
  const { key } = shop.merchant(merchant)
  for (const { restriction } of faults) if (restriction) await shop.configure(restriction, [merchant])
  // The clock is frozen, so that the bucket of two requests does not refill on a slow machine.
  const clock = faults.some(({ exhausted }) => exhausted) ? freezeClock() : null
  if (clock) for (const _ of [1, 2]) await shop.raw({ action: 'CAPTURE', client_key: key }, { path: '/post-va' })

  const sound = apm.sign('CAPTURE', { trans_id: body.trans_id }, { merchant })
  const form = formOf(Object.assign({}, sound, ...faults.map(({ fields }) => fields)))
  const tail = faults.map(({ rawTail = '' }) => rawTail).join('')
  const answer = await shop.send({ path: '/post-va', body: `${form.toString()}${tail}`, headers: formHeaders })
  clock?.restore()
  return answer
}

function freezeClock(): { restore(): void } {
  const now = shop.base.clock.now()
  return mock.method(shop.base.clock, 'now', () => now).mock
}

for (const [index, earlier] of steps.entries()) {
  test(`step ${earlier.title} has its own answer`, async () => {
    earlier.answers(await captureFailing([earlier]))
  })
  const [later] = steps.slice(index + 1)
  if (!later) continue
  test(`a request that fails at step ${earlier.title} and at step ${later.title} is answered by the former`, async () => {
    earlier.answers(await captureFailing([earlier, later]))
  })
}

test('an unknown key, and the key of a disabled merchant, is the only fault reported', async () => {
  const notCorrect = [`client_key: ${says.notCorrect}`]
  for (const client_key of [unknownId, 'x', 'x'.repeat(300)])
    assertViolations(await shop.raw({ action: 'SALE', client_key }, { path: '/post-va' }), notCorrect)
  const merchant = await openApmAccount(shop)
  await shop.configure('update merchants set status = $2 where name = $1', [merchant, 'blocked'])
  assertViolations(await apm.sale({ hash: 'x', payer_ip: 'x' }, { merchant }), notCorrect)
})

test('an unknown brand is reported after a wrong hash, and after every other parameter', async () => {
  const over = { brand: 'no-such-brand' }
  assertRefused(await apm.sale(over), 204011, 'Payment system/brand not found.')
  assertViolations(await apm.sale({ ...over, hash: 'x' }), [`hash: ${says.wrongHash}`])
  assertViolations(await apm.sale({ ...over, payer_ip: 'x' }), [`payer_ip: ${says.notValid}`])
})

for (const action of [
  undefined,
  '',
  'sale',
  'CHARGEBACK',
  'DEBIT',
  'RECURRING_SALE',
  'GET_TRANS_DETAILS',
  'CREATE_SCHEDULE',
]) {
  test(`action ${JSON.stringify(action)} is an unknown route on /post-va`, async () => {
    unknownRoute(await apm.sale({ action }))
  })
}

for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
  test(`${method} /post-va is an unknown route`, async () => {
    const body = formOf(apm.sign('GET_TRANS_STATUS', { trans_id: unknownId })).toString()
    unknownRoute(
      await (method === 'GET'
        ? shop.send({ method, path: `/post-va?${body}` })
        : shop.send({ method, path: '/post-va', body, headers: formHeaders })),
    )
  })
}

for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
  test(`a body of type ${type} is refused without rows`, async () => {
    const answer = await shop.send({ path: '/post-va', body: '{}', headers: { 'content-type': type } })
    assertRefused(answer, 100000, 'Request data is invalid.')
  })
}

test('a multipart form is read like any other', async () => {
  const body = new FormData()
  for (const [name, value] of formOf(apm.sign('GET_TRANS_STATUS', { trans_id: unknownId }))) body.append(name, value)
  assertRefused(await shop.send({ path: '/post-va', body }), 101000, 'Transaction does not exist.')
})

test('body size, number of parameters and depth are limited', async () => {
  const tooLarge = (answer: Answer) => assertRefused(answer, 100000, 'Request is too large.', 413)
  const body = 'action=SALE&x='.padEnd(262_145, 'x')
  tooLarge(await shop.send({ path: '/post-va', body, headers: formHeaders }))
  tooLarge(await apm.sale(Object.fromEntries(Array.from({ length: 401 }, (_, index) => [`x${index}`, '1']))))
  tooLarge(await apm.sale({ [`custom_data${'[a]'.repeat(9)}`]: '1' }))
})

for (const path of ['/post', '/post-va']) {
  test(`payouts are accepted on ${path}, under the mapping of S2S APM`, async () => {
    const merchant = await openApmAccount(shop)
    assertViolations(await apm.payout({}, { merchant, path }), [])
    assertViolations(await apm.cryptoPayout({}, { merchant, path }), [])
    await shop.configure(
      `delete from protocol_mappings where protocol = 'S2S_APM' and merchant_id = (select id from merchants where name = $1)`,
      [merchant],
    )
    assertRefused(await apm.payout({}, { merchant, path }), 100000, 'Protocol mapping not found.')
  })
}

test('payouts and debits are accepted on /post and /v2/post as on /post-va', async () => {
  for (const path of ['/post', '/v2/post']) {
    for (const answer of [await apm.payout({}, { path }), await apm.cryptoPayout({}, { path })])
      assertViolations(answer, [])
    const debited = await apm.debit({}, { path })
    assert.deepEqual([debited.body.action, debited.body.result], ['DEBIT2VIRTUAL', 'SUCCESS'])
    const { body } = await apm.calculate({}, { path })
    const completed = await apm.followUp('DEBIT2VIRTUAL_COMPLETE', body.trans_id, {}, { path })
    assert.deepEqual([completed.body.result, completed.body.status], ['SUCCESS', 'SETTLED'])
  }
})

test('payouts and debits are found at the address that took them, by the formulas of S2S APM', async () => {
  for (const path of ['/post', '/v2/post']) {
    const order = apm.order()
    const { trans_id } = (await apm.payout(order, { path })).body
    const expected = { result: 'SUCCESS', status: 'SETTLED', order_id: order['order_id'], trans_id }
    assert.deepEqual((await apm.status(trans_id, { path })).body, { action: 'GET_TRANS_STATUS', ...expected })
    assert.deepEqual((await apm.byOrder(order['order_id'] ?? '', { path })).body, {
      action: 'GET_TRANS_STATUS_BY_ORDER',
      ...expected,
    })
    const { transactions, ...details } = (await apm.followUp('GET_TRANS_DETAILS', trans_id, {}, { path })).body
    assert.deepEqual(details, { action: 'GET_TRANS_DETAILS', ...expected, amount: '10.00', currency: 'EUR' })
    assert.deepEqual(
      transactions.map(({ type, status, amount }: Answer['body']) => [type, status, amount]),
      [['CREDIT', 'success', '10.00']],
    )
    assertRefused(await apm.status(trans_id, { path, mode: 'test' }), 101000, 'Transaction does not exist.')
    const wrongHash = await apm.followUp('GET_TRANS_STATUS', trans_id, { hash: '0'.repeat(32) }, { path })
    assertViolations(wrongHash, [`hash: ${says.wrongHash}`])
  }
  const { body } = await apm.calculate({}, { path: '/post' })
  await apm.followUp('DEBIT2VIRTUAL_COMPLETE', body.trans_id, {}, { path: '/post' })
  const details = await apm.followUp('GET_TRANS_DETAILS', body.trans_id, {}, { path: '/post' })
  assert.deepEqual(
    details.body.transactions.map(({ type }: Answer['body']) => type),
    ['DEBIT'],
  )
})

test('a merchant with a mapping of S2S APM alone finds its payouts on /post', async () => {
  const merchant = await openApmAccount(shop)
  await shop.configure(
    `delete from protocol_mappings where protocol = 'S2S_CARD' and merchant_id = (select id from merchants where name = $1)`,
    [merchant],
  )
  const as = { merchant, path: '/post' }
  const { body } = await apm.payout({}, as)
  assert.equal((await apm.status(body.trans_id, as)).body.status, 'SETTLED')
  assertRefused(await apm.status(unknownId, as), 101000, 'Transaction does not exist.')
})

test('a payout does not hide a card payment of the same order from a look-up on /post', async () => {
  const order_id = 'CARD-AND-PAYOUT'
  const sale = await shop.sale({ order_id })
  await apm.payout({ order_id }, { path: '/post' })
  assert.equal((await shop.byOrder(order_id)).body.trans_id, sale.body.trans_id)
})

// biome-ignore format: a table is read in columns.
const unknownIdCases: readonly (readonly [action: string, code: number, message: string])[] = [
  // Chapter 20 §17.3
  ['GET_TRANS_STATUS',       101000, 'Transaction does not exist.'],
  ['CAPTURE',                101000, 'Transaction does not exist.'],
  ['DEBIT2VIRTUAL_COMPLETE', 101000, 'Transaction does not exist.'],
  ['VOID',                   100000, 'Payment not found.'],
  ['CREDITVOID',             100000, 'Payment not found.'],
]

const apmSale = await apm.sale()
const cardSale = await shop.sale()
const otherMode = await apm.sale({}, { mode: 'test' })
const foreign = await apm.sale({}, { merchant: 'demo-no-moto' })

for (const [action, code, message] of unknownIdCases) {
  test(`${action} does not find payments that do not exist, belong to another merchant or mode, or were paid with card data`, async () => {
    for (const transId of [unknownId, 'no identifier', foreign, otherMode, cardSale].map((one) =>
      typeof one === 'string' ? one : one.body.trans_id,
    ))
      assertRefused(await apm.followUp(action, transId), code, message)
  })
}

test('a look-up by order finds only payments with a brand', async () => {
  const order = await shop.sale({ order_id: 'MIXED' })
  assert.equal(order.http, 200)
  assertRefused(await apm.byOrder('MIXED'), 101000, 'Order does not exist.')
  const { body } = await apm.sale({ order_id: 'MIXED' })
  await shop.sale({ order_id: 'MIXED' })
  assert.equal((await apm.byOrder('MIXED')).body.trans_id, body.trans_id)
  for (const as of [{ merchant: 'demo-no-moto' }, { mode: 'test' }] as const)
    assertRefused(await apm.byOrder('MIXED', as), 101000, 'Order does not exist.')
})

test('S2S CARD does not find sales of S2S APM, whatever the formula', async () => {
  const { trans_id } = apmSale.body
  const answer = await shop.followUp('GET_TRANS_STATUS', trans_id)
  for (const one of [answer, await apm.status(trans_id, { path: '/post' })])
    assertRefused(one, 101000, 'Transaction does not exist.')
})

test('trans_id is case-insensitive, and so is the hash', async () => {
  const transId = apmSale.body.trans_id.toUpperCase()
  const { hash } = apm.sign('GET_TRANS_STATUS', { trans_id: transId })
  assertViolations(await apm.followUp('GET_TRANS_STATUS', transId, { hash: hash?.toUpperCase() }), [])
})

for (const hash of ['x', '0'.repeat(31), '0'.repeat(64), '0'.repeat(300)]) {
  test(`a hash of ${hash.length} characters is wrong, not malformed`, async () => {
    assertViolations(await apm.status(apmSale.body.trans_id), [])
    assertViolations(await apm.followUp('GET_TRANS_STATUS', apmSale.body.trans_id, { hash }), [
      `hash: ${says.wrongHash}`,
    ])
  })
}

test('requests are signed with SHA-256 if the mapping says so', async () => {
  const as = { merchant: 'demo-sha256' } as const
  assertViolations(await apm.sale({}, { ...as, digest: 'sha256' }), [])
  assertViolations(await apm.sale({}, as), [`hash: ${says.wrongHash}`])
})

test('the same Idempotency-Key and body repeat the first answer byte for byte; another body is a conflict', async () => {
  const headers = { 'idempotency-key': 'apm-1' }
  const fields = apm.sign('SALE', {
    ...apm.order(),
    brand: 'vcard',
    identifier: 'success@x',
    payer_ip: '203.0.113.7',
    return_url: 'https://shop.example.com',
  })
  const [first, second] = [
    await shop.raw(fields, { path: '/post-va', headers }),
    await shop.raw(fields, { path: '/post-va', headers }),
  ]
  assert.equal(first.http, 200)
  assert.equal(second.text, first.text)
  const other = await apm.sale({}, { headers })
  assertRefused(other, 100000, 'Idempotency key was used with other parameters.', 409)
})
