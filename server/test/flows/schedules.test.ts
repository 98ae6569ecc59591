/** The schedule actions, and the parameters that put a chain on a schedule. Chapter 10 §7.1.1, §7.6, §7.11 to §7.15, §13.7. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { addDays } from '#domain/day.ts'
import { cardFormulas } from '#domain/signature.ts'
import { createSchedule, newSchedule, onSchedule, pairOf, recurring, scheduleFields, startChain } from '../chains.ts'
import { expiring } from '../payments.ts'
import { assertRefused, assertViolations, says } from '../refusals.ts'
import { formOf, openShop, type Sent } from '../shop.ts'
import { advanceTo } from '../time-of-day.ts'

const shop = await openShop()
before(() => advanceTo(shop, 12))
after(() => shop[Symbol.asyncDispose]())

const retired = 'Parameter is deprecated. Use delayed_first_payment and the first_payment_* parameters instead.'
const today = (): string => shop.base.clock.now().toISOString().slice(0, 10)

test('§13.7: CREATE_SCHEDULE answers the schedule_id', async () => {
  const { http, body } = await createSchedule(shop)
  assert.equal(http, 200)
  assert.equal(Object.keys(body).join(' '), 'action result schedule_id')
  assert.deepEqual([body.action, body.result], ['CREATE_SCHEDULE', 'SUCCESS'])
  assert.match(body.schedule_id, /^[0-9a-f-]{36}$/)
})

test('§13.7: SCHEDULE_INFO shows all of it, numbers as numbers and what is not set as null', async () => {
  const id = await newSchedule(shop)
  const { text } = await onSchedule(shop, 'SCHEDULE_INFO', id)
  const expected =
    '{"action":"SCHEDULE_INFO","result":"SUCCESS","name":"Monthly","interval_length":1,"interval_unit":"month","day_of_month":null,' +
    '"payments_count":12,"delays":null,"delayed_first_payment":"none","first_payment_interval_length":null,' +
    '"first_payment_interval_unit":null,"first_payment_day_of_week":null,"first_payment_day_of_month":null,"paused":"N"}'
  assert.equal(text, expected)
})

test('SCHEDULE_INFO is also answered to GET, and nothing else is', async () => {
  const id = await newSchedule(shop)
  const query = (action: string) => formOf(scheduleFields(shop, action, id)).toString()
  const byPost = await onSchedule(shop, 'SCHEDULE_INFO', id)
  for (const path of ['/post', '/v2/post']) {
    const byGet = await shop.send({ method: 'GET', path: `${path}?${query('SCHEDULE_INFO')}` })
    assert.deepEqual([byGet.http, byGet.text], [200, byPost.text])
  }
  for (const action of ['PAUSE_SCHEDULE', 'DELETE_SCHEDULE', 'SALE']) {
    const answer = await shop.send({ method: 'GET', path: `/post?${query(action)}` })
    assertRefused(answer, 100000, 'Route or parameters is not supported', 404)
  }
  assertRefused(await shop.send({ method: 'GET' }), 100000, 'Route or parameters is not supported', 404)
  const unsigned = formOf(scheduleFields(shop, 'SCHEDULE_INFO', id, { hash: 'x' })).toString()
  assertViolations(await shop.send({ method: 'GET', path: `/post?${unsigned}` }), [`hash: ${says.wrongHash}`])
})

// biome-ignore format: a table is read in columns.
const kept: readonly (readonly [what: string, sent: Sent, shown: Readonly<Record<string, unknown>>])[] = [
  ['every unit: day',                 { interval_unit: 'day', interval_length: '999' },     { interval_unit: 'day', interval_length: 999 }],
  ['every unit: week',                { interval_unit: 'week' },                            { interval_unit: 'week' }],
  ['every unit: year',                { interval_unit: 'year' },                            { interval_unit: 'year' }],
  ['the bounds',                      { payments_count: '9999', day_of_month: '31' },       { payments_count: 9999, day_of_month: 31 }],
  ['a delay by an interval',          { delayed_first_payment: 'delay_by_interval', first_payment_interval_length: '3', first_payment_interval_unit: 'day' }, { delayed_first_payment: 'delay_by_interval', first_payment_interval_length: 3, first_payment_interval_unit: 'day' }],
  ['the short name by_interval',      { delayed_first_payment: 'by_interval', first_payment_interval_length: '3', first_payment_interval_unit: 'week' }, { delayed_first_payment: 'delay_by_interval', first_payment_interval_unit: 'week' }],
  ['a day of the week by number',     { delayed_first_payment: 'day_of_week', first_payment_day_of_week: '7' }, { delayed_first_payment: 'day_of_week', first_payment_day_of_week: 7 }],
  ['a day of the week by name',       { delayed_first_payment: 'to_day_of_week', first_payment_day_of_week: 'MonDay' }, { delayed_first_payment: 'day_of_week', first_payment_day_of_week: 1 }],
  ['a day of the month',              { delayed_first_payment: 'to_day_of_month', first_payment_day_of_month: '10' }, { delayed_first_payment: 'day_of_month', first_payment_day_of_month: 10 }],
  ['fields of another rule as null',  { delayed_first_payment: 'day_of_week', first_payment_day_of_week: '2', first_payment_day_of_month: '99', first_payment_interval_unit: 'hour' }, { first_payment_day_of_week: 2, first_payment_day_of_month: null, first_payment_interval_unit: null }],
]

for (const [what, sent, shown] of kept) {
  test(`a schedule keeps ${what}`, async () => {
    const { body } = await onSchedule(shop, 'SCHEDULE_INFO', await newSchedule(shop, sent))
    for (const [name, value] of Object.entries(shown)) assert.equal(body[name], value, name)
  })
}

test('CREATE_SCHEDULE with nothing but action and key reports what it needs, in the order of the table', async () => {
  const nothing = {
    name: undefined,
    interval_length: undefined,
    interval_unit: undefined,
    payments_count: undefined,
    hash: undefined,
  }
  assertViolations(
    await createSchedule(shop, nothing),
    ['name', 'interval_length', 'interval_unit', 'payments_count', 'hash'].map((name) => `${name}: ${says.blank}`),
  )
})

const blank = (...names: readonly string[]) => names.map((name) => `${name}: ${says.blank}`)
const notValid = (name: string) => [`${name}: ${says.notValid}`]
const notChoice = (name: string) => [`${name}: ${says.notChoice}`]

// biome-ignore format: a table is read in columns.
const refused: readonly (readonly [sent: Sent, rows: readonly string[]])[] = [
  [{ name: 'x'.repeat(101) },                                 [`name: ${says.tooLong(100)}`]],
  [{ interval_length: '0' },                                  notValid('interval_length')],
  [{ interval_length: '1000' },                               notValid('interval_length')],
  [{ interval_length: '1.5' },                                notValid('interval_length')],
  [{ interval_length: '01' },                                 notValid('interval_length')],
  [{ interval_unit: 'hour' },                                 notChoice('interval_unit')],
  [{ interval_unit: 'Month' },                                notChoice('interval_unit')],
  [{ day_of_month: '32' },                                    notValid('day_of_month')],
  [{ day_of_month: '0' },                                     notValid('day_of_month')],
  [{ day_of_month: '15', interval_unit: 'week' },             notValid('day_of_month')],
  [{ payments_count: '0' },                                   notValid('payments_count')],
  [{ payments_count: '10000' },                               notValid('payments_count')],
  [{ delayed_first_payment: 'later' },                        notChoice('delayed_first_payment')],
  [{ delayed_first_payment: 'delay_by_interval' },            blank('first_payment_interval_length', 'first_payment_interval_unit')],
  [{ delayed_first_payment: 'day_of_week' },                  blank('first_payment_day_of_week')],
  [{ delayed_first_payment: 'day_of_month' },                 blank('first_payment_day_of_month')],
  [{ delayed_first_payment: 'day_of_week', first_payment_day_of_week: '8' }, notValid('first_payment_day_of_week')],
  [{ delayed_first_payment: 'day_of_week', first_payment_day_of_week: 'mon' }, notValid('first_payment_day_of_week')],
  [{ delayed_first_payment: 'day_of_month', first_payment_day_of_month: '32' }, notValid('first_payment_day_of_month')],
  [{ delayed_first_payment: 'by_interval', first_payment_interval_length: '1000', first_payment_interval_unit: 'year' }, notValid('first_payment_interval_length')],
  [{ delays: '1' },                                           [`delays: ${retired}`, retired]],
  [{ delays: '0', interval_length: 'x' },                     [...notValid('interval_length'), `delays: ${retired}`, retired]],
]

for (const [sent, rows] of refused) {
  test(`CREATE_SCHEDULE refuses ${formOf(sent).toString().slice(0, 70)}`, async () => {
    assertViolations(await createSchedule(shop, sent), rows)
  })
}

test('CREATE_SCHEDULE is signed by Formula 3, everything else about a schedule by Formula 4', async () => {
  const id = await newSchedule(shop)
  const { password } = shop.merchant()
  const three = shop.sign(cardFormulas.createSchedule, {}, password)
  const four = shop.sign(cardFormulas.schedule, { schedule_id: id }, password)
  assertViolations(await createSchedule(shop, { hash: four }), [`hash: ${says.wrongHash}`])
  for (const action of ['UPDATE_SCHEDULE', 'PAUSE', 'RUN_SCHEDULE', 'DELETE_SCHEDULE', 'SCHEDULE_INFO', 'DESCHEDULE']) {
    assertViolations(await onSchedule(shop, action, id, { hash: three }), [`hash: ${says.wrongHash}`])
  }
})

const actions = [
  'UPDATE_SCHEDULE',
  'PAUSE_SCHEDULE',
  'PAUSE',
  'RUN_SCHEDULE',
  'RUN',
  'DELETE_SCHEDULE',
  'SCHEDULE_INFO',
  'DESCHEDULE',
]

for (const action of actions) {
  test(`${action} of a schedule that is not there, deleted or another merchant's is not found`, async () => {
    const foreign = await newSchedule(shop, {}, { merchant: 'demo-no-moto' })
    const deleted = await newSchedule(shop)
    await onSchedule(shop, 'DELETE_SCHEDULE', deleted)
    for (const id of [randomUUID(), 'monthly', foreign, deleted]) {
      assertRefused(await onSchedule(shop, action, id), 100000, 'Schedule not found')
    }
  })

  test(`${action} without its parameters reports them, and an identifier that is too long`, async () => {
    const empty = await onSchedule(shop, action, randomUUID(), { schedule_id: undefined, hash: undefined })
    assertViolations(empty, blank('schedule_id', 'hash'))
    assertViolations(await onSchedule(shop, action, 'x'.repeat(256)), [`schedule_id: ${says.notCorrect}`])
  })
}

test('identifiers of schedules are read in any case', async () => {
  const id = await newSchedule(shop)
  assert.equal((await onSchedule(shop, 'SCHEDULE_INFO', id.toUpperCase())).http, 200)
})

test('PAUSE and RUN answer in the long form, each once', async () => {
  const id = await newSchedule(shop)
  const paused = async () => (await onSchedule(shop, 'SCHEDULE_INFO', id)).body.paused
  const answers = async (action: string, text: string) => assert.equal((await onSchedule(shop, action, id)).text, text)

  assertRefused(await onSchedule(shop, 'RUN', id), 100000, 'Schedule is not paused.')
  await answers('PAUSE', '{"action":"PAUSE_SCHEDULE","result":"SUCCESS"}')
  assert.equal(await paused(), 'Y')
  assertRefused(await onSchedule(shop, 'PAUSE_SCHEDULE', id), 100000, 'Schedule is paused.')
  await answers('RUN', '{"action":"RUN_SCHEDULE","result":"SUCCESS"}')
  assert.equal(await paused(), 'N')
  await answers('PAUSE_SCHEDULE', '{"action":"PAUSE_SCHEDULE","result":"SUCCESS"}')
  await answers('RUN_SCHEDULE', '{"action":"RUN_SCHEDULE","result":"SUCCESS"}')
  await answers('DELETE_SCHEDULE', '{"action":"DELETE_SCHEDULE","result":"SUCCESS"}')
})

test('UPDATE_SCHEDULE changes what was sent and answers the schedule_id', async () => {
  const id = await newSchedule(shop, { day_of_month: '15' })
  const { text } = await onSchedule(shop, 'UPDATE_SCHEDULE', id, { name: 'Quarterly', interval_length: '3' })
  assert.equal(text, `{"action":"UPDATE_SCHEDULE","result":"SUCCESS","schedule_id":"${id}"}`)
  const { body } = await onSchedule(shop, 'SCHEDULE_INFO', id)
  const { name, interval_length, interval_unit, day_of_month, payments_count } = body
  assert.deepEqual(
    { name, interval_length, interval_unit, day_of_month, payments_count },
    { name: 'Quarterly', interval_length: 3, interval_unit: 'month', day_of_month: 15, payments_count: 12 },
  )
})

test('UPDATE_SCHEDULE without anything to change changes nothing', async () => {
  const id = await newSchedule(shop)
  const { text: before } = await onSchedule(shop, 'SCHEDULE_INFO', id)
  assert.equal((await onSchedule(shop, 'UPDATE_SCHEDULE', id)).body.result, 'SUCCESS')
  assert.equal((await onSchedule(shop, 'SCHEDULE_INFO', id)).text, before)
})

test('a unit changed away from month takes the day of the month with it', async () => {
  const id = await newSchedule(shop, { day_of_month: '15' })
  await onSchedule(shop, 'UPDATE_SCHEDULE', id, { interval_unit: 'week' })
  const { body } = await onSchedule(shop, 'SCHEDULE_INFO', id)
  assert.deepEqual([body.interval_unit, body.day_of_month], ['week', null])
})

test('the fields of a rule go with it', async () => {
  const id = await newSchedule(shop, { delayed_first_payment: 'day_of_week', first_payment_day_of_week: '3' })
  await onSchedule(shop, 'UPDATE_SCHEDULE', id, { first_payment_day_of_week: 'sunday' })
  assert.equal((await onSchedule(shop, 'SCHEDULE_INFO', id)).body.first_payment_day_of_week, 7)
  await onSchedule(shop, 'UPDATE_SCHEDULE', id, { delayed_first_payment: 'none' })
  const { body } = await onSchedule(shop, 'SCHEDULE_INFO', id)
  assert.deepEqual([body.delayed_first_payment, body.first_payment_day_of_week], ['none', null])
})

// biome-ignore format: a table is read in columns.
const updates: readonly (readonly [schedule: Sent, sent: Sent, rows: readonly string[]])[] = [
  [{},                         { name: 'x'.repeat(101) },                              [`name: ${says.tooLong(100)}`]],
  [{},                         { interval_length: '0' },                               notValid('interval_length')],
  [{},                         { interval_unit: 'hour' },                              notChoice('interval_unit')],
  [{},                         { payments_count: 'x' },                                notValid('payments_count')],
  [{ interval_unit: 'week' },  { day_of_month: '15' },                                 notValid('day_of_month')],
  [{ interval_unit: 'week' },  { day_of_month: '15', interval_unit: 'month' },         []],
  [{},                         { day_of_month: '15', interval_unit: 'week' },          notValid('day_of_month')],
  [{},                         { delayed_first_payment: 'day_of_week' },               blank('first_payment_day_of_week')],
  [{},                         { delayed_first_payment: 'day_of_month' },              blank('first_payment_day_of_month')],
  [{},                         { delayed_first_payment: 'delay_by_interval' },         blank('first_payment_interval_length', 'first_payment_interval_unit')],
  [{},                         { delayed_first_payment: 'by_interval', first_payment_interval_length: '2' }, blank('first_payment_interval_unit')],
  [{},                         { first_payment_day_of_week: '3' },                     []],
  [{},                         { delayed_first_payment: 'none', first_payment_day_of_week: 'never' }, []],
  [{},                         { delays: '2' },                                        [`delays: ${retired}`, retired]],
]

for (const [schedule, sent, rows] of updates) {
  const outcome = rows.length === 0 ? 'takes' : 'refuses'
  test(`UPDATE_SCHEDULE of a ${schedule['interval_unit'] ?? 'month'} schedule ${outcome} ${formOf(sent)}`, async () => {
    const id = await newSchedule(shop, schedule)
    const { text: before } = await onSchedule(shop, 'SCHEDULE_INFO', id)
    assertViolations(await onSchedule(shop, 'UPDATE_SCHEDULE', id, sent), rows)
    if (rows.length > 0) assert.equal((await onSchedule(shop, 'SCHEDULE_INFO', id)).text, before)
  })
}

test('a wrong hash is told before the schedule is judged as a whole', async () => {
  const id = await newSchedule(shop)
  const sent = { delayed_first_payment: 'day_of_week', hash: 'x' }
  assertViolations(await onSchedule(shop, 'UPDATE_SCHEDULE', id, sent), [`hash: ${says.wrongHash}`])
})

test('the same Idempotency-Key makes one schedule', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const one = await createSchedule(shop, {}, { headers })
  const two = await createSchedule(shop, {}, { headers })
  assert.equal(two.text, one.text)
})

test('§13.7: a trial echoes what was sent and tells the first date, in answer, callback and look-up', async () => {
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
  const told = {
    schedule_id,
    schedule_start_date: start,
    payment_schedule_amount: '9.90',
    first_recurring_date: start,
  }
  const { schedule_start_date, payment_schedule_amount, first_recurring_date } = body
  assert.deepEqual(
    { schedule_id: body.schedule_id, schedule_start_date, payment_schedule_amount, first_recurring_date },
    told,
  )
  assert.equal(amount, '0.00')

  const [callback] = await shop.callbacks(trans_id)
  const names = Object.keys(callback?.fields ?? {})
  assert.equal(
    names.slice(names.indexOf('recurring_init_trans_id')).join(' '),
    'recurring_init_trans_id recurring_token schedule_id schedule_start_date payment_schedule_amount first_recurring_date',
  )
  for (const [name, value] of Object.entries(told)) assert.equal(callback?.fields[name], value, name)

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
      ...expiring(expiry),
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

test('a late success tells the first date counted from the day it came', async () => {
  const schedule_id = await newSchedule(shop, { interval_length: '10', interval_unit: 'day' })
  const { body } = await shop.sale({ recurring_init: 'Y', schedule_id, ...expiring('04/2038') })
  await shop.advance(31_000)
  const callback = (await shop.callbacks(body.trans_id)).at(-1)
  assert.equal(callback?.fields['first_recurring_date'], addDays(today(), 10))
})

const schedule_id = await newSchedule(shop)
const pausedId = await newSchedule(shop)
await onSchedule(shop, 'PAUSE', pausedId)
const init: Sent = { recurring_init: 'Y', schedule_id }

// biome-ignore format: a table is read in columns.
const wishes: readonly (readonly [sent: Sent, rows: readonly string[]])[] = [
  [{ recurring_init: 'yes' },                                    notChoice('recurring_init')],
  [{ schedule_id },                                              notValid('schedule_id')],
  [{ schedule_id, recurring_init: 'N' },                         notValid('schedule_id')],
  [{ recurring_init: 'Y', schedule_start_date: '2030-01-01' },   blank('schedule_id')],
  [{ recurring_init: 'Y', payment_schedule_amount: '1.00' },     blank('schedule_id')],
  [{ schedule_start_date: '2030-01-01', payment_schedule_amount: '1.00' }, blank('schedule_id')],
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

test('the recurring parameters are reported at their places', async () => {
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

test('a zero amount without recurring_init or auth=Y is refused, with one of them it is not', async () => {
  const zero = [`order_amount: ${says.notPositive}`, `amount: ${says.notPositive}`]
  for (const action of ['SALE', 'DEBIT']) {
    assertViolations(await shop.sale({ action, order_amount: '0.00' }), zero)
    assertViolations(await shop.sale({ action, order_amount: '0.00', recurring_init: 'Y' }), [])
  }
})

test('today is the first date that may be sent', async () => {
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
  ['SALE',              (id: string, more: Sent = {}) => shop.sale({ recurring_init: 'Y', schedule_id: id, ...more })],
  ['DEBIT',             (id: string, more: Sent = {}) => shop.sale({ action: 'DEBIT', recurring_init: 'Y', schedule_id: id, ...more })],
  ['RECURRING_SALE',    (id: string, more: Sent = {}) => recurring(shop, chain, { schedule_id: id, ...more })],
] as const

for (const [what, request] of payments) {
  test(`${what}: a schedule that is not there is not found, a paused one is said to be so`, async () => {
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
  const { body } = await recurring(shop, await startChain(shop), sent)
  assert.equal(
    Object.keys(body).slice(9).join(' '),
    'schedule_id first_recurring_date schedule_start_date payment_schedule_amount',
  )
  assert.deepEqual([body.first_recurring_date, body.payment_schedule_amount], [start, '4.00'])
  const refused = await recurring(shop, chain, { schedule_id, payment_schedule_amount: '4.001' })
  assertViolations(refused, notValid('payment_schedule_amount'))
})

test('§13.7: DESCHEDULE stops a chain that is on the schedule, and no other', async () => {
  const id = await newSchedule(shop)
  const { body } = await shop.sale({ recurring_init: 'Y', schedule_id: id })
  const { recurring_token } = body
  const deschedule = (token: string) => onSchedule(shop, 'DESCHEDULE', id, { recurring_token: token })
  for (const token of [randomUUID(), 'token', chain.recurring_token]) {
    assertRefused(await deschedule(token), 100000, 'Incorrect transaction')
  }
  assert.equal((await deschedule(recurring_token.toUpperCase())).text, '{"action":"DESCHEDULE","result":"SUCCESS"}')
  assertRefused(await deschedule(recurring_token), 100000, 'Incorrect transaction')
  assert.equal((await recurring(shop, pairOf(body))).body.result, 'SUCCESS')
})

test('DESCHEDULE does not reach a chain of the other side', async () => {
  const id = await newSchedule(shop)
  const pair = await startChain(shop, { schedule_id: id }, { side: 'test' })
  const { recurring_token } = pair
  assertRefused(await onSchedule(shop, 'DESCHEDULE', id, { recurring_token }), 100000, 'Incorrect transaction')
  const byTestKey = await onSchedule(shop, 'DESCHEDULE', id, { recurring_token }, { side: 'test' })
  assert.equal(byTestKey.body.result, 'SUCCESS')
})

test('DESCHEDULE without a token stops every chain on the schedule, and does so again without complaint', async () => {
  const id = await newSchedule(shop)
  const pairs = [await startChain(shop, { schedule_id: id }), await startChain(shop, { schedule_id: id })]
  for (const _ of [1, 2]) assert.equal((await onSchedule(shop, 'DESCHEDULE', id)).body.result, 'SUCCESS')
  for (const { recurring_token } of pairs) {
    assertRefused(await onSchedule(shop, 'DESCHEDULE', id, { recurring_token }), 100000, 'Incorrect transaction')
  }
})
