import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laxRules, type SignInRules } from './sign-in-rules.ts'

const strict: SignInRules = {
  secondFactor: 'all',
  factorGraceDays: 0,
  idleMinutes: 15,
  sessionHours: 12,
  passwordLength: 12,
  passwordHistory: 4,
  passwordDays: 90,
  lockOutFailures: 10,
  lockOutMinutes: 30,
  unusedDays: 90,
}

test('the limits of PCI DSS 8 and stricter ones are accepted', () => {
  assert.deepEqual(laxRules(strict), [])
  const stricter = { idleMinutes: 5, passwordLength: 16, lockOutFailures: 3, lockOutMinutes: 600, unusedDays: 30 }
  assert.deepEqual(laxRules({ ...strict, ...stricter }), [])
})

test('each rule that is laxer than PCI DSS 8 is reported with its setting and requirement', () => {
  const lax: readonly (readonly [Partial<SignInRules>, RegExp])[] = [
    [{ factorGraceDays: 7 }, /^SECOND_FACTOR_GRACE_DAYS: .*8\.4\.2/],
    [{ secondFactor: new Set(['owner']) }, /^REQUIRE_SECOND_FACTOR: .*8\.4\.2/],
    [{ idleMinutes: 16 }, /^PANEL_IDLE_MINUTES: .*1 to 15.*8\.2\.8/],
    [{ sessionHours: 13 }, /^PANEL_SESSION_HOURS: .*1 to 12/],
    [{ passwordLength: 11 }, /^PASSWORD_MIN_LENGTH: .*at least 12.*8\.3\.6/],
    [{ passwordHistory: 3 }, /^PASSWORD_HISTORY: .*at least 4.*8\.3\.7/],
    [{ passwordDays: 91 }, /^PASSWORD_MAX_DAYS: .*1 to 90.*8\.3\.9/],
    [{ passwordDays: 0 }, /^PASSWORD_MAX_DAYS: .*requires 1 to 90/],
    [{ lockOutFailures: 11 }, /^LOCKOUT_FAILURES: .*1 to 10.*8\.3\.4/],
    [{ lockOutMinutes: 29 }, /^LOCKOUT_MINUTES: .*at least 30.*8\.3\.4/],
    [{ unusedDays: 0 }, /^UNUSED_ACCOUNT_DAYS: .*requires 1 to 90.*8\.2\.6/],
  ]
  for (const [change, sentence] of lax) {
    const sentences = laxRules({ ...strict, ...change })
    assert.equal(sentences.length, 1, JSON.stringify(change))
    assert.match(sentences[0] ?? '', sentence)
  }
})
