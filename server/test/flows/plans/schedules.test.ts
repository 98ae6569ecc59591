/** The schedule actions. Chapter 10 §1.1, §4.2, §7.11 to §7.15, §13.7. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import {
  chargeChain,
  createSchedule,
  newSchedule,
  onSchedule,
  pairOf,
  scheduleFields,
  startChain,
} from '../../chains.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { formOf, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const retiredMessage = 'Parameter is deprecated. Use delayed_first_payment and the first_payment_* parameters instead.'

test('chapter 10 §13.7: CREATE_SCHEDULE returns the schedule_id', async () => {
  const { http, body } = await createSchedule(shop)
  assert.equal(http, 200)
  assert.equal(Object.keys(body).join(' '), 'action result schedule_id')
  assert.deepEqual([body.action, body.result], ['CREATE_SCHEDULE', 'SUCCESS'])
  assert.match(body.schedule_id, /^[0-9a-f-]{36}$/)
})

test('chapter 10 §13.7: SCHEDULE_INFO returns everything, numbers as numbers and unset values as null', async () => {
  const id = await newSchedule(shop)
  const { text } = await onSchedule(shop, 'SCHEDULE_INFO', id)
  const expected =
    '{"action":"SCHEDULE_INFO","result":"SUCCESS","name":"Monthly","interval_length":1,"interval_unit":"month","day_of_month":null,' +
    '"payments_count":12,"delays":null,"delayed_first_payment":"none","first_payment_interval_length":null,' +
    '"first_payment_interval_unit":null,"first_payment_day_of_week":null,"first_payment_day_of_month":null,"paused":"N"}'
  assert.equal(text, expected)
})

test('only SCHEDULE_INFO is also answered to GET', async () => {
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
  const unsigned = formOf(scheduleFields(shop, 'SCHEDULE_INFO', id, { over: { hash: 'x' } })).toString()
  assertViolations(await shop.send({ method: 'GET', path: `/post?${unsigned}` }), [`hash: ${says.wrongHash}`])
})

// biome-ignore format: a table is read in columns.
const acceptedSchedules: readonly (readonly [what: string, sent: RequestFields, shown: Readonly<Record<string, unknown>>])[] = [
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

for (const [what, sent, shown] of acceptedSchedules) {
  test(`a schedule stores ${what}`, async () => {
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
const refusedSchedules: readonly (readonly [sent: RequestFields, rows: readonly string[]])[] = [
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
  [{ delays: '1' },                                           [`delays: ${retiredMessage}`, retiredMessage]],
  [{ delays: '0', interval_length: 'x' },                     [...notValid('interval_length'), `delays: ${retiredMessage}`, retiredMessage]],
]

for (const [sent, rows] of refusedSchedules) {
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
    assertViolations(await onSchedule(shop, action, id, { over: { hash: three } }), [`hash: ${says.wrongHash}`])
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
  test(`${action} of a schedule that is unknown, deleted or another merchant's is not found`, async () => {
    const foreign = await newSchedule(shop, {}, { merchant: 'demo-no-moto' })
    const deleted = await newSchedule(shop)
    await onSchedule(shop, 'DELETE_SCHEDULE', deleted)
    for (const id of [randomUUID(), 'monthly', foreign, deleted]) {
      assertRefused(await onSchedule(shop, action, id), 100000, 'Schedule not found')
    }
  })

  test(`${action} reports missing parameters, and an identifier that is too long`, async () => {
    const empty = await onSchedule(shop, action, randomUUID(), { over: { schedule_id: undefined, hash: undefined } })
    assertViolations(empty, blank('schedule_id', 'hash'))
    assertViolations(await onSchedule(shop, action, 'x'.repeat(256)), [`schedule_id: ${says.notCorrect}`])
  })
}

test('identifiers of schedules are case-insensitive', async () => {
  const id = await newSchedule(shop)
  assert.equal((await onSchedule(shop, 'SCHEDULE_INFO', id.toUpperCase())).http, 200)
})

test('PAUSE and RUN answer in the long form, and each only once', async () => {
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

test('UPDATE_SCHEDULE changes what was sent and returns the schedule_id', async () => {
  const id = await newSchedule(shop, { day_of_month: '15' })
  const { text } = await onSchedule(shop, 'UPDATE_SCHEDULE', id, { over: { name: 'Quarterly', interval_length: '3' } })
  assert.equal(text, `{"action":"UPDATE_SCHEDULE","result":"SUCCESS","schedule_id":"${id}"}`)
  const { body } = await onSchedule(shop, 'SCHEDULE_INFO', id)
  const { name, interval_length, interval_unit, day_of_month, payments_count } = body
  assert.deepEqual(
    { name, interval_length, interval_unit, day_of_month, payments_count },
    { name: 'Quarterly', interval_length: 3, interval_unit: 'month', day_of_month: 15, payments_count: 12 },
  )
})

test('UPDATE_SCHEDULE without changes changes nothing', async () => {
  const id = await newSchedule(shop)
  const { text: before } = await onSchedule(shop, 'SCHEDULE_INFO', id)
  assert.equal((await onSchedule(shop, 'UPDATE_SCHEDULE', id)).body.result, 'SUCCESS')
  assert.equal((await onSchedule(shop, 'SCHEDULE_INFO', id)).text, before)
})

test('a change of the unit from month also removes the day of the month', async () => {
  const id = await newSchedule(shop, { day_of_month: '15' })
  await onSchedule(shop, 'UPDATE_SCHEDULE', id, { over: { interval_unit: 'week' } })
  const { body } = await onSchedule(shop, 'SCHEDULE_INFO', id)
  assert.deepEqual([body.interval_unit, body.day_of_month], ['week', null])
})

test('the fields of a rule are removed with it', async () => {
  const id = await newSchedule(shop, { delayed_first_payment: 'day_of_week', first_payment_day_of_week: '3' })
  await onSchedule(shop, 'UPDATE_SCHEDULE', id, { over: { first_payment_day_of_week: 'sunday' } })
  assert.equal((await onSchedule(shop, 'SCHEDULE_INFO', id)).body.first_payment_day_of_week, 7)
  await onSchedule(shop, 'UPDATE_SCHEDULE', id, { over: { delayed_first_payment: 'none' } })
  const { body } = await onSchedule(shop, 'SCHEDULE_INFO', id)
  assert.deepEqual([body.delayed_first_payment, body.first_payment_day_of_week], ['none', null])
})

// biome-ignore format: a table is read in columns.
const updates: readonly (readonly [schedule: RequestFields, sent: RequestFields, rows: readonly string[]])[] = [
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
  [{},                         { delays: '2' },                                        [`delays: ${retiredMessage}`, retiredMessage]],
]

for (const [schedule, sent, rows] of updates) {
  const outcome = rows.length === 0 ? 'takes' : 'refuses'
  test(`UPDATE_SCHEDULE of a ${schedule['interval_unit'] ?? 'month'} schedule ${outcome} ${formOf(sent).toString()}`, async () => {
    const id = await newSchedule(shop, schedule)
    const { text: before } = await onSchedule(shop, 'SCHEDULE_INFO', id)
    assertViolations(await onSchedule(shop, 'UPDATE_SCHEDULE', id, { over: sent }), rows)
    if (rows.length > 0) assert.equal((await onSchedule(shop, 'SCHEDULE_INFO', id)).text, before)
  })
}

test('a wrong hash is reported before the schedule is validated as a whole', async () => {
  const id = await newSchedule(shop)
  const sent = { delayed_first_payment: 'day_of_week', hash: 'x' }
  assertViolations(await onSchedule(shop, 'UPDATE_SCHEDULE', id, { over: sent }), [`hash: ${says.wrongHash}`])
})

test('the same Idempotency-Key creates one schedule', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const one = await createSchedule(shop, {}, { headers })
  const two = await createSchedule(shop, {}, { headers })
  assert.equal(two.text, one.text)
})

const chain = await startChain(shop)

test('chapter 10 §13.7: DESCHEDULE stops a chain that is on the schedule, and no other', async () => {
  const id = await newSchedule(shop)
  const { body } = await shop.sale({ recurring_init: 'Y', schedule_id: id })
  const { recurring_token } = body
  const deschedule = (token: string) => onSchedule(shop, 'DESCHEDULE', id, { over: { recurring_token: token } })
  for (const token of [randomUUID(), 'token', chain.recurring_token]) {
    assertRefused(await deschedule(token), 100000, 'Incorrect transaction')
  }
  assert.equal((await deschedule(recurring_token.toUpperCase())).text, '{"action":"DESCHEDULE","result":"SUCCESS"}')
  assertRefused(await deschedule(recurring_token), 100000, 'Incorrect transaction')
  assert.equal((await chargeChain(shop, pairOf(body))).body.result, 'SUCCESS')
})

test('DESCHEDULE does not affect a chain of the other mode', async () => {
  const id = await newSchedule(shop, {}, { mode: 'test' })
  const pair = await startChain(shop, { schedule_id: id }, { mode: 'test' })
  const { recurring_token } = pair
  assertRefused(await onSchedule(shop, 'DESCHEDULE', id, { over: { recurring_token } }), 100000, 'Schedule not found')
  const live = await newSchedule(shop)
  assertRefused(
    await onSchedule(shop, 'DESCHEDULE', live, { over: { recurring_token } }),
    100000,
    'Incorrect transaction',
  )
  const byTestKey = await onSchedule(shop, 'DESCHEDULE', id, { over: { recurring_token }, as: { mode: 'test' } })
  assert.equal(byTestKey.body.result, 'SUCCESS')
})

test('DESCHEDULE without a token stops every chain on the schedule, and can be repeated', async () => {
  const id = await newSchedule(shop)
  const pairs = [await startChain(shop, { schedule_id: id }), await startChain(shop, { schedule_id: id })]
  for (const _ of [1, 2]) assert.equal((await onSchedule(shop, 'DESCHEDULE', id)).body.result, 'SUCCESS')
  for (const { recurring_token } of pairs) {
    assertRefused(
      await onSchedule(shop, 'DESCHEDULE', id, { over: { recurring_token } }),
      100000,
      'Incorrect transaction',
    )
  }
})
