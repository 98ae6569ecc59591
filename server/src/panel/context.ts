/** What the panel's rules work with: the setup context and the machine's own time. */
import type { SignInRules } from '#domain/sign-in/sign-in-rules.ts'
import type { Clock } from '../contracts/ports.ts'
import type { SetupContext } from '../setup/context.ts'

export interface AdminContext extends SetupContext {
  /**
   * The machine's time, even in a sandbox whose clock was moved: sessions and lockouts concern people at the panel, and the codes of their
   * phones follow the real time.
   */
  readonly machine: Clock
}

/** The context of sign-ins: with this instance's sign-in rules. */
export interface SignInContext extends AdminContext {
  readonly rules: SignInRules
}

/** Who acts, as the audit log names them. */
export interface Actor {
  /** The user's e-mail address, `command line (user@machine)`, or `nobody`. */
  readonly label: string
  readonly address: string | null
}

/** Where a request comes from. */
export interface Visitor {
  readonly address: string
  /** What attempts are counted against: the address, or the block of addresses that one caller can choose from. */
  readonly network: string
  readonly userAgent: string
}
