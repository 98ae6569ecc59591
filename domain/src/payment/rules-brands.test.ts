/** Every row of chapter 20 §15, in its order, and the refusals of §7 to §9 and §12.3 that depend on the brand. Written from the chapter. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errors, type Refusal } from '../errors.ts'
import { chargeback, conclude, decide, expireCalculation, lapse, type Result } from './decide.ts'
import { newPayment, type Payment, type Status, statuses, type TransactionState } from './payment.ts'
import { type BrandLimits, type Command, commands, type FirstCommand, firstRules, firstTransaction } from './rules.ts'
import { asDebit, saleIn, today } from './testing/example-payments.ts'

const whole = 1000n

/** A payment right after its first command, which takes the money or only holds it. */
function begun(command: FirstCommand, holds = false) {
  const { kind, recurring } = firstRules[command]
  const type = firstTransaction(command, holds)
  const payment = newPayment({ kind, amountMinor: whole, holds, recurring })
  const after = (result: Result, from: Payment = payment, amountMinor = whole) => {
    const conclusion = conclude(from, { type, amountMinor }, result, { today })
    assert.ok(conclusion, `${type} ${result} has no row in ${from.status}`)
    return conclusion
  }
  return { payment, type, after }
}

const answerTo = (payment: Payment, command: Command, amountMinor?: bigint, brand?: BrandLimits): Refusal | string => {
  const decision = decide(payment, command, { amountMinor, today, ...(brand ? { brand } : {}) })
  return decision.allowed ? decision.records : decision.refusal
}

const waitingSale: Payment = begun('SALE').after('waiting').payment
const waitingPayout: Payment = begun('CREDIT2CRYPTO').after('waiting').payment
const calculated: Payment = begun('DEBIT2VIRTUAL_CALC').after('ok').payment

describe('first commands (chapter 20 §15, rows 1 to 7, 18, 19, 21, 22)', () => {
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [number, FirstCommand, 'takes' | 'holds', Result, Status, TransactionState, string])[] = [
    // row command              money    outcome     status      transaction  recorded as
    [1,  'SALE',               'takes', 'ok',       'SETTLED',  'success',   'SALE'],
    [2,  'SALE',               'holds', 'ok',       'PENDING',  'success',   'AUTH'],
    [4,  'SALE',               'takes', 'fail',     'DECLINED', 'fail',      'SALE'],
    [4,  'SALE',               'holds', 'fail',     'DECLINED', 'fail',      'AUTH'],
    [5,  'SALE',               'takes', 'REDIRECT', 'REDIRECT', 'waiting',   'SALE'],
    [5,  'SALE',               'takes', '3DS',      '3DS',      'waiting',   'SALE'],
    [6,  'SALE',               'takes', 'unknown',  'PREPARE',  'undefined', 'SALE'],
    [6,  'SALE',               'holds', 'unknown',  'PREPARE',  'undefined', 'AUTH'],
    [7,  'SALE',               'takes', 'waiting',  'PENDING',  'waiting',   'SALE'],
    [18, 'DEBIT2VIRTUAL',      'takes', 'ok',       'SETTLED',  'success',   'DEBIT'],
    [18, 'DEBIT2VIRTUAL',      'takes', '3DS',      '3DS',      'waiting',   'DEBIT'],
    [18, 'DEBIT2VIRTUAL',      'takes', 'REDIRECT', 'REDIRECT', 'waiting',   'DEBIT'],
    [18, 'DEBIT2VIRTUAL',      'takes', 'unknown',  'PREPARE',  'undefined', 'DEBIT'],
    [18, 'DEBIT2VIRTUAL',      'takes', 'fail',     'DECLINED', 'fail',      'DEBIT'],
    [19, 'DEBIT2VIRTUAL_CALC', 'takes', 'ok',       'PREPARE',  'success',   'CALC'],
    [19, 'DEBIT2VIRTUAL_CALC', 'takes', 'fail',     'DECLINED', 'fail',      'CALC'],
    [21, 'CREDIT2VIRTUAL',     'takes', 'ok',       'SETTLED',  'success',   'CREDIT'],
    [21, 'CREDIT2VIRTUAL',     'takes', 'fail',     'DECLINED', 'fail',      'CREDIT'],
    [21, 'CREDIT2VIRTUAL',     'takes', 'unknown',  'PREPARE',  'undefined', 'CREDIT'],
    [22, 'CREDIT2CRYPTO',      'takes', 'waiting',  'PENDING',  'waiting',   'CREDIT'],
    [22, 'CREDIT2CRYPTO',      'takes', 'fail',     'DECLINED', 'fail',      'CREDIT'],
    [22, 'CREDIT2CRYPTO',      'takes', 'unknown',  'PREPARE',  'undefined', 'CREDIT'],
  ]
  for (const [row, command, money, result, status, state, records] of rows) {
    test(`row ${row}: ${command} that ${money} the money, ${result}: ${status}`, () => {
      const { type, after } = begun(command, money === 'holds')
      const conclusion = after(result)
      assert.deepEqual([type, conclusion.payment.status, conclusion.state], [records, status, state])
    })
  }

  test('a payment that waits for money is in flight and has moved none', () => {
    for (const { payment, entries } of [begun('SALE').after('waiting'), begun('CREDIT2CRYPTO').after('waiting')]) {
      assert.deepEqual([payment.inFlight, payment.authorisedMinor, payment.capturedMinor], [true, 0n, 0n])
      assert.deepEqual(entries, [])
    }
  })

  test('a hold, a debit and a transfer never wait in PENDING: such an answer is not known yet', () => {
    for (const first of [begun('SALE', true), begun('DEBIT2VIRTUAL'), begun('CARD2CARD')]) {
      const { payment, state } = first.after('waiting')
      assert.deepEqual([payment.status, state], ['PREPARE', 'undefined'])
    }
  })

  test('a calculation whose answer is unknown is declined, and nothing stays open (chapter 20 §12.3)', () => {
    for (const result of ['unknown', 'waiting'] as const) {
      const { payment, state } = begun('DEBIT2VIRTUAL_CALC').after(result)
      assert.deepEqual([payment.status, payment.inFlight, state], ['DECLINED', false, 'fail'])
    }
  })
})

describe('outcomes that arrive later (rows 8 to 10, 23)', () => {
  const openStatuses = ['REDIRECT', '3DS', 'PREPARE'] as const

  for (const status of openStatuses) {
    test(`row 8: in ${status} a success settles a sale and holds an authorization`, () => {
      const [sale, auth] = [begun('SALE'), begun('SALE', true)]
      assert.equal(sale.after('ok', { ...sale.payment, status }).payment.status, 'SETTLED')
      assert.equal(auth.after('ok', { ...auth.payment, status }).payment.status, 'PENDING')
    })
    test(`row 9: in ${status} a failure declines`, () => {
      const sale = begun('SALE')
      assert.equal(sale.after('fail', { ...sale.payment, status }).payment.status, 'DECLINED')
    })
  }
  test('row 9: money that never came declines a payment that waited for it', () => {
    const { payment, state } = begun('SALE').after('fail', waitingSale)
    assert.deepEqual([payment.status, payment.inFlight, state], ['DECLINED', false, 'fail'])
  })
  test('row 10: money that arrives settles', () => {
    const { payment, entries } = begun('SALE').after('ok', waitingSale)
    assert.deepEqual([payment.status, payment.capturedMinor, payment.financialDay], ['SETTLED', whole, today])
    assert.deepEqual(entries, [{ from: 'payer', to: 'settled', amountMinor: whole }])
  })
  test('a waiting payment stays PENDING while its outcome is unknown', () => {
    for (const result of ['unknown', 'waiting'] as const) {
      assert.equal(begun('SALE').after(result, waitingSale).payment.status, 'PENDING')
      assert.equal(begun('CREDIT2CRYPTO').after(result, waitingPayout).payment.status, 'PENDING')
    }
  })
  test('a waiting payment sends the payer nowhere', () => {
    assert.equal(conclude(waitingSale, { type: 'SALE', amountMinor: whole }, 'REDIRECT', { today }), null)
  })
  test('row 23: a payout in PREPARE or PENDING ends as the provider reports', () => {
    const payout = begun('CREDIT2CRYPTO')
    for (const from of [payout.after('unknown').payment, waitingPayout]) {
      assert.equal(payout.after('ok', from).payment.status, 'SETTLED')
      assert.equal(payout.after('fail', from).payment.status, 'DECLINED')
    }
  })
  test('crypto money above the order settles with what was received (chapter 20 §6.6)', () => {
    const raised = { ...waitingSale, amountMinor: 1200n }
    const { payment, entries } = begun('SALE').after('ok', raised, 1200n)
    assert.deepEqual([payment.authorisedMinor, payment.capturedMinor], [1200n, 1200n])
    assert.deepEqual(entries, [{ from: 'payer', to: 'settled', amountMinor: 1200n }])
  })
})

describe('follow-ups (rows 11 to 17, 24, 25)', () => {
  const hold = saleIn.PENDING
  const settled = saleIn.SETTLED
  const debit = asDebit(settled)

  test('row 11: a hold is captured up to its amount, and settles', () => {
    assert.equal(answerTo(hold, 'CAPTURE', 400n), 'CAPTURE')
    assert.deepEqual(answerTo(hold, 'CAPTURE', 1001n), errors.captureTooMuch)
  })
  test('row 12: a hold is released as a whole', () => {
    assert.equal(answerTo(hold, 'CREDITVOID'), 'REVERSAL')
    assert.deepEqual(answerTo(hold, 'CREDITVOID', 999n), errors.reversalPartial)
  })
  test('row 13: a hold can not be voided', () => assert.deepEqual(answerTo(hold, 'VOID'), errors.voidNotAllowed))
  test('rows 14 and 15: a settled sale is refunded in full or in part', () => {
    assert.equal(answerTo(settled, 'CREDITVOID'), 'REFUND')
    assert.equal(answerTo(settled, 'CREDITVOID', 1n), 'REFUND')
  })
  test('row 16: a settled sale is voided, a debit and a payout are not', () => {
    assert.equal(answerTo(settled, 'VOID'), 'VOID')
    assert.deepEqual(answerTo(debit, 'VOID'), errors.voidNotAllowed)
    assert.deepEqual(answerTo({ ...settled, kind: 'credit' }, 'VOID'), errors.voidNotAllowed)
  })
  test('row 17: a debit that holds money is reversed, also after a chargeback of a part', () => {
    assert.equal(answerTo(debit, 'CREDITVOID', 1n), 'REVERSAL')
    assert.equal(answerTo(asDebit(saleIn.CHARGEBACK), 'CREDITVOID'), 'REVERSAL')
  })
  test('row 24: a chargeback applies to a sale and a debit, a payout takes none', () => {
    for (const payment of [settled, saleIn.REFUND, saleIn.CHARGEBACK, debit]) {
      const disputed = chargeback(payment, 100n, today)
      assert.ok(disputed?.kind === 'ok')
      assert.equal(disputed.conclusion.payment.status, 'CHARGEBACK')
    }
    assert.deepEqual(chargeback(settled, 1001n, today), { kind: 'refused', refusal: errors.chargebackTooMuch })
    assert.equal(chargeback({ ...settled, kind: 'credit' }, 100n, today), null)
    assert.equal(chargeback(waitingSale, 100n, today), null)
  })
  test('row 25: a command on a final payment gets the error of its action', () => {
    for (const status of ['REVERSAL', 'REFUND', 'VOID', 'DECLINED'] as const) {
      const payment = { ...saleIn[status], recurring: false }
      assert.deepEqual(
        commands.map((command) => answerTo(payment, command)),
        [
          errors.captureNotPending,
          errors.refundNotAllowed,
          errors.voidNotAllowed,
          errors.retryNotAllowed,
          errors.cannotBeCompleted,
        ],
      )
    }
  })
})

describe('PENDING that waits is no hold (chapter 20 §7, §8, §9)', () => {
  for (const [title, payment] of [
    ['a sale', waitingSale],
    ['a payout', waitingPayout],
  ] as const) {
    test(`${title} that waits for its money can be neither captured, released, voided nor lapse`, () => {
      assert.deepEqual(answerTo(payment, 'CAPTURE'), errors.captureNotPending)
      assert.deepEqual(answerTo(payment, 'CREDITVOID'), errors.refundNotAllowed)
      assert.deepEqual(answerTo(payment, 'VOID'), errors.voidNotAllowed)
      assert.equal(lapse(payment, today), null)
    })
  }
})

describe('what the brand permits (chapter 20 §5.1)', () => {
  const all: BrandLimits = { refund: 'partial', partialCapture: true, void: true }
  const none: BrandLimits = { ...all, refund: 'none' }
  const full: BrandLimits = { ...all, refund: 'full' }
  const { PENDING: hold, SETTLED: settled } = saleIn

  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [string, Payment, Command, bigint | undefined, BrandLimits, Refusal | string])[] = [
    // guarantee                                       payment           command       amount     brand                            answer
    ['no refund at all',                               settled,          'CREDITVOID', undefined, none,                            errors.refundNotAllowed],
    ['no reversal of a debit either',                  asDebit(settled), 'CREDITVOID', undefined, none,                            errors.refundNotAllowed],
    ['nor of a disputed one',                          asDebit(saleIn.CHARGEBACK), 'CREDITVOID', undefined, none,                  errors.refundNotAllowed],
    ['a hold is released all the same',                hold,             'CREDITVOID', undefined, none,                            'REVERSAL'],
    ['a full refund where only full ones are made',    settled,          'CREDITVOID', whole,     full,                            'REFUND'],
    ['no partial one there',                           settled,          'CREDITVOID', 999n,      full,                            errors.refundNotAllowed],
    ['no partial reversal of a debit there',           asDebit(settled), 'CREDITVOID', 999n,      full,                            errors.refundNotAllowed],
    ['too much is too much there too',                 settled,          'CREDITVOID', 1001n,     full,                            errors.refundTooMuch],
    ['a capture of the whole',                         hold,             'CAPTURE',    whole,     { ...all, partialCapture: false }, 'CAPTURE'],
    ['no partial capture',                             hold,             'CAPTURE',    999n,      { ...all, partialCapture: false }, errors.actionNotSupported],
    ['a capture above the hold is too much first',     hold,             'CAPTURE',    1001n,     { ...all, partialCapture: false }, errors.captureTooMuch],
    ['no void',                                        settled,          'VOID',       undefined, { ...all, void: false },         errors.voidNotAllowed],
    ['everything',                                     settled,          'VOID',       undefined, all,                             'VOID'],
  ]
  for (const [title, payment, command, amountMinor, brand, expected] of rows) {
    test(title, () => assert.deepEqual(answerTo(payment, command, amountMinor, brand), expected))
  }
})

describe('calculated debits (chapter 20 §12, §15 row 20)', () => {
  const cannot = { http: 400, code: 100000, message: 'Payment can not be completed.' }

  test('COMPLETE records a DEBIT of the whole amount, whatever amount came with it', () => {
    assert.deepEqual(decide(calculated, 'COMPLETE', { amountMinor: 1n, today }), {
      allowed: true,
      records: 'DEBIT',
      amountMinor: whole,
    })
  })
  test('a completed debit goes on like one in one step', () => {
    const sent: Payment = { ...calculated, inFlight: true }
    const { after } = begun('DEBIT2VIRTUAL')
    const ends = (['ok', '3DS', 'REDIRECT', 'unknown', 'fail'] as const).map(
      (result) => after(result, sent).payment.status,
    )
    assert.deepEqual(ends, ['SETTLED', '3DS', 'REDIRECT', 'PREPARE', 'DECLINED'])
  })
  test('a second COMPLETE, one after the time is over and one of a debit that was sent at once are refused', () => {
    assert.deepEqual(answerTo({ ...calculated, inFlight: true }, 'COMPLETE'), cannot)
    assert.deepEqual(answerTo(begun('DEBIT2VIRTUAL').after('unknown').payment, 'COMPLETE'), cannot)
    const late = decide(calculated, 'COMPLETE', { amountMinor: undefined, today, expired: true })
    assert.deepEqual(late, { allowed: false, refusal: cannot })
  })
  test('nothing but a debit in PREPARE can be completed', () => {
    for (const status of statuses) {
      assert.deepEqual(answerTo({ ...saleIn[status], inFlight: false }, 'COMPLETE'), cannot)
      if (status !== 'PREPARE') assert.deepEqual(answerTo(asDebit(saleIn[status]), 'COMPLETE'), cannot)
    }
  })
  test('a debit that is not completed in time is declined; any other payment is unchanged', () => {
    assert.equal(expireCalculation(calculated)?.status, 'DECLINED')
    assert.equal(expireCalculation({ ...calculated, inFlight: true }), null)
    for (const status of statuses) assert.equal(expireCalculation(saleIn[status]), null)
  })
})
