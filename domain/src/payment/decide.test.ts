/** What outcomes make of a payment: the rows of chapter 10 §6 in its order, and the rules of §6.2 about late and crossing outcomes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { balances } from '../money/testing/balances.ts'
import { type Conclusion, chargeback, conclude, decide, lapse, type Result, returnChargeback } from './decide.ts'
import { type Kind, newPayment, type Payment, type Status, type TransactionType } from './payment.ts'

const today = '2026-03-10'
const tomorrow = '2026-03-11'

const fresh = (kind: Kind = 'sale', facts: Partial<Payment> = {}): Payment => ({
  ...newPayment({ kind, amountMinor: 1000n, holds: false, recurring: false }),
  ...facts,
})

interface EndOptions {
  readonly amountMinor?: bigint
  readonly on?: string
}

function ended(
  payment: Payment,
  type: TransactionType,
  result: Result,
  { amountMinor = payment.amountMinor, on = today }: EndOptions = {},
): Conclusion {
  const conclusion = conclude(payment, { type, amountMinor }, result, { today: on })
  assert.ok(conclusion, `${type} ${result} has no row in ${payment.status}`)
  return conclusion
}

const settledSale = (): Payment => ended(fresh(), 'SALE', 'ok').payment
const heldSale = (): Payment => ended(fresh('sale', { holds: true }), 'AUTH', 'ok').payment
const settledDebit = (): Payment => ended(fresh('debit'), 'DEBIT', 'ok').payment
const begun = (payment: Payment): Payment => ({ ...payment, inFlight: true })

function disputed(payment: Payment, amountMinor: bigint): Payment {
  const decision = chargeback(payment, amountMinor, today)
  assert.ok(decision?.kind === 'ok')
  return decision.conclusion.payment
}

describe('first steps (chapter 10 §6)', () => {
  // biome-ignore format: a table is read in columns.
  const rows = [
    // kind        transaction  ok         fail        3DS    redirect    unknown
    ['sale',      'SALE',      'SETTLED', 'DECLINED', '3DS', 'REDIRECT', 'PREPARE'],
    ['sale',      'AUTH',      'PENDING', 'DECLINED', '3DS', 'REDIRECT', 'PREPARE'],
    ['debit',     'DEBIT',     'SETTLED', 'DECLINED', '3DS', 'REDIRECT', 'PREPARE'],
    ['transfer',  'TRANSFER',  'SETTLED', 'DECLINED', '3DS', 'REDIRECT', 'PREPARE'],
    ['credit',    'CREDIT',    'SETTLED', 'DECLINED', null,  null,       'PREPARE'],
  ] as const
  const results = ['ok', 'fail', '3DS', 'REDIRECT', 'unknown'] as const

  for (const [kind, type, ...expected] of rows) {
    for (const [index, result] of results.entries()) {
      const status = expected[index]
      if (!status) {
        test(`${type} never sends the payer anywhere: ${result} has no row`, () => {
          assert.equal(conclude(fresh(kind), { type, amountMinor: 1000n }, result, { today }), null)
        })
        continue
      }
      for (const from of ['PREPARE', '3DS', 'REDIRECT'] as const) {
        test(`${type} ${result} from ${from}: ${status}`, () => {
          assert.equal(ended(fresh(kind, { status: from }), type, result).payment.status, status)
        })
      }
    }
  }

  test('a retried payment becomes SETTLED, or PENDING when it holds', () => {
    const declined: Partial<Payment> = { status: 'DECLINED', recurring: true, declineClass: 'soft' }
    assert.equal(ended(fresh('sale', declined), 'RETRY', 'ok').payment.status, 'SETTLED')
    assert.equal(ended(fresh('debit', declined), 'RETRY', 'ok').payment.status, 'SETTLED')
    const held = ended(fresh('sale', { ...declined, holds: true }), 'RETRY', 'ok').payment
    assert.deepEqual([held.status, held.authorisedMinor, held.capturedMinor], ['PENDING', 1000n, 0n])
  })

  test('a retry that fails stays DECLINED with its own class; one without answer waits in PREPARE', () => {
    const declined = fresh('sale', { status: 'DECLINED', recurring: true, declineClass: 'soft' })
    const failed = conclude(declined, { type: 'RETRY', amountMinor: 1000n }, 'fail', { today, declineClass: 'hard' })
    assert.deepEqual([failed?.payment.status, failed?.payment.declineClass], ['DECLINED', 'hard'])
    const unknown = ended(declined, 'RETRY', 'unknown').payment
    assert.equal(unknown.status, 'PREPARE')
    assert.equal(ended(unknown, 'RETRY', 'ok').payment.status, 'SETTLED')
    assert.equal(ended(unknown, 'RETRY', 'fail').payment.status, 'DECLINED')
  })

  test('an authentication and a redirect may lead the payer to a further step, which is the status then', () => {
    for (const type of ['3DS', 'REDIRECT'] as const) {
      for (const next of ['3DS', 'REDIRECT'] as const) {
        const { payment, state } = ended(fresh(), type, next)
        assert.deepEqual([payment.status, state], [next, 'waiting'])
      }
    }
  })

  test('an authentication or a redirect of which nothing is known, or that waits, leaves the payment where it is', () => {
    for (const type of ['3DS', 'REDIRECT'] as const) {
      for (const from of ['PREPARE', '3DS', 'REDIRECT'] as const) {
        for (const result of ['unknown', 'waiting'] as const) {
          const { payment, state } = ended(fresh('sale', { status: from }), type, result)
          assert.deepEqual([payment.status, state], [from, 'undefined'], `${type} ${result} from ${from}`)
        }
      }
    }
  })

  test('a decline class belongs to a declined payment only', () => {
    const declined = conclude(fresh(), { type: 'SALE', amountMinor: 1000n }, 'fail', { today, declineClass: 'fraud' })
    assert.equal(declined?.payment.declineClass, 'fraud')
    // A RETRY is allowed after anything but a hard decline, so that what is not known must not look like one.
    assert.equal(ended(fresh(), 'SALE', 'fail').payment.declineClass, 'unknown')
    const retried = ended(fresh('sale', { status: 'DECLINED', recurring: true, declineClass: 'soft' }), 'RETRY', 'ok')
    assert.equal(retried.payment.declineClass, null)
  })
})

describe('the state of the transaction (chapter 10 §5.3, §5.4)', () => {
  // biome-ignore format: a table is read in columns.
  const rows = [
    ['ok',       'success',   false],
    ['fail',     'fail',      false],
    ['unknown',  'undefined', true],
    ['3DS',      'waiting',   true],
    ['REDIRECT', 'waiting',   true],
  ] as const
  for (const [result, state, open] of rows) {
    test(`${result} leaves the transaction ${state}${open ? ' and the payment in flight' : ''}`, () => {
      const conclusion = ended(fresh(), 'SALE', result)
      assert.deepEqual([conclusion.state, conclusion.payment.inFlight], [state, open])
    })
  }

  test('a capture or a void never waits: one that the acquirer has not finished is undefined (chapter 10 §5.4)', () => {
    for (const conclusion of [
      ended(begun(heldSale()), 'CAPTURE', 'waiting', { amountMinor: 400n }),
      ended(begun(settledSale()), 'VOID', 'waiting'),
    ])
      assert.deepEqual([conclusion.state, conclusion.payment.inFlight], ['undefined', true])
  })

  test('a refund that the acquirer finishes later is waiting and keeps the payment in flight', () => {
    const conclusion = ended(begun(settledSale()), 'REFUND', 'waiting', { amountMinor: 400n })
    assert.deepEqual([conclusion.state, conclusion.payment.inFlight], ['waiting', true])
  })

  test('no money moves before an outcome is a success', () => {
    for (const result of ['fail', 'unknown', '3DS', 'REDIRECT'] as const) {
      const { payment, entries } = ended(fresh(), 'SALE', result)
      assert.deepEqual([payment.authorisedMinor, payment.capturedMinor, entries.length], [0n, 0n, 0])
    }
  })
})

describe('follow-ups (chapter 10 §6)', () => {
  // biome-ignore format: a table is read in columns.
  const rows = [
    // payment         transaction  amount  ok          fail       waiting     unknown
    [heldSale,        'CAPTURE',   1000n,  'SETTLED',  'PENDING', null,       'PENDING'],
    [heldSale,        'REVERSAL',  1000n,  'REVERSAL', 'PENDING', 'PENDING',  'PENDING'],
    [settledSale,     'REFUND',    1000n,  'REFUND',   'SETTLED', 'SETTLED',  'SETTLED'],
    [settledSale,     'REFUND',    999n,   'SETTLED',  'SETTLED', 'SETTLED',  'SETTLED'],
    [settledDebit,    'REVERSAL',  1000n,  'REVERSAL', 'SETTLED', 'SETTLED',  'SETTLED'],
    [settledDebit,    'REVERSAL',  999n,   'SETTLED',  'SETTLED', 'SETTLED',  'SETTLED'],
    [settledSale,     'VOID',      1000n,  'VOID',     'SETTLED', null,       'SETTLED'],
  ] as const
  for (const [payment, type, amountMinor, ok, fail, waiting, unknown] of rows) {
    const expected = { ok, fail, waiting, unknown }
    for (const result of ['ok', 'fail', 'waiting', 'unknown'] as const) {
      const status: Status | null = expected[result]
      if (!status) continue
      test(`${type} of ${amountMinor} on ${payment.name}: ${result} gives ${status}`, () => {
        assert.equal(ended(begun(payment()), type, result, { amountMinor }).payment.status, status)
      })
    }
  }

  test('refunds in several steps end as REFUND with the one that takes the rest', () => {
    const first = ended(begun(settledSale()), 'REFUND', 'ok', { amountMinor: 400n }).payment
    assert.deepEqual([first.status, first.refundedMinor], ['SETTLED', 400n])
    const last = ended(begun(first), 'REFUND', 'ok', { amountMinor: 600n }).payment
    assert.deepEqual([last.status, last.refundedMinor], ['REFUND', 1000n])
  })

  test('a debit reversed in steps ends as REVERSAL with the one that takes the rest', () => {
    const first = ended(begun(settledDebit()), 'REVERSAL', 'ok', { amountMinor: 400n }).payment
    assert.deepEqual([first.status, first.refundedMinor], ['SETTLED', 400n])
    assert.equal(ended(begun(first), 'REVERSAL', 'ok', { amountMinor: 600n }).payment.status, 'REVERSAL')
  })

  test('a partial capture settles its amount and releases the rest of the hold', () => {
    const { payment, entries } = ended(begun(heldSale()), 'CAPTURE', 'ok', { amountMinor: 750n })
    assert.deepEqual([payment.status, payment.capturedMinor], ['SETTLED', 750n])
    const moved = balances(entries)
    assert.deepEqual([moved.get('held'), moved.get('settled'), moved.get('payer')], [-1000n, 750n, 250n])
  })

  test('after a failed capture a new one is allowed', () => {
    const failed = ended(begun(heldSale()), 'CAPTURE', 'fail').payment
    assert.equal(decide(failed, 'CAPTURE', { amountMinor: undefined, today }).allowed, true)
  })

  test('after a capture there is no second one', () => {
    const captured = ended(begun(heldSale()), 'CAPTURE', 'ok', { amountMinor: 750n }).payment
    const decision = decide(captured, 'CAPTURE', { amountMinor: 250n, today })
    assert.equal(decision.allowed === false && decision.refusal.code, 208003)
  })

  test('the financial day of a captured hold is that of the capture', () => {
    const captured = ended(begun(heldSale()), 'CAPTURE', 'ok', { amountMinor: 1000n, on: tomorrow }).payment
    assert.equal(decide(captured, 'VOID', { amountMinor: undefined, today: tomorrow }).allowed, true)
    assert.equal(decide(captured, 'VOID', { amountMinor: undefined, today }).allowed, false)
  })

  test('a zero authorization becomes PENDING and its release REVERSAL; a zero sale becomes SETTLED', () => {
    const zero = { ...fresh('sale', { holds: true }), amountMinor: 0n }
    const held = ended(zero, 'AUTH', 'ok').payment
    assert.equal(held.status, 'PENDING')
    assert.equal(ended(begun(held), 'REVERSAL', 'ok', { amountMinor: 0n }).payment.status, 'REVERSAL')
    const sold = ended({ ...zero, holds: false }, 'SALE', 'ok')
    assert.deepEqual([sold.payment.status, sold.entries], ['SETTLED', []])
  })
})

describe('outcomes that come late or cross a chargeback (chapter 10 §6.1, §6.2)', () => {
  test('an outcome after the payment was declined changes nothing', () => {
    const declined = ended(fresh(), 'SALE', 'fail').payment
    for (const type of ['SALE', 'AUTH'] as const)
      assert.equal(conclude(declined, { type, amountMinor: 1000n }, 'ok', { today }), null)
  })

  test('no late outcome moves a payment that is REVERSAL, REFUND or VOID', () => {
    const types = ['SALE', 'AUTH', 'CAPTURE', 'REFUND', 'REVERSAL', 'VOID', 'RETRY'] as const
    for (const status of ['REVERSAL', 'REFUND', 'VOID'] as const)
      for (const type of types) {
        const payment = { ...settledSale(), status }
        assert.equal(conclude(payment, { type, amountMinor: 1000n }, 'ok', { today }), null, `${type} in ${status}`)
      }
  })

  for (const result of ['ok', 'fail', 'waiting', 'unknown'] as const) {
    test(`a chargeback stays in place when the refund that was open ends with ${result}`, () => {
      const crossed = disputed(begun(settledSale()), 300n)
      assert.deepEqual([crossed.status, crossed.inFlight], ['CHARGEBACK', true])
      const after = ended(crossed, 'REFUND', result, { amountMinor: 1000n }).payment
      assert.equal(after.status, 'CHARGEBACK')
      assert.equal(after.refundedMinor, result === 'ok' ? 1000n : 0n)
      assert.equal(after.inFlight, result === 'waiting' || result === 'unknown')
    })
  }

  test('a chargeback stays in place when the void that was open succeeds', () => {
    assert.equal(ended(disputed(begun(settledSale()), 1000n), 'VOID', 'ok').payment.status, 'CHARGEBACK')
  })

  test('a reversal of a disputed debit leaves CHARGEBACK, whatever becomes of it', () => {
    const payment = disputed(settledDebit(), 400n)
    for (const result of ['ok', 'fail', 'waiting', 'unknown'] as const)
      assert.equal(ended(begun(payment), 'REVERSAL', result, { amountMinor: 600n }).payment.status, 'CHARGEBACK')
  })

  test('a partial chargeback makes the payment CHARGEBACK too, and a second one adds up', () => {
    const once = disputed(settledSale(), 1n)
    assert.deepEqual([once.status, once.chargedBackMinor], ['CHARGEBACK', 1n])
    assert.equal(disputed(once, 999n).chargedBackMinor, 1000n)
  })

  test('money of a chargeback that comes back is the merchant’s again, and the status stays', () => {
    const payment = begun(disputed(settledSale(), 400n))
    const returned = returnChargeback(payment, 400n)
    assert.deepEqual(returned?.payment, { ...payment, chargedBackMinor: 0n })
    assert.deepEqual(returned.entries, [{ from: 'charged_back', to: 'settled', amountMinor: 400n }])
    assert.equal(returnChargeback(payment, 100n)?.payment.chargedBackMinor, 300n)
    assert.equal(disputed({ ...returned.payment }, 1000n).chargedBackMinor, 1000n, 'it may be taken again')
  })

  test('more than was charged back, or nothing, does not come back', () => {
    const payment = disputed(settledSale(), 400n)
    for (const amountMinor of [401n, 0n, -1n]) assert.equal(returnChargeback(payment, amountMinor), null)
    assert.equal(returnChargeback(settledSale(), 1n), null)
  })

  test('a hold that lapses at the acquirer is released', () => {
    const conclusion = lapse(heldSale(), today)
    assert.equal(conclusion?.payment.status, 'REVERSAL')
    assert.deepEqual(conclusion?.entries, [{ from: 'held', to: 'payer', amountMinor: 1000n }])
    assert.equal(lapse(settledSale(), today), null)
  })

  test('a hold that lapses under an open capture leaves that capture open', () => {
    assert.equal(lapse(begun(heldSale()), today)?.payment.inFlight, true)
    assert.equal(lapse(heldSale(), today)?.payment.inFlight, false)
  })
})
