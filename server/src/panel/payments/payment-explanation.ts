/** Explains in sentences why a payment was routed as it was, and why no attempt followed. Chapter 50 §3, rule 5, chapter 10 §6.2. */
import { type Ending, endingSentence } from '#domain/routing/ending.ts'
import { type Explanation, sentencesOf } from '#domain/routing/explanation.ts'
import type { PaymentRecord } from '../../contracts/records.ts'

interface ExplainedPayment {
  /** The stored decision; null if none was taken. */
  readonly explanation: Explanation | null
  /** Null if another attempt followed, or none was due. */
  readonly ending: { readonly reason: Ending['reason']; readonly sentence: string; readonly stored: Ending } | null
  /** In the order of events; the ending comes last. */
  readonly sentences: readonly string[]
}

export function explainedPayment(
  payment: Pick<PaymentRecord, 'routing' | 'facts' | 'cascading' | 'attempt'>,
): ExplainedPayment {
  const { routing: explanation, cascading, attempt } = payment
  const { cascadeEnd: stored } = payment.facts
  const ending = stored ? { reason: stored.reason, sentence: endingSentence(stored), stored } : null
  const next = cascading === null ? [] : [nextAttemptSentence[cascading](attempt + 1)]
  return {
    explanation,
    ending,
    sentences: [...(explanation ? sentencesOf(explanation) : []), ...next, ...(ending ? [ending.sentence] : [])],
  }
}

const nextAttemptSentence: Readonly<Record<NonNullable<PaymentRecord['cascading']>, (attempt: number) => string>> = {
  continues: (attempt) => `Declined. Attempt ${attempt} follows.`,
  continued: (attempt) => `Declined. Attempt ${attempt} followed.`,
}
