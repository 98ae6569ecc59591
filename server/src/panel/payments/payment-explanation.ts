/** Why a payment went where it went, and why nothing followed it, in sentences. Chapter 50 §3, rule 5, chapter 10 §6.2. */
import { type Ending, endingSentence } from '#domain/routing/ending.ts'
import { type Explanation, sentencesOf } from '#domain/routing/explanation.ts'
import type { PaymentRecord } from '../../contracts/records.ts'

interface ExplainedPayment {
  /** The decision as it is stored; null where none was taken. */
  readonly explanation: Explanation | null
  /** Null where another attempt followed, or none was called for. */
  readonly ending: { readonly reason: Ending['reason']; readonly sentence: string; readonly stored: Ending } | null
  /** In the order of what happened, that of the ending last. */
  readonly sentences: readonly string[]
}

export function explainedPayment(
  payment: Pick<PaymentRecord, 'routing' | 'facts' | 'cascading' | 'attempt'>,
): ExplainedPayment {
  const { routing: explanation, cascading, attempt } = payment
  const { cascadeEnd: stored } = payment.facts
  const ending = stored ? { reason: stored.reason, sentence: endingSentence(stored), stored } : null
  const next = cascading === null ? [] : [followed[cascading](attempt + 1)]
  return {
    explanation,
    ending,
    sentences: [...(explanation ? sentencesOf(explanation) : []), ...next, ...(ending ? [ending.sentence] : [])],
  }
}

const followed: Readonly<Record<NonNullable<PaymentRecord['cascading']>, (attempt: number) => string>> = {
  continues: (attempt) => `Declined. Attempt ${attempt} follows.`,
  continued: (attempt) => `Declined. Attempt ${attempt} followed.`,
}
