/** CAPTURE, CREDITVOID and VOID on S2S APM: answers, refusals and callbacks. Chapter 20 §7, §8, §9. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Apm, openApmAccount } from '../../apm.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Answer, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())

const seconds = 1000
const hours = 3600 * seconds
const head = 'action result status order_id trans_id'
const id = async (pay: Promise<Answer>): Promise<string> => (await pay).body.trans_id
const by = (trigger: string): RequestFields => ({ identifier: `${trigger}@example.com` })
const readLastCallback = async (transId: string) => (await apm.callbacks(transId)).at(-1)?.fields ?? {}
const names = (fields: object): string => Object.keys(fields).join(' ')

test('CAPTURE captures the whole hold', async () => {
  const transId = await id(apm.hold())
  const { body } = await apm.followUp('CAPTURE', transId)
  assert.equal(names(body), `${head} trans_date descriptor amount currency`)
  assert.deepEqual([body.action, body.result, body.status, body.amount], ['CAPTURE', 'SUCCESS', 'SETTLED', '10.00'])
  const callback = await readLastCallback(transId)
  assert.equal(names(callback), `${head} hash trans_date descriptor amount currency`)
  assert.deepEqual([callback['action'], callback['status']], ['CAPTURE', 'SETTLED'])
})

test('a partial CAPTURE captures its amount, and a second one is refused', async () => {
  const transId = await id(apm.hold())
  const { body } = await apm.followUp('CAPTURE', transId, { amount: '4.5' })
  assert.deepEqual([body.status, body.amount], ['SETTLED', '4.50'])
  assertRefused(
    await apm.followUp('CAPTURE', transId, { amount: '1.00' }),
    208003,
    'Not acceptable to request the capture for payment not in pending status.',
  )
})

test('a declined CAPTURE leaves the hold', async () => {
  const transId = await id(apm.hold(by('capture-fail')))
  const { body } = await apm.followUp('CAPTURE', transId)
  assert.equal(names(body), `${head} trans_date descriptor amount currency decline_reason`)
  assert.deepEqual([body.result, body.status], ['DECLINED', 'PENDING'])
  assert.deepEqual(
    [(await readLastCallback(transId))['result'], (await readLastCallback(transId))['status']],
    ['DECLINED', 'PENDING'],
  )
})

test('CAPTURE above the hold, or with the wrong number of decimals, is refused', async () => {
  const transId = await id(apm.hold())
  assertRefused(
    await apm.followUp('CAPTURE', transId, { amount: '10.01' }),
    208004,
    'Not acceptable to request the capture for amount bigger than auth amount.',
  )
  assertViolations(await apm.followUp('CAPTURE', transId, { amount: '1.001' }), [`amount: ${says.notValid}`])
})

test('a hold of a MID in DMS mode is captured like any other', async () => {
  const as = { merchant: 'demo-dms' }
  const transId = await id(apm.sale({}, as))
  assert.equal((await apm.followUp('CAPTURE', transId, {}, as)).body.status, 'SETTLED')
})

test('CREDITVOID answers with four fields and no more', async () => {
  const { body } = await apm.sale()
  const answer = await apm.followUp('CREDITVOID', body.trans_id)
  assert.equal(
    answer.text,
    `{"action":"CREDITVOID","result":"ACCEPTED","order_id":"${body.order_id}","trans_id":"${body.trans_id}"}`,
  )
})

// biome-ignore format: a table is read in columns.
const partialRefunds: readonly (readonly [title: string, made: () => Promise<Answer>, amounts: readonly (string | undefined)[], statuses: readonly string[]])[] = [
  // Chapter 20 §8                                              amounts              status after each
  ['a hold is released whole',         () => apm.hold(),        [undefined],         ['REVERSAL']],
  ['a hold, its amount named',         () => apm.hold(),        ['10.00'],           ['REVERSAL']],
  ['a sale is refunded whole',         () => apm.sale(),        [undefined],         ['REFUND']],
  ['a sale is refunded in parts',      () => apm.sale(),        ['4.00', '5', undefined], ['SETTLED', 'SETTLED', 'REFUND']],
  ['a debit is reversed whole',        () => apm.debit(),       [undefined],         ['REVERSAL']],
  ['a debit is reversed in parts',     () => apm.debit(),       ['4.00', '6.00'],    ['SETTLED', 'REVERSAL']],
]

for (const [title, pay, amounts, statuses] of partialRefunds) {
  test(`CREDITVOID: ${title}`, async () => {
    const transId = await id(pay())
    for (const [index, amount] of amounts.entries()) {
      assert.equal((await apm.followUp('CREDITVOID', transId, { amount })).body.result, 'ACCEPTED')
      const callback = await readLastCallback(transId)
      assert.equal(names(callback), `${head} hash creditvoid_id creditvoid_date amount`)
      assert.deepEqual(
        [callback['action'], callback['result'], callback['status'], callback['trans_id']],
        ['CREDITVOID', 'SUCCESS', statuses[index], transId],
      )
    }
    const refundIds = (await apm.callbacks(transId)).map(({ fields }) => fields['creditvoid_id']).filter(Boolean)
    assert.equal(new Set(refundIds).size, amounts.length)
  })
}

test('refund-fail: the callback has the reason, without date and amount, and the status stays', async () => {
  const transId = await id(apm.sale(by('refund-fail')))
  assert.equal((await apm.followUp('CREDITVOID', transId)).body.result, 'ACCEPTED')
  const callback = await readLastCallback(transId)
  assert.equal(names(callback), `${head} hash creditvoid_id decline_reason`)
  assert.deepEqual([callback['result'], callback['status']], ['DECLINED', 'SETTLED'])
})

test('refund-wait: WAITING first, then SUCCESS under the same creditvoid_id', async () => {
  const transId = await id(apm.sale(by('refund-wait')))
  await apm.followUp('CREDITVOID', transId)
  await shop.advance(31 * seconds)
  const [waiting, done] = (await apm.callbacks(transId)).slice(1).map(({ fields }) => fields)
  assert.equal(names(waiting ?? {}), `${head} hash creditvoid_id creditvoid_date amount`)
  assert.deepEqual([waiting?.['result'], waiting?.['status']], ['WAITING', 'SETTLED'])
  assert.deepEqual([done?.['result'], done?.['status']], ['SUCCESS', 'REFUND'])
  assert.equal(done?.['creditvoid_id'], waiting?.['creditvoid_id'])
})

const tooMuchBack = 'Not acceptable to request the reversal for amount bigger than payment amount.'

// biome-ignore format: a table is read in columns.
const refusedRefunds: readonly (readonly [title: string, made: () => Promise<Answer>, amount: string | undefined, code: number, message: string])[] = [
  ['a part of a hold',           () => apm.hold(),                  '5.00',    208009, 'Not acceptable to request the reversal for partial amount.'],
  ['more than a hold',           () => apm.hold(),                  '10.01',   208008, tooMuchBack],
  ['more than a debit',          () => apm.debit(),                 '10.01',   208008, tooMuchBack],
  ['more than a sale',           () => apm.sale(),                  '10.01',   208006, 'Not acceptable to request the refund for amount bigger than payment amount.'],
  ['a declined sale',            () => apm.sale(by('fail')),        undefined, 208005, 'Refund is not allowed'],
  ['a sale whose payer is away', () => apm.sale(by('redirect')),    undefined, 208005, 'Refund is not allowed'],
  ['a payout',                   () => apm.payout(),                undefined, 208005, 'Refund is not allowed'],
  ['a calculated debit',         () => apm.calculate(),             undefined, 208005, 'Refund is not allowed'],
]

for (const [title, pay, amount, code, message] of refusedRefunds) {
  test(`CREDITVOID of ${title}: ${code}`, async () => {
    assertRefused(await apm.followUp('CREDITVOID', await id(pay()), { amount }), code, message)
  })
}

const tooMuchRefunded = 'Not acceptable to request the refund for amount bigger than payment amount.'

// biome-ignore format: a table is read in columns.
const rests: readonly (readonly [title: string, made: () => Promise<Answer>, first: readonly [action: string, amount: string], over: string, code: number, message: string, rest: string])[] = [
  // what                made                first                       too much  code    message          remainder
  ['a sale',             () => apm.sale(),   ['CREDITVOID', '4.00'],     '6.01',   208006, tooMuchRefunded, '6.00'],
  ['a captured hold',    () => apm.hold(),   ['CAPTURE', '4.50'],        '4.51',   208006, tooMuchRefunded, '4.50'],
  ['a debit',            () => apm.debit(),  ['CREDITVOID', '4.00'],     '6.01',   208008, tooMuchBack,     '6.00'],
]

for (const [title, pay, [action, amount], over, code, message, rest] of rests) {
  test(`CREDITVOID of ${title} after ${action} of ${amount}: at most ${rest} is left`, async () => {
    const transId = await id(pay())
    await apm.followUp(action, transId, { amount })
    assertRefused(await apm.followUp('CREDITVOID', transId, { amount: over }), code, message)
    assert.equal((await apm.followUp('CREDITVOID', transId, { amount: rest })).body.result, 'ACCEPTED')
    assert.match((await readLastCallback(transId))['status'], /^(REFUND|REVERSAL)$/)
    assertRefused(await apm.followUp('CREDITVOID', transId), 208005, 'Refund is not allowed')
  })
}

test('CREDITVOID of a payment that is already refunded, voided or released is refused', async () => {
  for (const [action, pay] of [
    ['CREDITVOID', apm.sale()],
    ['CREDITVOID', apm.debit()],
    ['VOID', apm.sale()],
    ['CREDITVOID', apm.hold()],
  ] as const) {
    const transId = await id(pay)
    await apm.followUp(action, transId)
    assertRefused(await apm.followUp('CREDITVOID', transId), 208005, 'Refund is not allowed')
  }
})

test('while a transaction is in progress no other begins', async () => {
  const transId = await id(apm.sale(by('refund-wait')))
  await apm.followUp('CREDITVOID', transId, { amount: '1.00' })
  for (const action of ['CREDITVOID', 'VOID'])
    assertRefused(await apm.followUp(action, transId), 100000, 'Previous transaction not completed.')
})

test('concurrent refunds never exceed the captured amount', async () => {
  const transId = await id(apm.sale())
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => apm.followUp('CREDITVOID', transId, { amount: '4.00' })),
  )
  const accepted = answers.filter(({ body }) => body.result === 'ACCEPTED').length
  assert.ok(accepted >= 1 && accepted <= 2, `${accepted} refunds of 4.00 out of 10.00 were accepted.`)
})

test('VOID cancels a sale of the same financial day, a captured hold included', async () => {
  const captured = await id(apm.hold())
  await apm.followUp('CAPTURE', captured)
  for (const transId of [await id(apm.sale()), captured]) {
    const { body } = await apm.followUp('VOID', transId)
    assert.equal(names(body), `${head} trans_date`)
    assert.deepEqual([body.action, body.result, body.status], ['VOID', 'SUCCESS', 'VOID'])
    assert.equal(names(await readLastCallback(transId)), `${head} hash trans_date`)
  }
})

test('a declined VOID leaves the sale settled', async () => {
  const transId = await id(apm.sale(by('void-fail')))
  const { body } = await apm.followUp('VOID', transId)
  assert.equal(names(body), `${head} trans_date decline_reason`)
  assert.deepEqual([body.result, body.status], ['DECLINED', 'SETTLED'])
  assert.equal(names(await readLastCallback(transId)), `${head} hash trans_date decline_reason`)
})

// biome-ignore format: a table is read in columns.
const notVoided: readonly (readonly [title: string, made: () => Promise<Answer>])[] = [
  ['an uncaptured hold', () => apm.hold()],
  ['a debit',            () => apm.debit()],
  ['a payout',           () => apm.payout()],
  ['a declined sale',    () => apm.sale(by('fail'))],
]

for (const [title, pay] of notVoided) {
  test(`VOID of ${title} is not allowed`, async () => {
    assertRefused(await apm.followUp('VOID', await id(pay())), 100000, 'Void is not allowed.')
  })
}

test('VOID is refused after a refund and on a later financial day', async () => {
  const merchant = await openApmAccount(shop)
  const refunded = await id(apm.sale({}, { merchant }))
  await apm.followUp('CREDITVOID', refunded, { amount: '1.00' }, { merchant })
  assertRefused(await apm.followUp('VOID', refunded, {}, { merchant }), 100000, 'Void is not allowed.')
  const late = await id(apm.sale({}, { merchant }))
  await shop.advance(24 * hours)
  assertRefused(await apm.followUp('VOID', late, {}, { merchant }), 100000, 'Void is not allowed.')
})

test('the financial day of a captured hold is that of its capture', async () => {
  const merchant = await openApmAccount(shop)
  const transId = await id(apm.hold({}, { merchant }))
  await shop.advance(24 * hours)
  await apm.followUp('CAPTURE', transId, {}, { merchant })
  assert.equal((await apm.followUp('VOID', transId, {}, { merchant })).body.status, 'VOID')
})

test('follow-ups are signed by the formula of their action and by no other', async () => {
  const transId = await id(apm.sale())
  const { hash } = apm.sign('VOID', { trans_id: transId })
  assertViolations(await apm.followUp('CREDITVOID', transId, { hash }), [`hash: ${says.wrongHash}`])
})
