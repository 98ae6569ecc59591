/** Why a payment was or would be routed as it was, in sentences, and the stored decision for a closer look. */
import type { JSX } from 'preact'
import { useReading } from '../../../api/use-reading.ts'
import { Empty, ReadResult } from '../../../kit/states.tsx'
import { JsonView } from '../../../kit/values/json-view.tsx'

interface ExplanationProps {
  readonly sentences: readonly string[]
  /** As the service stores it. */
  readonly explanation: unknown
  /** For a payment: why no further attempt followed. */
  readonly ending?: { readonly stored: unknown } | null
}

export function Explanation({ sentences, explanation, ending = null }: ExplanationProps): JSX.Element {
  if (sentences.length === 0) return <Empty title="No routing decision for this payment." />
  return (
    <div class="explanation">
      <ol>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
      <details>
        <summary>Stored decision</summary>
        <JsonView label="Stored decision" value={explanation} />
        {ending && <JsonView label="Why no further attempt was made" value={ending.stored} />}
      </details>
    </div>
  )
}

interface PaymentExplanationProps {
  readonly merchantId: string
  readonly paymentId: string
}

export function PaymentExplanation({ merchantId, paymentId }: PaymentExplanationProps): JSX.Element {
  const path = 'GET /merchants/:merchantId/payments/:paymentId/routing'
  const read = useReading(path, { params: { merchantId, paymentId } })
  return <ReadResult read={read}>{(answer) => <Explanation {...answer} />}</ReadResult>
}
