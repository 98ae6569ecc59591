import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { statuses, transactionStates } from '../payment/payment.ts'
import {
  type Attempt,
  cancelledByPayer,
  isAttemptOpen,
  isPaid,
  mayPay,
  type SessionState,
  sessionState,
} from './session.ts'

const now = new Date('2026-11-15T12:00:00Z')
const later = new Date('2026-11-15T12:30:00Z')
const before = new Date('2026-11-15T11:30:00Z')

const attempt = (status: Attempt['status'], over: Partial<Attempt> = {}): Attempt => ({
  status,
  holds: false,
  declineReason: null,
  openTransaction: null,
  brand: false,
  ...over,
})
const declined = attempt('DECLINED')
const cancelled = attempt('DECLINED', { declineReason: cancelledByPayer })

// Written from chapter 30 §7.2 and §7.8.
const cases: readonly (readonly [string, readonly Attempt[], SessionState, object?])[] = [
  ['nothing was tried', [], 'ready'],
  ['one attempt was declined', [declined], 'declined'],
  ['as many declines as allowed', [declined, declined, declined], 'limit'],
  ['one decline where one is allowed', [declined], 'limit', { maxDeclines: 1 }],
  ['settled', [attempt('SETTLED')], 'complete'],
  ['settled after declines', [attempt('SETTLED'), declined, declined], 'complete'],
  ['held', [attempt('PENDING', { holds: true })], 'complete'],
  ['refunded since', [attempt('REFUND')], 'complete'],
  ['the hold was released since', [attempt('REVERSAL', { holds: true })], 'complete'],
  ['being sent', [attempt('PREPARE', { openTransaction: 'sent' })], 'busy'],
  ['at the issuer', [attempt('3DS', { openTransaction: 'waiting' })], 'away'],
  ['at another page', [attempt('REDIRECT', { openTransaction: 'waiting', brand: true })], 'away'],
  ['back from the issuer and being charged', [attempt('3DS', { openTransaction: 'sent' })], 'busy'],
  ['the acquirer said nothing', [attempt('PREPARE', { openTransaction: 'undefined' })], 'undefined'],
  ['a payer who approves elsewhere', [attempt('PREPARE', { openTransaction: 'undefined', brand: true })], 'waiting'],
  ['money is on its way', [attempt('PENDING', { openTransaction: 'waiting', brand: true })], 'waiting'],
  ['its time is over', [], 'expired', { expiresAt: before }],
  ['its time is over after a decline', [declined], 'expired', { expiresAt: before }],
  ['paid, and its time is over', [attempt('SETTLED')], 'complete', { expiresAt: before }],
  [
    'an attempt from before its end goes on',
    [attempt('3DS', { openTransaction: 'waiting' })],
    'away',
    { expiresAt: before },
  ],
  ['cancelled by the payer', [cancelled], 'ready'],
  ['cancelled after a decline', [cancelled, declined], 'ready'],
  ['declined after a cancelled attempt', [declined, cancelled], 'declined'],
  ['cancelled more often than declines are allowed', [cancelled, cancelled, cancelled, declined], 'ready'],
  ['cancelled, and its time is over', [cancelled], 'expired', { expiresAt: before }],
]
for (const [title, attempts, expected, over] of cases) {
  test(`${title}: ${expected}`, () => {
    assert.equal(sessionState({ attempts, maxDeclines: 3, expiresAt: later, ...over }, now), expected)
  })
}

const anyAttempt = fc.record({
  status: fc.constantFrom(...statuses),
  holds: fc.boolean(),
  declineReason: fc.constantFrom(null, 'Do not honour', cancelledByPayer),
  openTransaction: fc.constantFrom(null, ...transactionStates),
  brand: fc.boolean(),
})
const anySession = fc.record({
  attempts: fc.array(anyAttempt, { maxLength: 5 }),
  maxDeclines: fc.integer({ min: 1, max: 20 }),
  expiresAt: fc.constantFrom(before, later),
})

test('no second payment starts while one is paid or open, whatever else is true of the session', () => {
  fc.assert(
    fc.property(anySession, (session) => {
      const stands = session.attempts.some(({ status }) => status !== 'DECLINED')
      assert.ok(!stands || !mayPay(sessionState(session, now)))
    }),
  )
})

test('a paid session stays complete', () => {
  fc.assert(
    fc.property(anySession, (session) => {
      const state = sessionState(session, now)
      assert.equal(state === 'complete', session.attempts.some(isPaid))
      assert.ok(!(isAttemptOpen(state) && mayPay(state)))
    }),
  )
})
