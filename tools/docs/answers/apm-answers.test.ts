/**
 * The fields of the presenters of S2S APM against chapter 20's tables, action by action. The tables below were written from §6.2, §6.6 and
 * §7 to §13, never from the code; a callback's fields have the order of §16.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FieldColumn, headOf } from './answers.ts'
import { apmColumns } from './apm-answers.ts'

/** A field, with a condition after a colon. */
type Fields = readonly string[]
type Table = Readonly<Record<string, { readonly status: string; readonly fields: Fields }>>

const words = (text: string): Fields => text.trim().split(/\s+/)
const row = (status: string, ...fields: readonly Fields[]) => ({ status, fields: fields.flat() })

const head = words('action result status order_id trans_id')
const heading = [...head, 'hash']
const date = ['trans_date']
const money = words('amount currency')
const openFields = ['amount:when the amount is known', 'currency']
const descriptor = ['descriptor']
const declineFields = ['decline_reason']
const away = words('redirect_url redirect_params redirect_method')
const awayInForm = ['redirect_url', 'redirect_params:with parameters', 'redirect_method']
const expectedFields = [
  ...words('crypto_address crypto_network').map((field) => `${field}:for a crypto brand`),
  ...words('voucher_reference voucher_expires voucher_url').map((field) => `${field}:for a voucher brand`),
]
const wallet = ['digital_wallet:for a wallet', 'pan_type:for a wallet whose token was opened']
const commission = words('commission total_amount')
const custom = ['custom_data:with `custom_data`']
const exchangeFields = [
  'exchange_rate:when money was exchanged',
  'exchange_rate_base:when exchanged twice',
  'exchange_currency:when money was exchanged',
  'exchange_amount:when money was exchanged',
]

// biome-ignore format: a table is read in columns.
const ofDebit = (first: Fields, redirect: Fields, last: Fields): Table => ({
  // Chapter 20 §12.3
  SUCCESS:                    row('SETTLED',      first, date, descriptor, money, commission,           last),
  'SUCCESS, payer sent away': row('3DS REDIRECT', first, date, descriptor, money, commission, redirect, last),
  DECLINED:                   row('DECLINED',     first, date, descriptor, money, commission, declineFields, last),
  UNDEFINED:                  row('PREPARE',      first, date, descriptor, money, commission,           last),
})

// biome-ignore format: a table is read in columns.
const calculation = (first: Fields, last: Fields): Table => ({
  SUCCESS:  row('PREPARE',  first, date, descriptor, money, commission,           last),
  DECLINED: row('DECLINED', first, date, descriptor, money, commission, declineFields, last),
})

// biome-ignore format: a table is read in columns.
const payout = (first: Fields, last: Fields): Table => ({
  // Chapter 20 §10
  SUCCESS:   row('SETTLED',  first, date, money,           last),
  DECLINED:  row('DECLINED', first, date, money, declineFields, last),
  UNDEFINED: row('PREPARE',  first, date, money,           last),
})

// biome-ignore format: a table is read in columns.
const cryptoPayout = (first: Fields, last: Fields): Table => ({
  // Chapter 20 §11
  INIT:      row('PENDING',  first, date, descriptor, money,           last),
  SUCCESS:   row('SETTLED',  first, date, descriptor, money,           last),
  DECLINED:  row('DECLINED', first, date, descriptor, money, declineFields, last),
  UNDEFINED: row('PREPARE',  first, date, descriptor, money,           last),
})

// biome-ignore format: a table is read in columns.
const lookUp: Table = {
  // Chapter 20 §13
  'SUCCESS, a sale':   row('PREPARE 3DS REDIRECT PENDING SETTLED REVERSAL REFUND VOID CHARGEBACK', head, wallet),
  'SUCCESS, a debit':  row('PREPARE 3DS REDIRECT SETTLED REVERSAL CHARGEBACK', head, commission),
  'SUCCESS, declined': row('DECLINED', head, declineFields),
}

// biome-ignore format: a table is read in columns.
const answers: Readonly<Record<string, Table>> = {
  SALE: {
    // Chapter 20 §6.2
    SUCCESS:                      row('SETTLED PENDING', head, date, descriptor, money,                wallet),
    'SUCCESS, waiting for money': row('PENDING',         head, date, descriptor, openFields, expectedFields),
    DECLINED:                     row('DECLINED',        head, date,             money, declineFields,      wallet),
    REDIRECT:                     row('3DS REDIRECT',    head, date,             money, away,          wallet),
    UNDEFINED:                    row('PREPARE',         head, date, descriptor, money,                wallet),
  },
  CAPTURE: {
    // Chapter 20 §7
    SUCCESS:   row('SETTLED', head, date, descriptor, money),
    DECLINED:  row('PENDING', head, date, descriptor, money, declineFields),
    UNDEFINED: row('PENDING', head, date, descriptor, money),
  },
  CREDITVOID: { ACCEPTED: row('', words('action result order_id trans_id')) },
  VOID: {
    // Chapter 20 §9
    SUCCESS:   row('VOID',    head, date),
    DECLINED:  row('SETTLED', head, date, declineFields),
    UNDEFINED: row('SETTLED', head, date),
  },
  CREDIT2VIRTUAL:            payout(head, []),
  CREDIT2CRYPTO:             cryptoPayout(head, []),
  DEBIT2VIRTUAL:             ofDebit(head, away, []),
  DEBIT2VIRTUAL_CALC:        calculation(head, []),
  DEBIT2VIRTUAL_COMPLETE:    ofDebit(head, away, []),
  GET_TRANS_STATUS:          lookUp,
  GET_TRANS_STATUS_BY_ORDER: lookUp,
}

const refund = words('creditvoid_id creditvoid_date amount')

// biome-ignore format: a table is read in columns.
const callbacks: Readonly<Record<string, Table>> = {
  SALE: {
    // Chapter 20 §6.6
    SUCCESS:                   row('SETTLED PENDING', heading, date, descriptor,                        money, exchangeFields, wallet, custom),
    'INIT, waiting for money': row('PENDING',         heading, date, descriptor,                        openFields,  expectedFields,          custom),
    DECLINED:                  row('DECLINED',        heading, date, descriptor, declineFields,              money,            wallet, custom),
    REDIRECT:                  row('3DS REDIRECT',    heading, date,                       awayInForm,  money,            wallet, custom),
    UNDEFINED:                 row('PREPARE',         heading, date, descriptor,                        money,            wallet, custom),
  },
  CAPTURE: {
    SUCCESS:   row('SETTLED', heading, date, descriptor, money),
    DECLINED:  row('PENDING', heading, date, descriptor, money, declineFields),
    UNDEFINED: row('PENDING', heading, date, descriptor, money),
  },
  CREDITVOID: {
    // Chapter 20 §8
    SUCCESS:   row('REFUND REVERSAL SETTLED', heading, refund),
    DECLINED:  row('PENDING SETTLED',         heading, ['creditvoid_id'], declineFields),
    UNDEFINED: row('PENDING SETTLED',         heading, refund),
    WAITING:   row('PENDING SETTLED',         heading, refund),
  },
  VOID: {
    SUCCESS:   row('VOID',    heading, date),
    DECLINED:  row('SETTLED', heading, date, declineFields),
    UNDEFINED: row('SETTLED', heading, date),
  },
  CREDIT2VIRTUAL:         payout(heading, custom),
  CREDIT2CRYPTO:          cryptoPayout(heading, custom),
  DEBIT2VIRTUAL:          ofDebit(heading, awayInForm, custom),
  DEBIT2VIRTUAL_CALC:     calculation(heading, custom),
  DEBIT2VIRTUAL_COMPLETE: ofDebit(heading, awayInForm, custom),
  CHARGEBACK:             { SUCCESS: row('CHARGEBACK', heading, words('amount chargeback_date bank_date reason_code')) },
}

const fieldTexts = ({ fields }: FieldColumn): Fields =>
  [...fields].map(([name, condition]) => (condition === '' ? name : `${name}:${condition}`))

function holds(columns: readonly FieldColumn[], table: Table): void {
  assert.deepEqual(columns.map(headOf).toSorted(), Object.keys(table).toSorted())
  for (const column of columns) {
    const { fields, status } = table[headOf(column)] ?? row('')
    assert.deepEqual(fieldTexts(column), fields, headOf(column))
    if (status !== '') assert.deepEqual([...column.statuses].toSorted(), words(status).toSorted(), headOf(column))
  }
}

const of = (name: string) => apmColumns.find(({ action }) => action === name) ?? assert.fail(name)

describe('the answer of chapter 20 is that of', () => {
  for (const [action, table] of Object.entries(answers)) test(action, () => holds(of(action).answer, table))
})

describe('the callback of chapter 20 is that of', () => {
  for (const [action, table] of Object.entries(callbacks)) test(action, () => holds(of(action).callback, table))
})

test('chapter 20 §3: every action of the index answers, and those of its column "Callback" call back, no others', () => {
  const names = (has: 'answer' | 'callback') =>
    apmColumns.filter((one) => one[has].length > 0).map(({ action }) => action)
  assert.deepEqual(names('answer'), Object.keys(answers))
  assert.deepEqual(names('callback'), Object.keys(callbacks))
})

test('report fields come with look-ups and first steps, and with the success of a follow-up', () => {
  for (const { action, answer, callback } of apmColumns) {
    const isLookUp = action.startsWith('GET_TRANS_')
    assert.ok(
      answer.every(({ reportFields }) => reportFields === isLookUp),
      action,
    )
    const isFollowUp = ['CAPTURE', 'CREDITVOID', 'VOID'].includes(action)
    for (const { result, reportFields } of callback)
      assert.equal(reportFields, !isFollowUp || result === 'SUCCESS', `${action} ${result}`)
  }
})
