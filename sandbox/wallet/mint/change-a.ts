/** How a fault changes a wallet A token, and the material it uses. */
import type { Chain } from '../certificates/chain.ts'
import type { Randomness } from '../randomness.ts'
import type { PlanA, PublicKey, TokenA } from './mint-a.ts'

export interface BenchA {
  readonly chain: Chain
  readonly now: Date
  readonly random: Randomness
  /** A key that the merchant no longer uses, if one is known. */
  readonly retired: PublicKey | null
}

/** A fault changes the plan from which the token is made, or the token, or its text. */
export interface ChangeA {
  readonly plan?: (plan: PlanA, bench: BenchA) => PlanA | Promise<PlanA>
  readonly token?: (token: TokenA, plan: PlanA, bench: BenchA) => unknown
  readonly text?: (text: string) => string
}
