/** Every cell of chapter 10 §6.1 with its exact refusal, and the rules of §6.2 about kinds and open transactions, written from the chapter. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errors, type Refusal } from '../errors.ts'
import { chargeback, conclude, decide } from './decide.ts'
import { kinds, newPayment, type Payment, statuses, transactionTypes } from './payment.ts'
import { beginRules, type Command, endRules, firstRules } from './rules.ts'
import { asDebit, saleIn as sale, today } from './testing/example-payments.ts'

const outcomeOf = (payment: Payment, command: Command, amountMinor?: bigint): string | number => {
  const decision = decide(payment, command, { amountMinor, today })
  return decision.allowed ? decision.records : decision.refusal.code
}
const answerTo = (payment: Payment, command: Command, amountMinor?: bigint, at = today): Refusal | string => {
  const decision = decide(payment, command, { amountMinor, today: at })
  return decision.allowed ? decision.records : decision.refusal
}

const noVoid = 'Void is not allowed.'
const noRetry = 'Retry is not allowed.'

// biome-ignore format: the table of chapter 10 §6.1, in its columns.
const saleCells = [
  // status      CAPTURE    CREDITVOID  VOID     RETRY    chargeback
  ['PREPARE',    208003,    208005,     noVoid,  noRetry, 'alert'],
  ['3DS',        208003,    208005,     noVoid,  noRetry, 'alert'],
  ['REDIRECT',   208003,    208005,     noVoid,  noRetry, 'alert'],
  ['PENDING',    'CAPTURE', 'REVERSAL', noVoid,  noRetry, 'alert'],
  ['SETTLED',    208003,    'REFUND',   'VOID',  noRetry, 'yes'],
  ['REVERSAL',   208003,    208005,     noVoid,  noRetry, 'alert'],
  ['REFUND',     208003,    208005,     noVoid,  noRetry, 'yes'],
  ['VOID',       208003,    208005,     noVoid,  noRetry, 'alert'],
  ['CHARGEBACK', 208003,    208005,     noVoid,  noRetry, 'yes'],
  ['DECLINED',   208003,    208005,     noVoid,  'RETRY', 'alert'],
] as const

// biome-ignore format: the same table for a DEBIT, where it differs by chapter 10 §6 and §6.2.
const debitCells = [
  ['PREPARE',    208003,    208005,     noVoid,  noRetry, 'alert'],
  ['3DS',        208003,    208005,     noVoid,  noRetry, 'alert'],
  ['REDIRECT',   208003,    208005,     noVoid,  noRetry, 'alert'],
  ['SETTLED',    208003,    'REVERSAL', noVoid,  noRetry, 'yes'],
  ['REVERSAL',   208003,    208005,     noVoid,  noRetry, 'alert'],
  ['CHARGEBACK', 208003,    'REVERSAL', noVoid,  noRetry, 'yes'],
  ['DECLINED',   208003,    208005,     noVoid,  'RETRY', 'alert'],
] as const

type Row = (typeof saleCells)[number] | (typeof debitCells)[number]

function checkRow(payment: Payment, [status, capture, creditvoid, voiding, retry, dispute]: Row, kind: string): void {
  const cells: readonly (readonly [Command, string | number])[] = [
    ['CAPTURE', capture],
    ['CREDITVOID', creditvoid],
    ['VOID', voiding],
    ['RETRY', retry],
  ]
  for (const [command, expected] of cells) {
    test(`${kind} in ${status}: ${command} gives ${expected}`, () => {
      const answer = answerTo(payment, command)
      if (typeof answer === 'string') return assert.equal(answer, expected)
      if (typeof expected === 'number') return assert.equal(answer.code, expected)
      assert.deepEqual(answer, { http: 400, code: 100000, message: expected })
    })
  }
  test(`${kind} in ${status}: a chargeback ${dispute === 'yes' ? 'makes it CHARGEBACK' : 'only raises an alert'}`, () => {
    const result = chargeback(payment, 100n, today)
    if (dispute === 'alert') return assert.equal(result, null)
    assert.ok(result?.kind === 'ok')
    assert.equal(result.conclusion.payment.status, 'CHARGEBACK')
  })
}

describe('status against command (chapter 10 §6.1)', () => {
  test('the table names each of the ten statuses once', () => {
    assert.deepEqual(saleCells.map(([status]) => status).sort(), [...statuses].sort())
  })
  for (const row of saleCells) checkRow(sale[row[0]], row, 'a sale')
  for (const row of debitCells) checkRow(asDebit(sale[row[0]]), row, 'a debit')
})

describe('the refusals, word for word (chapter 10 §10.3)', () => {
  // biome-ignore format: a table is read in columns.
  const texts = [
    ['CAPTURE',    'SETTLED',  undefined, 208003, 'Not acceptable to request the capture for payment not in pending status.'],
    ['CAPTURE',    'PENDING',  1001n,     208004, 'Not acceptable to request the capture for amount bigger than auth amount.'],
    ['CREDITVOID', 'DECLINED', undefined, 208005, 'Refund is not allowed'],
    ['CREDITVOID', 'SETTLED',  1001n,     208006, 'Not acceptable to request the refund for amount bigger than payment amount.'],
    ['CREDITVOID', 'PENDING',  1001n,     208008, 'Not acceptable to request the reversal for amount bigger than payment amount.'],
    ['CREDITVOID', 'PENDING',  999n,      208009, 'Not acceptable to request the reversal for partial amount.'],
    ['VOID',       'PENDING',  undefined, 100000, 'Void is not allowed.'],
    ['RETRY',      'SETTLED',  undefined, 100000, 'Retry is not allowed.'],
  ] as const
  for (const [command, status, amountMinor, code, message] of texts) {
    test(`${command} in ${status}: ${message}`, () => {
      assert.deepEqual(answerTo(sale[status], command, amountMinor), { http: 400, code, message })
    })
  }

  test('a debit reversed above what is left answers 208008, not 208006', () => {
    assert.deepEqual(answerTo(asDebit(sale.SETTLED), 'CREDITVOID', 1001n), errors.reversalTooMuch)
  })
})

describe('kinds of payment (chapter 10 §6.2)', () => {
  for (const kind of ['transfer', 'credit'] as const) {
    for (const status of statuses) {
      test(`nothing can be captured, given back, voided or retried of a ${kind} in ${status}`, () => {
        const payment: Payment = { ...sale[status], kind }
        assert.equal(outcomeOf(payment, 'CAPTURE'), 208003)
        assert.deepEqual(answerTo(payment, 'CREDITVOID'), errors.refundNotAllowed)
        assert.deepEqual(answerTo(payment, 'VOID'), errors.voidNotAllowed)
        assert.deepEqual(answerTo(payment, 'RETRY'), errors.retryNotAllowed)
      })
    }
  }

  test('a payout takes no chargeback, a transfer does', () => {
    assert.equal(chargeback({ ...sale.SETTLED, kind: 'credit' }, 1000n, today), null)
    assert.notEqual(chargeback({ ...sale.SETTLED, kind: 'transfer' }, 1000n, today), null)
  })
})

describe('in flight (chapter 10 §6.2)', () => {
  // biome-ignore format: a table is read in columns.
  const open = [
    ['CAPTURE',    'PENDING',  undefined],
    ['CREDITVOID', 'PENDING',  undefined],
    ['CREDITVOID', 'SETTLED',  undefined],
    ['VOID',       'SETTLED',  undefined],
    ['RETRY',      'DECLINED', undefined],
    ['CAPTURE',    'PENDING',  5000n],
    ['CREDITVOID', 'PENDING',  1n],
    ['CREDITVOID', 'SETTLED',  5000n],
  ] as const
  for (const [command, status, amountMinor] of open) {
    test(`an open transaction refuses ${command} in ${status}${amountMinor ? ', before the amount is looked at' : ''}`, () => {
      const answer = answerTo({ ...sale[status], inFlight: true }, command, amountMinor)
      assert.deepEqual(answer, { http: 400, code: 100000, message: 'Previous transaction not completed.' })
    })
  }

  test('the refusal for the status comes before the one for an open transaction', () => {
    assert.deepEqual(answerTo({ ...sale.SETTLED, inFlight: true }, 'CAPTURE'), errors.captureNotPending)
    assert.deepEqual(
      answerTo({ ...sale.SETTLED, inFlight: true }, 'VOID', undefined, '2026-03-11'),
      errors.voidNotAllowed,
    )
  })
})

describe('the tables', () => {
  test('first commands make the kind and the transaction of chapter 10 §5.3 and §6, chapter 20 §15', () => {
    // biome-ignore format: a table is read in columns.
    const expected = [
      // command              kind        takes       holds       recurring
      ['SALE',               'sale',     'SALE',     'AUTH',     false],
      ['DEBIT',              'debit',    'DEBIT',    null,       false],
      ['CARD2CARD',          'transfer', 'TRANSFER', null,       false],
      ['CREDIT2CARD',        'credit',   'CREDIT',   null,       false],
      ['RECURRING_SALE',     'sale',     'SALE',     'AUTH',     true],
      ['RECURRING_DEBIT',    'debit',    'DEBIT',    null,       true],
      ['CREDIT2VIRTUAL',     'credit',   'CREDIT',   null,       false],
      ['CREDIT2CRYPTO',      'credit',   'CREDIT',   null,       false],
      ['DEBIT2VIRTUAL',      'debit',    'DEBIT',    null,       false],
      ['DEBIT2VIRTUAL_CALC', 'debit',    'CALC',     null,       false],
    ] as const
    assert.equal(Object.keys(firstRules).length, expected.length)
    for (const [command, kind, records, recordsHeld, recurring] of expected)
      assert.deepEqual(firstRules[command], { kind, records, recordsHeld, recurring })
  })

  test('every transaction that a command records has an outcome row', () => {
    const ends = new Set(endRules.map(({ type }) => type))
    const first = Object.values(firstRules).flatMap(({ records, recordsHeld }) => [records, recordsHeld ?? records])
    for (const records of [...beginRules.map((rule) => rule.records), ...first]) assert.ok(ends.has(records), records)
  })

  test('every type of transaction has an outcome row', () => {
    const ends = new Set(endRules.map(({ type }) => type))
    assert.deepEqual(
      transactionTypes.filter((type) => !ends.has(type)),
      [],
    )
  })

  for (const type of ['3DS', 'REDIRECT'] as const) {
    test(`a ${type} step that fails ends the payment, one that goes well leaves it to the charge`, () => {
      const waiting = {
        ...newPayment({ kind: 'sale', amountMinor: 100n, holds: false, recurring: false }),
        status: type,
      }
      const at = { today: '2026-03-01' }
      assert.equal(conclude(waiting, { type, amountMinor: 100n }, 'fail', at)?.payment.status, 'DECLINED')
      const passed = conclude(waiting, { type, amountMinor: 100n }, 'ok', at)
      assert.equal(passed?.payment.status, type)
      assert.equal(passed?.payment.inFlight, false)
      assert.equal(passed?.payment.capturedMinor, 0n)
      assert.deepEqual(passed?.entries, [])
    })
  }

  test('no two begin rows fit the same command, status and kind', () => {
    const keys = beginRules.flatMap(({ command, from, kinds: of }) => of.map((kind) => `${command} ${from} ${kind}`))
    assert.equal(new Set(keys).size, keys.length)
    for (const { kinds: of } of beginRules) assert.ok(of.every((kind) => kinds.includes(kind)))
  })
})
