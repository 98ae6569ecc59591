/**
 * The fields of the presenters against chapter 10's tables, action by action. The tables below were written from §7 and §11.2, never from
 * the code; an answer's fields have the order of its table, a callback's begin as §11.2 says.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultMapping } from '#domain/mapping.ts'
import { bareFacts } from '#domain/payment/testing/example-facts.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import { type ActionColumns, type FieldColumn, headOf } from './answers.ts'
import { cardColumns } from './card-answers.ts'
import { lookUpExample } from './example-payment.ts'
import { answerOf } from './rehearsal.ts'

/** A field, with a condition after a colon; `recurring_token:with recurring_init=Y`. */
type Fields = readonly string[]
type Table = Readonly<Record<string, { readonly status: string; readonly fields: Fields }>>

const words = (text: string): Fields => text.trim().split(/\s+/)
const row = (status: string, ...fields: readonly Fields[]) => ({ status, fields: fields.flat() })

const recurringInit = 'with `recurring_init=Y`'
const withSchedule = 'with `schedule_id`'
const startSent = 'with `schedule_start_date`'

const always = words('action result status order_id trans_id')
const money = words('trans_date descriptor amount currency')
const declineFields = words('decline_reason')
const asSent = [`schedule_start_date:${startSent}`, 'payment_schedule_amount:with `payment_schedule_amount`']
const savedCardFields = ['card_token:with `req_token=Y`']
const sentAway = ['redirect_url', 'redirect_params:with parameters', 'redirect_method']
const wallet = ['digital_wallet:for a wallet', 'pan_type:for a wallet whose token was opened']
const moto = ['moto_type:with `moto_type`']
/** Chapter 10 §7.1.3, rows schedule_id to payment_schedule_amount. */
const onSchedule = (firstDate: string | null): Fields => [
  `schedule_id:${withSchedule}`,
  ...(firstDate === null ? [] : [`first_recurring_date:${firstDate}`]),
  ...asSent,
]

// biome-ignore format: a table is read in columns.
const saleAnswer: Table = {
  // Chapter 10 §7.1.3  status                     fields
  SUCCESS:   row('SETTLED PENDING', always, money,           [`recurring_token:${recurringInit}`], onSchedule(withSchedule),      savedCardFields,    wallet, moto),
  DECLINED:  row('DECLINED',        always, money, declineFields,                                       onSchedule(null),                wallet, moto),
  REDIRECT:  row('3DS REDIRECT',    always, money,                                                 onSchedule(startSent), sentAway, wallet, moto),
  UNDEFINED: row('PREPARE',         always, money,                                                 onSchedule(startSent),           wallet, moto),
}

// biome-ignore format: a table is read in columns.
const debitAnswer: Table = {
  // Chapter 10 §7.5: as SALE; the wallet pair and moto_type are ignored
  SUCCESS:   row('SETTLED',         always, money,           [`recurring_token:${recurringInit}`], onSchedule(withSchedule),      savedCardFields),
  DECLINED:  row('DECLINED',        always, money, declineFields,                                       onSchedule(null)),
  REDIRECT:  row('3DS REDIRECT',    always, money,                                                 onSchedule(startSent), sentAway),
  UNDEFINED: row('PREPARE',         always, money,                                                 onSchedule(startSent)),
}

/** Chapter 10 §7.6: as SALE or DEBIT; no REDIRECT, no card is saved, no chain begins. */
const recurringAnswer = (paid: string): Table => ({
  SUCCESS: row(paid, always, money, onSchedule(withSchedule)),
  DECLINED: row('DECLINED', always, money, declineFields, onSchedule(null)),
  UNDEFINED: row('PREPARE', always, money, onSchedule(startSent)),
})

// biome-ignore format: a table is read in columns.
const lookUp: Table = {
  // Chapter 10 §7.10
  'SUCCESS, paid':        row('PENDING SETTLED REVERSAL REFUND VOID CHARGEBACK', always, [`recurring_token:${recurringInit}`], onSchedule(withSchedule), wallet, moto),
  'SUCCESS, declined':    row('DECLINED',             always, declineFields, onSchedule(null),      wallet, moto),
  'SUCCESS, not decided': row('PREPARE 3DS REDIRECT', always,           onSchedule(startSent), wallet, moto),
}
const details = [
  ...words('name mail ip').map((field) => `${field}:when known`),
  ...words('amount currency'),
  'card:when known',
  'transactions',
]
const withDetails = Object.fromEntries(
  Object.entries(lookUp).map(([column, { status, fields }]) => [column, row(status, fields, details)]),
)

const withoutStatus = (fields: string): Fields => words(`action result ${fields}`)
const singleResult = (result: string, fields: Fields): Table => ({ [result]: row('', fields) })

// biome-ignore format: a table is read in columns.
const answers: Readonly<Record<string, Table>> = {
  SALE: saleAnswer,
  CAPTURE: {
    // Chapter 10 §7.3
    SUCCESS:   row('SETTLED', always, money),
    DECLINED:  row('PENDING', always, money, declineFields),
    UNDEFINED: row('PENDING', always, money),
  },
  CREDITVOID: singleResult('ACCEPTED', words('action result trans_id order_id')),
  VOID: {
    SUCCESS:   row('VOID',    always, ['trans_date']),
    DECLINED:  row('SETTLED', always, ['trans_date'], declineFields),
    UNDEFINED: row('SETTLED', always, ['trans_date']),
  },
  DEBIT: debitAnswer,
  RECURRING_SALE:  recurringAnswer('SETTLED PENDING'),
  RECURRING_DEBIT: recurringAnswer('SETTLED'),
  RETRY: singleResult('ACCEPTED', words('action result order_id trans_id')),
  CREDIT2CARD: {
    // Chapter 10 §7.8
    SUCCESS:   row('SETTLED',  always, words('trans_date descriptor')),
    DECLINED:  row('DECLINED', always, ['trans_date'], declineFields),
    UNDEFINED: row('PREPARE',  always, words('trans_date descriptor')),
  },
  CARD2CARD: {
    // Chapter 10 §7.9: as DEBIT; no chain, schedule or saved card is among its parameters
    SUCCESS:   row('SETTLED',      always, money),
    DECLINED:  row('DECLINED',     always, money, declineFields),
    REDIRECT:  row('3DS REDIRECT', always, money, sentAway),
    UNDEFINED: row('PREPARE',      always, money),
  },
  GET_TRANS_STATUS: lookUp,
  GET_TRANS_DETAILS: withDetails,
  GET_TRANS_STATUS_BY_ORDER: lookUp,
  // Chapter 10 §7.11 to §7.15
  CREATE_SCHEDULE: singleResult('SUCCESS', withoutStatus('schedule_id')),
  UPDATE_SCHEDULE: singleResult('SUCCESS', withoutStatus('schedule_id')),
  PAUSE_SCHEDULE:  singleResult('SUCCESS', withoutStatus('')),
  RUN_SCHEDULE:    singleResult('SUCCESS', withoutStatus('')),
  DELETE_SCHEDULE: singleResult('SUCCESS', withoutStatus('')),
  SCHEDULE_INFO:   singleResult('SUCCESS', withoutStatus('name interval_length interval_unit day_of_month payments_count delays delayed_first_payment first_payment_interval_length first_payment_interval_unit first_payment_day_of_week first_payment_day_of_month paused')),
  DESCHEDULE:      singleResult('SUCCESS', withoutStatus('')),
}

const heading = [...always, 'hash']
const card = ['card:when known', 'card_expiration_date:when known']
const cardOfToken = ['card:with `card_token`', 'card_expiration_date:with `card_token`']
const chain = (condition: string): Fields =>
  words('recurring_init_trans_id recurring_token').map((field) => (condition === '' ? field : `${field}:${condition}`))
const custom = ['custom_data:with `custom_data`']
const exchangeFields = [
  'exchange_rate:when money was exchanged',
  'exchange_rate_base:when exchanged twice',
  'exchange_currency:when money was exchanged',
  'exchange_amount:when money was exchanged',
]
const plan = (firstDate: string | null): Fields => [
  `schedule_id:${withSchedule}`,
  ...asSent,
  ...(firstDate === null ? [] : [`first_recurring_date:${firstDate}`]),
]

// biome-ignore format: a table is read in columns.
const recurringCallback = (paid: string): Table => ({
  // Chapter 10 §7.6, §11.2: every RECURRING_* callback names its chain
  SUCCESS:   row(paid,       heading, money,           card, chain(''), plan(withSchedule),      custom, exchangeFields),
  DECLINED:  row('DECLINED', heading, money, declineFields,       chain(''), plan(null),      custom),
  UNDEFINED: row('PREPARE',  heading, money,                 chain(''), plan(startSent), custom),
})

const ofRefund = words('creditvoid_id creditvoid_date amount')

// biome-ignore format: a table is read in columns.
const callbacks: Readonly<Record<string, Table>> = {
  SALE: {
    // Chapter 10 §7.1.4, §11.2
    SUCCESS:   row('SETTLED PENDING', heading, money,                     card, savedCardFields, chain(recurringInit), plan(withSchedule),      wallet, moto, custom, exchangeFields),
    DECLINED:  row('DECLINED',        heading, money, declineFields,                                              plan(null),      wallet, moto, custom),
    REDIRECT:  row('3DS REDIRECT',    heading, money,           sentAway,                                    plan(startSent), wallet, moto, custom),
    UNDEFINED: row('PREPARE',         heading, money,                                                        plan(startSent), wallet, moto, custom),
  },
  CAPTURE: {
    // Chapter 10 §7.3
    SUCCESS:   row('SETTLED', heading, money,           custom, exchangeFields),
    DECLINED:  row('PENDING', heading, money, declineFields, custom),
    UNDEFINED: row('PENDING', heading, money,           custom),
  },
  CREDITVOID: {
    // Chapter 10 §7.4
    SUCCESS:   row('REFUND REVERSAL SETTLED', heading, ofRefund,           custom, exchangeFields),
    DECLINED:  row('PENDING SETTLED',         heading, ofRefund, declineFields, custom),
    UNDEFINED: row('PENDING SETTLED',         heading, ofRefund,           custom),
    WAITING:   row('PENDING SETTLED',         heading, ofRefund,           custom),
  },
  VOID: {
    SUCCESS:   row('VOID',    heading, ['trans_date'],           custom, exchangeFields),
    DECLINED:  row('SETTLED', heading, ['trans_date'], declineFields, custom),
    UNDEFINED: row('SETTLED', heading, ['trans_date'],           custom),
  },
  DEBIT: {
    // Chapter 10 §7.5: with card_token every callback carries the card
    SUCCESS:   row('SETTLED',      heading, money,                     card, savedCardFields, chain(recurringInit), plan(withSchedule),      custom, exchangeFields),
    DECLINED:  row('DECLINED',     heading, money, declineFields,           cardOfToken,                       plan(null),      custom),
    REDIRECT:  row('3DS REDIRECT', heading, money,           sentAway, cardOfToken,                       plan(startSent), custom),
    UNDEFINED: row('PREPARE',      heading, money,                     cardOfToken,                       plan(startSent), custom),
  },
  RECURRING_SALE:  recurringCallback('SETTLED PENDING'),
  RECURRING_DEBIT: recurringCallback('SETTLED'),
  // Chapter 10 §7.7: the fields of RECURRING_SALE or RECURRING_DEBIT
  RETRY:           recurringCallback('SETTLED PENDING'),
  CREDIT2CARD: {
    // Chapter 10 §7.8
    SUCCESS:   row('SETTLED',  heading, words('trans_date descriptor'), custom, exchangeFields),
    DECLINED:  row('DECLINED', heading, ['trans_date'], declineFields,       custom),
    UNDEFINED: row('PREPARE',  heading, words('trans_date descriptor'), custom),
  },
  CARD2CARD: {
    // Chapter 10 §7.9
    SUCCESS:   row('SETTLED',      heading, money,           card, custom, exchangeFields),
    DECLINED:  row('DECLINED',     heading, money, declineFields,       custom),
    REDIRECT:  row('3DS REDIRECT', heading, money, sentAway,       custom),
    UNDEFINED: row('PREPARE',      heading, money,                 custom),
  },
  // Chapter 10 §7.16
  CHARGEBACK: { SUCCESS: row('CHARGEBACK', heading, words('amount chargeback_date bank_date reason_code'), custom, exchangeFields) },
}

const fieldTexts = ({ fields }: FieldColumn): Fields =>
  [...fields].map(([name, condition]) => (condition === '' ? name : `${name}:${condition}`))

const sortWords = (text: string): Fields => text.split(' ').filter(Boolean).toSorted()

function holds(columns: readonly FieldColumn[], expected: Table): void {
  assert.deepEqual(columns.map(headOf), Object.keys(expected))
  for (const column of columns) {
    const head = headOf(column)
    const { fields, status } = expected[head] ?? row('')
    assert.deepEqual(fieldTexts(column), fields, head)
    if (status !== '') assert.deepEqual([...column.statuses].toSorted(), sortWords(status), head)
  }
}

const of = (name: string): ActionColumns => cardColumns.find(({ action }) => action === name) ?? assert.fail(name)

describe('the answer of chapter 10 is that of', () => {
  for (const [action, table] of Object.entries(answers)) test(action, () => holds(of(action).answer, table))
})

describe('the callback of chapter 10 is that of', () => {
  for (const [action, table] of Object.entries(callbacks)) test(action, () => holds(of(action).callback, table))
})

test('chapter 10 §3: every action of the index answers, and those of its column "Callback" call back, no others', () => {
  assert.deepEqual(
    cardColumns.filter(({ answer }) => answer.length > 0).map(({ action }) => action),
    Object.keys(answers),
  )
  assert.deepEqual(
    cardColumns
      .filter(({ callback }) => callback.length > 0)
      .map(({ action }) => action)
      .toSorted(),
    Object.keys(callbacks).toSorted(),
  )
})

test('chapter 10 §11.2: report fields are selectable for every callback, §7.10: and for every look-up, and for nothing else', () => {
  for (const { action, answer, callback } of cardColumns) {
    assert.ok(
      callback.every(({ reportFields }) => reportFields),
      action,
    )
    const isLookUp = action.startsWith('GET_TRANS_')
    assert.ok(
      answer.every(({ reportFields }) => reportFields === isLookUp),
      action,
    )
  }
})

test('chapter 10 §7.10: selected fields come before the transactions', async () => {
  const action = cardActions.find(({ names }) => names.includes('GET_TRANS_DETAILS')) ?? assert.fail()
  const mapping = { ...defaultMapping('S2S_CARD'), merchantId: '', addToStatus: ['rrn', 'brand'] }
  const names = Object.keys(await answerOf(action, { facts: lookUpExample('SETTLED'), mapping }))
  assert.deepEqual(names.slice(-4), ['card', 'brand', 'rrn', 'transactions'])
})

describe('chapter 10 §8.2: redirect data on /v2/post', () => {
  const sale = cardActions.find(({ names }) => names.includes('SALE')) ?? assert.fail()
  const facts = {
    ...lookUpExample('3DS'),
    transaction: {
      id: bareFacts.id,
      type: '3DS',
      state: 'waiting',
      amountMinor: 1n,
      at: bareFacts.createdAt,
      creditvoidId: null,
    },
  } as const
  const away = { url: 'https://acs.example.com', method: 'GET', params: {} } as const

  test('are a list of names and values', async () => {
    const { redirect_params } = await answerOf(sale, { facts, path: '/v2/post' })
    assert.deepEqual(redirect_params, [
      { name: 'PaReq', value: 'request' },
      { name: 'MD', value: bareFacts.id },
    ])
  })

  test('are an empty list without parameters, where /post omits the key', async () => {
    const none = { ...facts, redirect: away }
    assert.deepEqual((await answerOf(sale, { facts: none, path: '/v2/post' }))['redirect_params'], [])
    assert.ok(!('redirect_params' in (await answerOf(sale, { facts: none }))))
  })
})
