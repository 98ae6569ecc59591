/** Settings of the panel's sign-in. A live instance refuses values laxer than PCI DSS requirement 8. */
import { z } from 'zod'
import { laxRules, type SignInRules } from '#domain/sign-in/sign-in-rules.ts'
import { wholeNumber } from './setting-values.ts'

// biome-ignore format: a table is read in columns.
export const signInSettings = {
  REQUIRE_SECOND_FACTOR:    z.string().regex(/^(true|false|[a-z0-9-]+(,[a-z0-9-]+)*)$/, 'Must be true, false, or roles separated by commas.').optional().describe('Users who need a second factor in the panel: true for all, false for none, or roles separated by commas. Always true in live mode; default false in sandbox mode.'),
  SECOND_FACTOR_GRACE_DAYS: wholeNumber(0, 90, 0).describe('Days that a user has to set up a required second factor, counted from the first sign-in that finds it missing; 0 in live mode.'),
  PANEL_IDLE_MINUTES:       wholeNumber(1, 1440, 15).describe('Minutes of inactivity after which a panel session ends; at most 15 in live mode.'),
  PANEL_SESSION_HOURS:      wholeNumber(1, 720, 12).describe('Hours after which a panel session ends even if active; at most 12 in live mode.'),
  PASSWORD_MIN_LENGTH:      wholeNumber(8, 64, 12).describe('Minimum length of a panel password; at least 12 in live mode.'),
  PASSWORD_HISTORY:         wholeNumber(1, 24, 4).describe('Number of previous passwords that must not be reused; at least 4 in live mode.'),
  PASSWORD_MAX_DAYS:        wholeNumber(0, 3650, 90).describe('Days after which a password must be changed if it is the only factor, 0 for never; 1 to 90 in live mode.'),
  LOCKOUT_FAILURES:         wholeNumber(3, 100, 10).describe('Failed sign-ins after which an account is locked; at most 10 in live mode.'),
  LOCKOUT_MINUTES:          wholeNumber(1, 1440, 30).describe('Minutes that a locked account stays locked; at least 30 in live mode.'),
  UNUSED_ACCOUNT_DAYS:      wholeNumber(0, 3650, 90).describe('Days without a sign-in after which an account is disabled, 0 for never; 1 to 90 in live mode.'),
} as const

const schema = z.object(signInSettings)
type SignInValues = z.output<typeof schema>

export const signInRules = (settings: SignInValues, isLive: boolean): SignInRules => ({
  secondFactor: secondFactorOf(settings.REQUIRE_SECOND_FACTOR ?? String(isLive)),
  factorGraceDays: settings.SECOND_FACTOR_GRACE_DAYS,
  idleMinutes: settings.PANEL_IDLE_MINUTES,
  sessionHours: settings.PANEL_SESSION_HOURS,
  passwordLength: settings.PASSWORD_MIN_LENGTH,
  passwordHistory: settings.PASSWORD_HISTORY,
  passwordDays: settings.PASSWORD_MAX_DAYS,
  lockOutFailures: settings.LOCKOUT_FAILURES,
  lockOutMinutes: settings.LOCKOUT_MINUTES,
  unusedDays: settings.UNUSED_ACCOUNT_DAYS,
})

/** A sandbox may be as lax as its users like. */
export const signInFaults = (settings: SignInValues | undefined, isLive: boolean): readonly string[] =>
  settings === undefined || !isLive ? [] : laxRules(signInRules(settings, isLive))

function secondFactorOf(settings: string): SignInRules['secondFactor'] {
  if (settings === 'true') return 'all'
  return new Set(settings === 'false' ? [] : settings.split(','))
}
