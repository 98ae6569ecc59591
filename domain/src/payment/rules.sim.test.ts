/**
 * Thousands of random lives of a payment: any order of commands, with outcomes that succeed, fail, stay unknown and are resolved
 * later, chargebacks in between, lapsed holds, calculations that expire and days that pass; with cards and with brands. After every step the rules must agree with the reference model and
 * the ledger with both.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Account, Entry } from '../money/ledger.ts'
import { balances } from '../money/testing/balances.ts'
import { type Conclusion, chargeback, conclude, decide, expireCalculation, lapse, type Result } from './decide.ts'
import {
  type DeclineClass,
  declineClasses,
  newPayment,
  type Payment,
  statuses,
  type TransactionType,
} from './payment.ts'
import { type BrandLimits, type Command, commands, type FirstCommand, firstRules, firstTransaction } from './rules.ts'
import * as reference from './testing/reference-model.ts'

const lives = 3000
const days = ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13', '2026-03-14'] as const

type Step =
  | { readonly do: 'command'; readonly command: Command; readonly permille: number | null; readonly room: boolean }
  | { readonly do: 'outcome'; readonly result: Result; readonly declineClass: DeclineClass }
  | { readonly do: 'dispute'; readonly permille: number }
  | { readonly do: 'lapse' }
  | { readonly do: 'expire' }
  | { readonly do: 'day' }

const result = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Result>('ok') },
  { weight: 5, arbitrary: fc.constantFrom<Result>('fail', 'unknown', 'waiting', 'waiting', '3DS', 'REDIRECT') },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('command' as const),
      command: fc.constantFrom<Command>(...commands, 'CREDITVOID'),
      permille: fc.option(fc.integer({ min: 1, max: 1100 }), { freq: 3 }),
      // Of the retry budget for a RETRY, of the payer's time for a COMPLETE.
      room: fc.integer({ min: 0, max: 9 }).map((tenth) => tenth > 0),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('outcome' as const),
      result,
      declineClass: fc.constantFrom(...declineClasses),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('dispute' as const), permille: fc.integer({ min: 1, max: 1100 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lapse' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('day' as const) }) },
)
const brand: fc.Arbitrary<BrandLimits> = fc.record({
  refund: fc.constantFrom('none', 'full', 'partial'),
  partialCapture: fc.boolean(),
  void: fc.boolean(),
})
const opening = fc.record({
  first: fc.constantFrom<FirstCommand>(
    ...(['SALE', 'SALE', 'DEBIT', 'CARD2CARD', 'CREDIT2CARD', 'RECURRING_SALE', 'RECURRING_DEBIT'] as const),
    ...(['SALE', 'SALE', 'CREDIT2CRYPTO', 'DEBIT2VIRTUAL', 'DEBIT2VIRTUAL_CALC', 'DEBIT2VIRTUAL_CALC'] as const),
  ),
  withHold: fc.boolean(),
  amountMinor: fc.oneof(
    { weight: 1, arbitrary: fc.constant(0n) },
    { weight: 9, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 12n }) },
  ),
  brand: fc.option(brand),
})
type Opening = typeof opening extends fc.Arbitrary<infer T> ? T : never

/** One life: the payment by the rules, the same by the model, and the money that moved. */
class Life {
  payment: Payment
  open: { readonly type: TransactionType; readonly amountMinor: bigint } | null
  readonly entries: Entry[] = []
  readonly model: reference.Model
  readonly brand: BrandLimits | null
  day = 0

  constructor({ first, withHold, amountMinor, brand }: Opening) {
    const { kind, recurring } = firstRules[first]
    const type = firstTransaction(first, withHold)
    const facts = { kind, holds: type === 'AUTH', recurring }
    this.brand = brand
    this.payment = newPayment({ ...facts, amountMinor })
    this.open = { type, amountMinor }
    this.model = reference.begin({ ...facts, amount: amountMinor, brand }, type)
  }

  get today(): string {
    return days[this.day] ?? days[0]
  }

  share(permille: number): bigint {
    const amount = (this.payment.amountMinor * BigInt(permille)) / 1000n
    return amount > 0n ? amount : 1n
  }

  take(conclusion: Conclusion): void {
    this.payment = conclusion.payment
    this.entries.push(...conclusion.entries)
  }

  live(move: Step): string {
    switch (move.do) {
      case 'command':
        return this.command(move.command, move.permille === null ? null : this.share(move.permille), move.room)
      case 'outcome':
        return this.outcome(move.result, move.declineClass)
      case 'dispute':
        return this.dispute(this.share(move.permille))
      case 'lapse': {
        const conclusion = lapse(this.payment, this.today)
        assert.equal(conclusion !== null, reference.lapse(this.model, this.today))
        if (conclusion) this.take(conclusion)
        return conclusion ? 'lapsed' : 'nothing held'
      }
      case 'expire': {
        const expired = expireCalculation(this.payment)
        assert.equal(expired !== null, reference.expire(this.model))
        this.payment = expired ?? this.payment
        return expired ? 'calculation expired' : 'nothing calculated'
      }
      case 'day':
        this.day = Math.min(this.day + 1, days.length - 1)
        return 'a day passed'
    }
  }

  command(command: Command, sent: bigint | null, room: boolean): string {
    const before = reference.returnableAmount(this.model)
    const { today, brand } = this
    const ask = { today, retryBudget: room, expired: !room, ...(brand ? { brand } : {}) }
    const decision = decide(this.payment, command, { ...ask, amountMinor: sent ?? undefined })
    const answer = reference.ask(this.model, command, sent, { today, budget: room, expired: !room })
    if (!decision.allowed) {
      const { code, message } = decision.refusal
      const refused = code === 100000 ? message : String(code)
      assert.deepEqual({ kind: 'refused', refused }, answer, `${command} of ${sent} in ${this.payment.status}`)
      return refused
    }
    assert.deepEqual({ kind: 'accepted', records: decision.records, amount: decision.amountMinor }, answer)
    if (['REFUND', 'VOID'].includes(decision.records))
      assert.ok(decision.amountMinor <= before, 'gives back what is left at most')
    this.open = { type: decision.records, amountMinor: decision.amountMinor }
    this.payment = { ...this.payment, inFlight: true }
    this.model.open = { type: decision.records, amount: decision.amountMinor }
    return `${command} as ${decision.records}`
  }

  outcome(became: Result, declineClass: DeclineClass): string {
    if (!this.open) return 'nothing open'
    const { type } = this.open
    const conclusion = conclude(this.payment, this.open, became, { today: this.today, declineClass })
    assert.equal(conclusion !== null, reference.end(this.model, became, declineClass, this.today), `${type} ${became}`)
    if (conclusion) this.take(conclusion)
    const decided = conclusion ? !conclusion.payment.inFlight : became === 'ok' || became === 'fail'
    if (!conclusion && decided) {
      // Recorded and alerted: the transaction is over, the payment does not move.
      this.payment = { ...this.payment, inFlight: false }
      this.model.open = null
    }
    if (decided) this.open = null
    return `${type} ${became}${conclusion ? '' : ', too late'}`
  }

  dispute(amountMinor: bigint): string {
    const decision = chargeback(this.payment, amountMinor, this.today)
    const answer = decision === null ? 'alert' : decision.kind === 'ok' ? 'applied' : 'too much'
    assert.equal(answer, reference.dispute(this.model, amountMinor, this.today))
    if (decision?.kind === 'ok') this.take(decision.conclusion)
    return `chargeback ${answer}`
  }

  check(): void {
    const { payment, model } = this
    assert.ok(statuses.includes(payment.status))
    assert.deepEqual(
      [payment.status, payment.inFlight, payment.declineClass],
      [model.status, model.open !== null, model.declined],
    )
    assert.deepEqual(
      [payment.capturedMinor, payment.refundedMinor, payment.chargedBackMinor],
      [reference.capturedAmount(model), reference.returnedAmount(model), reference.disputedAmount(model)],
    )
    assert.ok(payment.authorisedMinor <= payment.amountMinor, 'authorised at most what was ordered')
    assert.ok(payment.capturedMinor <= payment.authorisedMinor, 'captured at most what was authorised')
    assert.ok(payment.refundedMinor <= payment.capturedMinor, 'refunded at most what was captured')
    assert.ok(payment.chargedBackMinor <= payment.capturedMinor, 'charged back at most what was captured')
    this.checkLedger()
  }

  checkLedger(): void {
    const { payment } = this
    const accounts = balances(this.entries)
    const at = (account: Account): bigint => accounts.get(account) ?? 0n
    const taken = payment.capturedMinor
    const voided = this.model.journal.some(({ type }) => type === 'VOID') ? taken : 0n
    const held = payment.status === 'PENDING' && payment.holds ? payment.authorisedMinor : 0n
    if (payment.status === 'PENDING' && !payment.holds)
      assert.equal(this.entries.length, 0, 'what waits has moved nothing')

    assert.equal(
      [...accounts.values()].reduce((total, balance) => total + balance, 0n),
      0n,
    )
    assert.equal(at('held'), held)
    assert.equal(at('refunded'), payment.refundedMinor - voided)
    assert.equal(at('charged_back'), payment.chargedBackMinor)
    const isPayout = payment.kind === 'credit'
    const toPayee = isPayout || payment.kind === 'transfer' ? taken : 0n
    assert.equal(at('payee'), toPayee)
    assert.equal(at('payer'), isPayout ? 0n : voided - taken - held)
    const fromPayer = isPayout ? 0n : taken
    assert.equal(at('settled'), fromPayer - toPayee - payment.refundedMinor - payment.chargedBackMinor)
  }
}

test(`in ${lives} random lives the rules, the reference model and the ledger agree after every step`, () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(opening, fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), (first, steps) => {
      const life = new Life(first)
      for (const move of steps) {
        seen.add(life.live(move))
        seen.add(life.payment.status)
        life.check()
      }
    }),
    { numRuns: lives, seed: 20260310 },
  )

  // A simulation proves nothing about what it never reached.
  const reached = [...statuses, 'CAPTURE as CAPTURE', 'CREDITVOID as REFUND', 'CREDITVOID as REVERSAL', 'VOID as VOID']
  const outcomes = ['RETRY as RETRY', 'RETRY ok', 'REFUND waiting', 'CAPTURE unknown', 'CAPTURE ok, too late', 'lapsed']
  const refusals = [
    '204005',
    '208003',
    '208004',
    '208005',
    '208006',
    '208008',
    '208009',
    'Void is not allowed.',
    'Retry is not allowed.',
    'Payment can not be completed.',
  ]
  const ofBrands = [
    'SALE waiting',
    'CREDIT waiting',
    'CALC ok',
    'CALC unknown',
    'COMPLETE as DEBIT',
    'calculation expired',
  ]
  const others = [
    'Previous transaction not completed.',
    'chargeback applied',
    'chargeback too much',
    'chargeback alert',
  ]
  for (const event of [...reached, ...outcomes, ...refusals, ...ofBrands, ...others])
    assert.ok(seen.has(event), `never saw: ${event}`)
})
