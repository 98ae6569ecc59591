/** What the panel's rules work with: the office of every administrator, and the machine's own time. */
import type { SignInRules } from '#domain/sign-in/sign-in-rules.ts'
import type { Clock } from '../contracts/ports.ts'
import type { MovableClock } from '../process/clock.ts'
import type { Office } from '../setup/merchants.ts'

export interface AdminDesk extends Office {
  /**
   * The machine's time, also in a sandbox whose clock was moved: sessions and lock-outs are about people at the panel, and the codes of
   * their phones follow the real time.
   */
  readonly machine: Clock
}

/** The desk of those who sign in: with the rules of this instance. */
export interface SignInDesk extends AdminDesk {
  readonly rules: SignInRules
}

/** Who does something, as the audit log names it. */
export interface Actor {
  /** The user's e-mail address, `command line (user@machine)`, or `nobody`. */
  readonly label: string
  readonly address: string | null
}

/** Where a request comes from. */
export interface Visitor {
  readonly address: string
  /** Whom attempts from there are counted against: the address, or the block of those that one caller can choose from. */
  readonly network: string
  readonly userAgent: string
}

export const machineTime = (clock: MovableClock): Clock => ({
  now: () => new Date(clock.now().getTime() - clock.offsetMs),
})
