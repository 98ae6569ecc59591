/** The parameters that put a chain on a schedule, and their effect on answers, callbacks and look-ups. Chapter 10 §7.1.1, §7.1.3, §7.6. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { addDays } from '#domain/schedule/day.ts'
import { chargeChain, newSchedule, onSchedule, startChain } from '../../chains.ts'
import { expiryFields } from '../../payments.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { formOf, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const today = (): string => shop.base.clock.now().toISOString().slice(0, 10)
const blank = (...names: readonly string[]) => names.map((name) => `${name}: ${says.blank}`)
const notValid = (name: string) => [`${name}: ${says.notValid}`]
const notChoice = (name: string) => [`${name}: ${says.notChoice}`]

test('chapter 10 §13.7: a trial echoes its parameters and returns the first date, in answer, callback and look-up', async () => {
  const schedule_id = await newSchedule(shop)
  const start = addDays(today(), 40)
  const { body } = await shop.sale({
    recurring_init: 'Y',
    schedule_id,
    schedule_start_date: start,
    payment_schedule_amount: '9.9',
    order_amount: '0.00',
  })
  const { amount, recurring_token, trans_id } = body
  assert.equal(
    Object.keys(body).slice(9).join(' '),
    'recurring_token schedule_id first_recurring_date schedule_start_date payment_schedule_amount',
  )
  const planFields = {
    schedule_id,
    schedule_start_date: start,
    payment_schedule_amount: '9.90',
    first_recurring_date: start,
  }
  const { schedule_start_date, payment_schedule_amount, first_recurring_date } = body
  assert.deepEqual(
    { schedule_id: body.schedule_id, schedule_start_date, payment_schedule_amount, first_recurring_date },
    planFields,
  )
  assert.equal(amount, '0.00')

  const [callback] = await shop.callbacks(trans_id)
  const names = Object.keys(callback?.fields ?? {})
  assert.equal(
    names.slice(names.indexOf('recurring_init_trans_id')).join(' '),
    'recurring_init_trans_id recurring_token schedule_id schedule_start_date payment_schedule_amount first_recurring_date',
  )
  for (const [name, value] of Object.entries(planFields)) assert.equal(callback?.fields[name], value, name)

  const { body: looked } = await shop.followUp('GET_TRANS_STATUS', trans_id)
  assert.equal(
    Object.keys(looked).slice(5).join(' '),
    'recurring_token schedule_id first_recurring_date schedule_start_date payment_schedule_amount',
  )
  assert.equal(looked.recurring_token, recurring_token)
})

// biome-ignore format: a table is read in columns.
const results = [
  // expiry    result       start date sent  first_recurring_date
  ['01/2038', 'SUCCESS',    false,           'computed'],
  ['01/2038', 'SUCCESS',    true,            'as sent'],
  ['02/2038', 'DECLINED',   false,           'none'],
  ['02/2038', 'DECLINED',   true,            'none'],
  ['04/2038', 'UNDEFINED',  false,           'none'],
  ['04/2038', 'UNDEFINED',  true,            'as sent'],
] as const

for (const [expiry, result, isSent, first] of results) {
  test(`${result} ${isSent ? 'with' : 'without'} schedule_start_date: schedule_id always, first_recurring_date ${first}`, async () => {
    const schedule_id = await newSchedule(shop, { interval_length: '10', interval_unit: 'day' })
    const start = addDays(today(), 3)
    const { body } = await shop.sale({
      recurring_init: 'Y',
      schedule_id,
      ...(isSent ? { schedule_start_date: start } : {}),
      ...expiryFields(expiry),
    })
    assert.equal(body.result, result)
    assert.equal(body.schedule_id, schedule_id)
    assert.equal(body.schedule_start_date, isSent ? start : undefined)
    const expected = { computed: addDays(today(), 10), 'as sent': start, none: undefined }[first]
    assert.equal(body.first_recurring_date, expected)
    const [callback] = await shop.callbacks(body.trans_id)
    assert.equal(callback?.fields['schedule_id'], schedule_id)
    assert.equal(callback?.fields['first_recurring_date'], expected)
    const { body: looked } = await shop.followUp('GET_TRANS_STATUS', body.trans_id)
    assert.deepEqual([looked.schedule_id, looked.first_recurring_date], [schedule_id, expected])
  })
}

test('a late success returns the first date counted from its own day', async () => {
  const schedule_id = await newSchedule(shop, { interval_length: '10', interval_unit: 'day' })
  const { body } = await shop.sale({ recurring_init: 'Y', schedule_id, ...expiryFields('04/2038') })
  await shop.advance(31_000)
  const callback = (await shop.callbacks(body.trans_id)).at(-1)
  assert.equal(callback?.fields['first_recurring_date'], addDays(today(), 10))
})

const schedule_id = await newSchedule(shop)
const pausedId = await newSchedule(shop)
await onSchedule(shop, 'PAUSE', pausedId)
const init: RequestFields = { recurring_init: 'Y', schedule_id }

// biome-ignore format: a table is read in columns.
const wishes: readonly (readonly [sent: RequestFields, rows: readonly string[]])[] = [
  [{ recurring_init: 'yes' },                                    notChoice('recurring_init')],
  [{ schedule_id },                                              notValid('schedule_id')],
  [{ schedule_id, recurring_init: 'N' },                         notValid('schedule_id')],
  [{ recurring_init: 'Y', schedule_start_date: '2037-01-01' },   blank('schedule_id')],
  [{ recurring_init: 'Y', payment_schedule_amount: '1.00' },     blank('schedule_id')],
  [{ schedule_start_date: '2037-01-01', payment_schedule_amount: '1.00' }, blank('schedule_id')],
  [{ ...init, schedule_start_date: '2030-02-30' },               notValid('schedule_start_date')],
  [{ ...init, schedule_start_date: '30-01-01' },                 notValid('schedule_start_date')],
  [{ ...init, schedule_start_date: '2026-01-01' },               notValid('schedule_start_date')],
  [{ ...init, payment_schedule_amount: '0.00' },                 [`payment_schedule_amount: ${says.notPositive}`]],
  [{ ...init, payment_schedule_amount: '-5' },                   [`payment_schedule_amount: ${says.notPositive}`]],
  [{ ...init, payment_schedule_amount: '9.999' },                notValid('payment_schedule_amount')],
  [{ ...init, payment_schedule_amount: 'ten' },                  notValid('payment_schedule_amount')],
  [{ ...init, order_amount: '0' },                               blank('payment_schedule_amount')],
  [{ ...init, schedule_id: 'x'.repeat(256) },                    [`schedule_id: ${says.notCorrect}`]],
]

for (const [sent, rows] of wishes) {
  test(`SALE and DEBIT refuse ${formOf(sent).toString().slice(0, 90)}`, async () => {
    for (const action of ['SALE', 'DEBIT']) assertViolations(await shop.sale({ action, ...sent }), rows)
  })
}

test('the recurring parameters are reported in their positions', async () => {
  const sent = {
    recurring_init: 'Y',
    auth: 'x',
    schedule_start_date: 'x',
    payment_schedule_amount: 'x',
    moto_type: 'x',
  }
  assertViolations(await shop.sale(sent), [
    ...notChoice('auth'),
    ...blank('schedule_id'),
    ...notValid('schedule_start_date'),
    ...notValid('payment_schedule_amount'),
    ...notChoice('moto_type'),
  ])
})

test('a zero amount is refused without recurring_init or auth=Y, and accepted with one of them', async () => {
  const zero = [`order_amount: ${says.notPositive}`, `amount: ${says.notPositive}`]
  for (const action of ['SALE', 'DEBIT']) {
    assertViolations(await shop.sale({ action, order_amount: '0.00' }), zero)
    assertViolations(await shop.sale({ action, order_amount: '0.00', recurring_init: 'Y' }), [])
  }
})

test('today is the earliest date that may be sent', async () => {
  assertViolations(
    await shop.sale({ ...init, schedule_start_date: addDays(today(), -1) }),
    notValid('schedule_start_date'),
  )
  assertViolations(await shop.sale({ ...init, schedule_start_date: today() }), [])
})

const chain = await startChain(shop)

// biome-ignore format: a table is read in columns.
const payments = [
  // what names it       request
  ['SALE',              (id: string, more: RequestFields = {}) => shop.sale({ recurring_init: 'Y', schedule_id: id, ...more })],
  ['DEBIT',             (id: string, more: RequestFields = {}) => shop.sale({ action: 'DEBIT', recurring_init: 'Y', schedule_id: id, ...more })],
  ['RECURRING_SALE',    (id: string, more: RequestFields = {}) => chargeChain(shop, chain, { schedule_id: id, ...more })],
] as const

for (const [what, request] of payments) {
  test(`${what}: an unknown schedule is not found, a paused one is reported as paused`, async () => {
    const foreign = await newSchedule(shop, {}, { merchant: 'demo-no-moto' })
    for (const id of [randomUUID(), 'monthly', foreign]) {
      assertRefused(await request(id), 100000, 'Schedule not found')
      assertRefused(await request(id, { hash: 'x' }), 100000, 'Schedule not found')
    }
    assertRefused(await request(pausedId), 100000, 'Schedule is paused.')
    assertViolations(await request(pausedId, { hash: 'x' }), [`hash: ${says.wrongHash}`])
  })
}

test('RECURRING_SALE puts its chain on a schedule, as SALE does', async () => {
  const start = addDays(today(), 5)
  const sent = { schedule_id, schedule_start_date: start, payment_schedule_amount: '4' }
  const { body } = await chargeChain(shop, await startChain(shop), sent)
  assert.equal(
    Object.keys(body).slice(9).join(' '),
    'schedule_id first_recurring_date schedule_start_date payment_schedule_amount',
  )
  assert.deepEqual([body.first_recurring_date, body.payment_schedule_amount], [start, '4.00'])
  const refused = await chargeChain(shop, chain, { schedule_id, payment_schedule_amount: '4.001' })
  assertViolations(refused, notValid('payment_schedule_amount'))
})

test('chapter 10 §7.1.4: after a payer step the final callback contains the token and the first date, which the answer could not', async () => {
  const id = await newSchedule(shop, { interval_length: '10', interval_unit: 'day' })
  const { body } = await shop.sale({ recurring_init: 'Y', schedule_id: id, ...expiryFields('05/2038') })
  assert.deepEqual([body.result, body.schedule_id], ['REDIRECT', id])
  assert.deepEqual([body.recurring_token, body.first_recurring_date], [undefined, undefined])
  await fetch(body.redirect_params.TermUrl, {
    method: 'POST',
    body: new URLSearchParams({ MD: body.trans_id, PaRes: 'approve' }),
    redirect: 'manual',
  })
  const [sentAway, final] = await shop.callbacks(body.trans_id)
  assert.deepEqual([sentAway?.fields['result'], sentAway?.fields['recurring_token']], ['REDIRECT', undefined])
  assert.equal(sentAway?.fields['first_recurring_date'], undefined)
  assert.deepEqual([final?.fields['result'], final?.fields['status']], ['SUCCESS', 'SETTLED'])
  assert.equal(final?.fields['first_recurring_date'], addDays(today(), 10))
  const pair = { recurring_init_trans_id: body.trans_id, recurring_token: final?.fields['recurring_token'] }
  assert.equal((await chargeChain(shop, pair)).body.result, 'SUCCESS')
})

test('a payer step with schedule_start_date returns the first date at once', async () => {
  const start = addDays(today(), 4)
  const { body } = await shop.sale({ ...init, schedule_start_date: start, ...expiryFields('05/2038') })
  assert.deepEqual([body.result, body.first_recurring_date, body.schedule_start_date], ['REDIRECT', start, start])
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['first_recurring_date'], start)
})

test('a look-up reports the first date as an update of the schedule moved it, also after the plan has ended', async () => {
  const rule = { delayed_first_payment: 'delay_by_interval', first_payment_interval_unit: 'day' }
  const schedule_id = await newSchedule(shop, { ...rule, first_payment_interval_length: '10', payments_count: '1' })
  const initiated = today()
  const { body } = await shop.sale({ recurring_init: 'Y', schedule_id })
  assert.equal(body.first_recurring_date, addDays(initiated, 10))
  await onSchedule(shop, 'UPDATE_SCHEDULE', schedule_id, { over: { first_payment_interval_length: '20' } })
  const shownDates = async () => {
    const lookups = [
      await shop.followUp('GET_TRANS_STATUS', body.trans_id),
      await shop.followUp('GET_TRANS_DETAILS', body.trans_id),
      await shop.byOrder(body.order_id),
    ]
    return lookups.map((answer) => answer.body.first_recurring_date)
  }
  assert.deepEqual(await shownDates(), Array(3).fill(addDays(initiated, 20)))
  await shop.advance(20 * 86_400_000 + 60_000)
  await shop.service.awaitIdle()
  const { rows } = await shop.base.pool.query('select plan_date::text from payments where plan_date is not null')
  assert.ok(rows.some(({ plan_date }) => plan_date === addDays(initiated, 20)))
  assert.equal(
    (await shop.followUp('GET_TRANS_STATUS', body.trans_id)).body.first_recurring_date,
    addDays(initiated, 20),
  )
})
