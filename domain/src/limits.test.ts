/** The numbers of chapter 10 §1, §6.2 and §11.1 and of chapter 50 §4 and §5, read from the chapters. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from './limits.ts'

test('a request may hold 256 KiB, 400 parameters and eight levels, with 8 KiB of custom data', () => {
  assert.deepEqual(limits.request, {
    bodyBytes: 262_144,
    nestingDepth: 8,
    parameters: 400,
    customDataBytes: 8192,
    parameterValueLength: 1024,
  })
})

test('the callback plan is 1 m, 5 m, 15 m, 30 m, 1 h, 3 h, 6 h, 12 h, 24 h: ten attempts', () => {
  assert.deepEqual(
    limits.callback.retrySeconds.map((seconds) => seconds / 60),
    [1, 5, 15, 30, 60, 180, 360, 720, 1440],
  )
})

test('the reconciler asks at once, then after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h, 24 h', () => {
  assert.deepEqual(limits.reconcile.afterSeconds, [0, 5, 30, 2 * 60, 10 * 60, 3600, 6 * 3600, 24 * 3600])
})

test('five timeouts in five minutes block an address for fifteen', () => {
  const { blockAfterTimeouts, blockWindowMs, blockedMs, timeoutMs } = limits.callback
  assert.deepEqual([blockAfterTimeouts, blockWindowMs, blockedMs, timeoutMs], [5, 300_000, 900_000, 10_000])
})

test('an outcome is waited for 30 s, an idempotency key kept for 24 h, a redirect for 30 min', () => {
  assert.equal(limits.acquirer.waitMs, 30_000)
  assert.equal(limits.idempotency.keptMs, 86_400_000)
  assert.equal(limits.redirect.expiryMs, 1_800_000)
})

test('the default of a setting lies within its own bounds', () => {
  const { wallet, checkout, cascade } = limits
  assert.ok(wallet.tokenMinutesLow <= wallet.tokenMinutes && wallet.tokenMinutes <= wallet.tokenMinutesHigh)
  assert.ok(
    checkout.sessionMinutesLow <= checkout.sessionMinutes && checkout.sessionMinutes <= checkout.sessionMinutesHigh,
  )
  assert.ok(checkout.declinesLow <= checkout.declines && checkout.declines <= checkout.declinesHigh)
  assert.ok(cascade.attempts <= cascade.attemptsAtMost)
  const planned = limits.callback.retrySeconds.reduce<number>((total, wait) => total + wait, 0)
  assert.ok(planned <= limits.callback.retryPlanSeconds)
})

test('no bound can be changed at run time, lists included', () => {
  assert.throws(() => Object.assign(limits.request, { bodyBytes: 1 }), TypeError)
  assert.throws(() => Object.assign(limits.callback.retrySeconds, [0]), TypeError)
  assert.throws(() => Object.assign(limits.retryBudget.visa[0], { tries: 1000 }), TypeError)
})
