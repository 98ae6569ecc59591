/** When a command may begin and for how much: the conditions and errors of chapter 10 §6 and §6.2, written from the chapter. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errors, type Refusal } from '../errors.ts'
import { chargeback, decide } from './decide.ts'
import { declineClasses, type Payment } from './payment.ts'
import type { Command } from './rules.ts'
import { asDebit, saleIn as sale, today } from './testing/example-payments.ts'

const yesterday = '2026-03-09'

const outcomeOf = (payment: Payment, command: Command, amountMinor?: bigint): string | number => {
  const decision = decide(payment, command, { amountMinor, today })
  return decision.allowed ? decision.records : decision.refusal.code
}
const answerTo = (payment: Payment, command: Command, amountMinor?: bigint, at = today): Refusal | string => {
  const decision = decide(payment, command, { amountMinor, today: at })
  return decision.allowed ? decision.records : decision.refusal
}

describe('amounts', () => {
  test('an omitted amount is the whole hold, or all that is left', () => {
    const rest: Payment = { ...sale.SETTLED, refundedMinor: 300n }
    // biome-ignore format: a table is read in columns.
    const cases = [
      [sale.PENDING,   'CAPTURE',    1000n],
      [sale.PENDING,   'CREDITVOID', 1000n],
      [sale.SETTLED,   'CREDITVOID', 1000n],
      [rest,           'CREDITVOID', 700n],
      [asDebit(rest),  'CREDITVOID', 700n],
      [sale.SETTLED,   'VOID',       1000n],
      [sale.DECLINED,  'RETRY',      1000n],
    ] as const
    for (const [payment, command, expected] of cases) {
      const decision = decide(payment, command, { amountMinor: undefined, today })
      assert.equal(decision.allowed && decision.amountMinor, expected, `${command} in ${payment.status}`)
    }
  })

  test('VOID and RETRY move the whole amount, whatever amount came with them', () => {
    for (const [payment, command] of [
      [sale.SETTLED, 'VOID'],
      [sale.DECLINED, 'RETRY'],
    ] as const) {
      const decision = decide(payment, command, { amountMinor: 1n, today })
      assert.equal(decision.allowed && decision.amountMinor, 1000n)
    }
  })

  test('a capture may be partial and never above the authorised amount', () => {
    assert.equal(outcomeOf(sale.PENDING, 'CAPTURE', 1n), 'CAPTURE')
    assert.equal(outcomeOf(sale.PENDING, 'CAPTURE', 1000n), 'CAPTURE')
    assert.equal(outcomeOf(sale.PENDING, 'CAPTURE', 1001n), 208004)
  })

  test('a hold is released only whole', () => {
    assert.equal(outcomeOf(sale.PENDING, 'CREDITVOID', 1000n), 'REVERSAL')
    assert.equal(outcomeOf(sale.PENDING, 'CREDITVOID', 999n), 208009)
    assert.equal(outcomeOf(sale.PENDING, 'CREDITVOID', 1001n), 208008)
  })

  test('refunds together reach at most the captured amount', () => {
    const rest: Payment = { ...sale.SETTLED, refundedMinor: 600n }
    assert.equal(outcomeOf(rest, 'CREDITVOID', 400n), 'REFUND')
    assert.equal(outcomeOf(rest, 'CREDITVOID', 401n), 208006)
  })

  test('a refund or reversal of nothing, or of less, is refused', () => {
    for (const amountMinor of [0n, -1n]) {
      assert.equal(outcomeOf(sale.SETTLED, 'CREDITVOID', amountMinor), 208006)
      assert.equal(outcomeOf(asDebit(sale.SETTLED), 'CREDITVOID', amountMinor), 208008)
    }
  })

  test('a partly captured hold is refunded up to what was captured', () => {
    const part: Payment = { ...sale.SETTLED, holds: true, capturedMinor: 750n }
    assert.equal(outcomeOf(part, 'CREDITVOID', 750n), 'REFUND')
    assert.equal(outcomeOf(part, 'CREDITVOID', 751n), 208006)
  })

  test('a debit is reversed in parts, up to what is left', () => {
    const rest = asDebit({ ...sale.SETTLED, refundedMinor: 600n })
    assert.equal(outcomeOf(rest, 'CREDITVOID', 1n), 'REVERSAL')
    assert.equal(outcomeOf(rest, 'CREDITVOID', 400n), 'REVERSAL')
    assert.equal(outcomeOf(rest, 'CREDITVOID', 401n), 208008)
  })

  test('of a disputed debit only what the chargeback left can be reversed', () => {
    const disputed = asDebit(sale.CHARGEBACK)
    assert.equal(outcomeOf(disputed, 'CREDITVOID', 600n), 'REVERSAL')
    assert.equal(outcomeOf(disputed, 'CREDITVOID', 601n), 208008)
    assert.equal(outcomeOf({ ...disputed, chargedBackMinor: 1000n }, 'CREDITVOID'), 208005)
  })

  test('chargebacks together reach at most the captured amount, refunded or not', () => {
    const refusal = { http: 400, code: 208010, message: errors.chargebackTooMuch.message }
    const tooMuch = { kind: 'refused', refusal }
    assert.deepEqual(chargeback(sale.SETTLED, 1001n, today), tooMuch)
    assert.deepEqual(chargeback(sale.CHARGEBACK, 601n, today), tooMuch)
    for (const amountMinor of [0n, -1n]) assert.deepEqual(chargeback(sale.SETTLED, amountMinor, today), tooMuch)
    const disputed = chargeback(sale.CHARGEBACK, 600n, today)
    assert.ok(disputed?.kind === 'ok')
    assert.equal(disputed.conclusion.payment.chargedBackMinor, 1000n)
    const afterRefund = chargeback(sale.REFUND, 1000n, today)
    assert.ok(afterRefund?.kind === 'ok')
    assert.equal(afterRefund.conclusion.payment.status, 'CHARGEBACK')
  })
})

describe('zero amounts (chapter 10 §6.2)', () => {
  const zeroHold: Payment = { ...sale.PENDING, amountMinor: 0n, authorisedMinor: 0n }
  const zeroSale: Payment = { ...sale.SETTLED, amountMinor: 0n, authorisedMinor: 0n, capturedMinor: 0n }

  test('a zero authorization cannot be captured', () => {
    assert.deepEqual(answerTo(zeroHold, 'CAPTURE'), errors.captureTooMuch)
    assert.deepEqual(answerTo(zeroHold, 'CAPTURE', 1n), errors.captureTooMuch)
  })
  test('a zero authorization is released with CREDITVOID', () => {
    assert.equal(outcomeOf(zeroHold, 'CREDITVOID'), 'REVERSAL')
    assert.equal(outcomeOf(zeroHold, 'CREDITVOID', 0n), 'REVERSAL')
  })
  test('a zero sale can be neither refunded nor voided', () => {
    assert.deepEqual(answerTo(zeroSale, 'CREDITVOID'), errors.refundNotAllowed)
    assert.deepEqual(answerTo(zeroSale, 'CREDITVOID', 1n), errors.refundNotAllowed)
    assert.deepEqual(answerTo(zeroSale, 'VOID'), errors.voidNotAllowed)
    assert.deepEqual(answerTo(asDebit(zeroSale), 'CREDITVOID'), errors.refundNotAllowed)
  })
})

describe('VOID', () => {
  test('is possible on the financial day of the sale and on no other', () => {
    assert.equal(answerTo(sale.SETTLED, 'VOID', undefined, today), 'VOID')
    assert.deepEqual(answerTo(sale.SETTLED, 'VOID', undefined, '2026-03-11'), errors.voidNotAllowed)
    assert.deepEqual(answerTo({ ...sale.SETTLED, financialDay: yesterday }, 'VOID'), errors.voidNotAllowed)
  })
  test('is possible for a captured hold and for a recurring sale', () => {
    assert.equal(answerTo({ ...sale.SETTLED, holds: true, capturedMinor: 750n }, 'VOID'), 'VOID')
    assert.equal(answerTo({ ...sale.SETTLED, recurring: true }, 'VOID'), 'VOID')
  })
  test('is possible for the smallest amount there is', () => {
    const smallest: Payment = { ...sale.SETTLED, amountMinor: 1n, authorisedMinor: 1n, capturedMinor: 1n }
    assert.equal(answerTo(smallest, 'VOID'), 'VOID')
  })
  test('is refused once anything was refunded', () => {
    assert.deepEqual(answerTo({ ...sale.SETTLED, refundedMinor: 1n }, 'VOID'), errors.voidNotAllowed)
  })
})

describe('RETRY', () => {
  for (const declineClass of declineClasses) {
    const soft = declineClass !== 'hard' && declineClass !== 'fraud'
    test(`a recurring payment declined as ${declineClass} can${soft ? '' : 'not'} be retried`, () => {
      for (const kind of ['sale', 'debit'] as const) {
        const answer = answerTo({ ...sale.DECLINED, kind, declineClass }, 'RETRY')
        assert.deepEqual(answer, soft ? 'RETRY' : errors.retryNotAllowed)
      }
    })
  }
  test('only a recurring payment can be retried', () => {
    assert.deepEqual(answerTo({ ...sale.DECLINED, recurring: false }, 'RETRY'), errors.retryNotAllowed)
  })
  test("is refused when the network's retry budget is used up", () => {
    const decision = decide(sale.DECLINED, 'RETRY', { amountMinor: undefined, today, retryBudget: false })
    assert.deepEqual(decision, { allowed: false, refusal: errors.retryNotAllowed })
  })
})
