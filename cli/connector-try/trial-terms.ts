/** What a trial of a connector works with. */

import type { Mode } from '#domain/merchant.ts'
import type { Acquirer, Clock, Ids } from '#server/contracts/ports.ts'
import type { TestCards } from '#server/contracts/test-cards.ts'
import type { PayerPage } from './payer-page.ts'

export interface TrialTerms {
  readonly acquirer: Acquirer
  readonly mode: Mode
  readonly descriptor: string
  readonly cards: TestCards
  readonly amountMinor: bigint
  /** A step that would need more is skipped. Null without a limit. */
  readonly maxAmountMinor: bigint | null
  readonly currency: string
  readonly clock: Clock
  readonly ids: Ids
  /** Null if 3-D Secure is skipped. */
  readonly payer: PayerPage | null
  /** Between two questions about a transaction that the acquirer has not finished. */
  readonly pauseMs: number
  readonly onStep: (step: TrialStep) => void
}

/** A line of the trial's report. Never contains card data. */
export interface TrialStep {
  readonly step: string
  readonly sent: string
  /** Our id of the transaction; null if nothing was sent. */
  readonly transactionId: string | null
  /** The acquirer's reference. */
  readonly reference: string | null
  readonly outcome: string
  readonly expected: string
  readonly result: 'pass' | 'fail' | 'skipped'
}
