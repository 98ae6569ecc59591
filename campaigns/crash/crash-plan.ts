/** The commands that move money and the points of each at which a process can die, as tables. Chapter 10 §6, §9.2. */

// biome-ignore format: a table is read in columns.
export const points = [
  // The process dies …
  'before-intent',   // … before the statement that writes the intent is sent
  'intent',          // … after the intent is durable, before a byte goes out
  'sent',            // … after the request has left, before the answer arrives
  'answer',          // … as the answer begins to arrive
  'before-outcome',  // … after the whole answer was read, before the statement that writes the outcome is sent
  'outcome',         // … after the outcome is durable, before the merchant is answered
] as const
export type Point = (typeof points)[number]

/** What must be true once the gateway has recovered. */
interface Expectation {
  /** The payment's status; null if there must be no payment. */
  readonly status: string | null
  /** Effects of the command itself at the acquirer; `each` is one of every payment whose intent was written. */
  readonly effects: number | 'each'
}

export type Victim = 'api' | 'worker'

interface Row {
  readonly victim: Victim
  /** Statements that write the intent. */
  readonly intents: readonly string[]
  /** If the intent was written. */
  readonly begun: Expectation
  /** If it was not. */
  readonly notBegun: Expectation
  /** Points at which the process takes data with it that the command needs. */
  readonly lostAt: readonly Point[]
}

const row = (
  victim: Victim,
  intents: readonly string[],
  begun: Expectation,
  notBegun: Expectation,
  lostAt: readonly Point[] = [],
): Row => ({ victim, intents, begun, notBegun, lostAt })

const once = (status: string): Expectation => ({ status, effects: 1 })
const times = (status: string, effects: number): Expectation => ({ status, effects })
const each = (status: string): Expectation => ({ status, effects: 'each' })
const never = (status: string | null): Expectation => ({ status, effects: 0 })

// The statement's name contains what else is written with a payment.
const opens = ['payment.open', 'payment.open-card', 'payment.open-sealed'] as const
const opensToken = [
  'payment.open-card-sealed-tokens',
  'payment.open-card-tokens',
  'payment.open-sealed-tokens',
] as const
// A chain is charged with the stored card; opening with a card belongs to the payment before it.
const opensStored = ['payment.open'] as const
const begins = ['transaction.begin'] as const
const charges = ['transaction.begin-charge'] as const

/** Enough for two in a group, however the first of them are taken. */
export const plansAtOnce = 6
/** Enough for a group of intents and for one of outcomes. */
export const salesAtOnce = 16

// biome-ignore format: a table is read in columns.
const rows = {
  // command              dies      intent                   carried out        never began          the proof is lost
  SALE:            row('api',    opens,                   once('SETTLED'),   never(null)),
  // Several at once: the first is written alone, the others in one statement.
  SALES:           row('api',    ['payment.open-group'],  each('SETTLED'),   each('SETTLED')),
  AUTH:            row('api',    opens,                   once('PENDING'),   never(null)),
  CAPTURE:         row('api',    begins,                  once('SETTLED'),   never('PENDING')),
  CREDITVOID:      row('api',    begins,                  once('REFUND'),    never('SETTLED')),
  VOID:            row('api',    begins,                  once('VOID'),      never('SETTLED')),
  DEBIT:           row('api',    opens,                   once('SETTLED'),   never(null)),
  CARD2CARD:       row('api',    opens,                   once('SETTLED'),   never(null)),
  CREDIT2CARD:     row('api',    opens,                   once('SETTLED'),   never(null)),
  RECURRING_SALE:  row('api',    opensStored,             once('SETTLED'),   never(null)),
  RECURRING_DEBIT: row('api',    opensStored,             once('SETTLED'),   never(null)),
  // An attempt that the first MID declines softly, and the one that follows at the next. A cascade whose process dies ends with its last
  // decline.
  CASCADE:         row('api',    opens,                   never('DECLINED'), never(null)),
  CASCADE_NEXT:    row('api',    ['payment.open-next'],   once('SETTLED'),   never('DECLINED')),
  // Wallet tokens: decrypted on either protocol, and passed on unopened.
  WALLET:          row('api',    opensToken,              once('SETTLED'),   never(null)),
  WALLET_APM:      row('api',    opensToken,              once('SETTLED'),   never(null)),
  WALLET_VIRTUAL:  row('api',    opensToken,              once('SETTLED'),   never(null)),
  APM_SALE:        row('api',    opens,                   once('SETTLED'),   never(null)),
  APM_CAPTURE:     row('api',    begins,                  once('SETTLED'),   never('PENDING')),
  APM_CREDITVOID:  row('api',    begins,                  once('REFUND'),    never('SETTLED')),
  // Chapter 20 §10: a payout is sent to the provider once, so one that never arrived is over.
  APM_PAYOUT:      row('api',    opens,                   once('SETTLED'),   never(null),      ['intent']),
  RETRY:           row('api',    charges,                 once('SETTLED'),   never('DECLINED')),
  // A date stays due until its payment exists, so a plan's payment is made whatever happens.
  PLAN:            row('worker', ['subscription.fire'],   once('SETTLED'),   once('SETTLED')),
  // Several plans that are due at once: the first is fired alone, the others in one statement, and none of them twice.
  PLANS:           row('worker', ['subscription.fire-group'], times('SETTLED', plansAtOnce), times('SETTLED', plansAtOnce)),
  // The payer's return from 3-D Secure, and the charge after it. A return that was not written is repeated; the issuer's answer was in
  // memory only, so the payment ends if it is lost before the charge was sent.
  RETURN:          row('api',    ['payer-step.end'],      once('SETTLED'),   once('SETTLED'),  ['intent', 'sent', 'answer']),
  CHARGE:          row('api',    charges,                 once('SETTLED'),   never('DECLINED'), ['intent']),
  // The return from a redirect: the acquirer has executed before the payer returns, and only has to be asked.
  REDIRECT:        row('api',    ['payer-step.end'],      never('SETTLED'),  never('SETTLED')),
} as const satisfies Readonly<Record<string, Row>>

export type Command = keyof typeof rows

// The keys of a literal are its names; TypeScript types `Object.keys` as strings.
export const commands = Object.keys(rows) as readonly Command[]

export const victimOf = (command: Command): Victim => rows[command].victim

export const isCommand = (text: string): text is Command => text in rows

export const intentsOf = (command: Command): readonly string[] => rows[command].intents

/** How the names of the statements begin that write its outcome; the rest says what else they write. */
export const outcomeOf = (command: Command): string =>
  command === 'SALES' ? 'transaction.settle-group' : 'transaction.settle'

/** A written intent is executed exactly once, whatever happened; without one there is no trace. */
export function expectationOf(command: Command, point: Point): Expectation {
  const { begun, notBegun, lostAt }: Row = rows[command]
  if (point === 'before-intent') return notBegun
  return lostAt.includes(point) ? never('DECLINED') : begun
}

/** The flag that makes a gateway process die there. */
export function crashFlag(command: Command, point: Point): string {
  const hook = new URL('./crash-hook.ts', import.meta.url)
  hook.search = new URLSearchParams({ command, point }).toString()
  return `--import=${hook.href}`
}
