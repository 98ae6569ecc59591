/** What a fault does to a wallet A token, and what it has at hand for that. */
import type { Chain } from '../certificates/chain.ts'
import type { Randomness } from '../randomness.ts'
import type { PlanA, PublicKey, TokenA } from './mint-a.ts'

export interface BenchA {
  readonly chain: Chain
  readonly now: Date
  readonly random: Randomness
  /** A key that the merchant no longer uses, when one is known. */
  readonly retired: PublicKey | null
}

/** A fault changes the plan, so that the token is made wrong, or the token, or its text. */
export interface ChangeA {
  readonly plan?: (plan: PlanA, bench: BenchA) => PlanA | Promise<PlanA>
  readonly token?: (token: TokenA, plan: PlanA, bench: BenchA) => unknown
  readonly text?: (text: string) => string
}
