/** The rules of signing in at the panel, with the limits that PCI DSS 4.0.1, requirement 8, sets to them. */
import { dayMs } from '../time.ts'

export interface SignInRules {
  /** Who must have a second factor: all users, or those of some roles. A single user may be required in addition. */
  readonly secondFactor: 'all' | ReadonlySet<string>
  /** Days after the first demand during which a user without the required factor may still work. */
  readonly factorGraceDays: number
  readonly idleMinutes: number
  readonly sessionHours: number
  readonly passwordLength: number
  /** How many of the last passwords, the present one included, a new one must differ from. */
  readonly passwordHistory: number
  /** After how many days a password that is the only factor must be changed; 0 is never. */
  readonly passwordDays: number
  readonly lockOutFailures: number
  readonly lockOutMinutes: number
  /** After how many days without a sign-in an account is disabled; 0 is never. */
  readonly unusedDays: number
}

type NumberRule = Exclude<keyof SignInRules, 'secondFactor' | 'factorGraceDays'>

interface RuleLimit {
  readonly rule: NumberRule
  readonly setting: string
  readonly bound: 'at most' | 'at least'
  readonly limit: number
  /** The requirement of PCI DSS 4.0.1; null for a limit of our own. */
  readonly requirement: string | null
}

const limit = (
  rule: NumberRule,
  setting: string,
  bound: RuleLimit['bound'],
  number: number,
  requirement: string | null,
): RuleLimit => ({ rule, setting, bound, limit: number, requirement })

/** Each limit is the default as well. A live instance may be stricter and never laxer. */
// biome-ignore format: a table is read in columns.
const ruleLimits: readonly RuleLimit[] = [
  limit('idleMinutes',     'PANEL_IDLE_MINUTES',  'at most',  15, '8.2.8'),
  limit('sessionHours',    'PANEL_SESSION_HOURS', 'at most',  12, null),
  limit('passwordLength',  'PASSWORD_MIN_LENGTH', 'at least', 12, '8.3.6'),
  limit('passwordHistory', 'PASSWORD_HISTORY',    'at least',  4, '8.3.7'),
  limit('passwordDays',    'PASSWORD_MAX_DAYS',   'at most',  90, '8.3.9'),
  limit('lockOutFailures', 'LOCKOUT_FAILURES',    'at most',  10, '8.3.4'),
  limit('lockOutMinutes',  'LOCKOUT_MINUTES',     'at least', 30, '8.3.4'),
  limit('unusedDays',      'UNUSED_ACCOUNT_DAYS', 'at most',  90, '8.2.6'),
]

/** The rules that are too lax for a live instance, as sentences that begin with the setting. */
export function laxRules(rules: SignInRules): readonly string[] {
  const factor =
    rules.secondFactor === 'all'
      ? []
      : ['REQUIRE_SECOND_FACTOR: a live instance requires a second factor of every user (PCI DSS 8.4.2); leave it out.']
  const grace =
    rules.factorGraceDays === 0
      ? []
      : [
          'SECOND_FACTOR_GRACE_DAYS: a live instance grants no days without a second factor (PCI DSS 8.4.2); leave it out.',
        ]
  return [...factor, ...grace, ...ruleLimits.filter((one) => isLax(one, rules[one.rule])).map(sentenceOf)]
}

/** 0 days mean never, which is laxer than any number. */
const isLax = ({ bound, limit: allowed }: RuleLimit, value: number): boolean =>
  bound === 'at least' ? value < allowed : value > allowed || value === 0

const sentenceOf = ({ setting, bound, limit: allowed, requirement }: RuleLimit): string =>
  `${setting}: a live instance requires ${bound === 'at least' ? `at least ${allowed}` : `1 to ${allowed}`}` +
  `${requirement === null ? '' : ` (PCI DSS ${requirement})`}.`

/** True if a time is more than `days` days ago. With 0 days: never. */
export const isOlderThanDays = (at: Date, now: Date, days: number): boolean =>
  days > 0 && now.getTime() - at.getTime() > days * dayMs
