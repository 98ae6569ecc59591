import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '#server/process/config.ts'
import { StartupError } from '#server/process/startup-error.ts'

const live = { GATEHOUSE_MODE: 'live', GATEHOUSE_KEYS: '{}' }

describe('the rules for signing in', () => {
  test('PCI DSS 8: a live instance starts with the second factor on and the limits of the standard', () => {
    const { signIn } = readConfig('all', live)
    assert.equal(signIn.secondFactor, 'all')
    assert.deepEqual([signIn.idleMinutes, signIn.lockOutFailures, signIn.lockOutMinutes], [15, 10, 30])
  })

  test('PCI DSS 8: a live instance accepts stricter settings, and does not start with laxer ones', () => {
    assert.equal(readConfig('all', { ...live, PANEL_IDLE_MINUTES: '5' }).signIn.idleMinutes, 5)
    for (const [name, value] of [
      ['REQUIRE_SECOND_FACTOR', 'false'],
      ['REQUIRE_SECOND_FACTOR', 'owner'],
      ['SECOND_FACTOR_GRACE_DAYS', '7'],
      ['PANEL_IDLE_MINUTES', '30'],
      ['PASSWORD_HISTORY', '1'],
      ['LOCKOUT_MINUTES', '10'],
      ['UNUSED_ACCOUNT_DAYS', '0'],
    ] as const)
      assert.throws(
        () => readConfig('all', { ...live, [name]: value }),
        (error) => error instanceof StartupError && error.message.includes(`${name}: a live instance`),
        name,
      )
  })

  test('a sandbox requires no second factor, and allows laxer settings', () => {
    assert.equal((readConfig('all', {}).signIn.secondFactor as ReadonlySet<string>).size, 0)
    const lax = readConfig('all', { PANEL_IDLE_MINUTES: '600', UNUSED_ACCOUNT_DAYS: '0', LOCKOUT_FAILURES: '50' })
    assert.deepEqual([lax.signIn.idleMinutes, lax.signIn.unusedDays, lax.signIn.lockOutFailures], [600, 0, 50])
  })

  test('a sandbox may require a second factor of some roles', () => {
    assert.deepEqual(
      readConfig('all', { REQUIRE_SECOND_FACTOR: 'owner,finance' }).signIn.secondFactor,
      new Set(['owner', 'finance']),
    )
  })
})
