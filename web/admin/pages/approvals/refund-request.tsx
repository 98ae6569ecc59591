/** The payment and the amount of a requested refund. */
import type { JSX } from 'preact'
import { textAt } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import type { Approval } from './approval.ts'
import { SubjectResult } from './subject-result.tsx'

export function RefundRequest({ approval }: { readonly approval: Approval }): JSX.Element {
  const merchantId = approval.merchantId ?? ''
  const paymentId = textAt(approval.request, 'paymentId')
  const amountMinor = textAt(approval.request, 'amountMinor')
  const path = 'GET /merchants/:merchantId/payments/:paymentId'
  const read = useReading(path, { params: { merchantId, paymentId } })
  return (
    <SubjectResult read={read} lines={3}>
      {({ payment: { orderId, status, currency, amountDecimals: decimals, ...payment } }) => {
        const left = String(BigInt(payment.capturedMinor) - BigInt(payment.refundedMinor))
        return (
          <KeyValues
            rows={[
              ['Transaction', <Link to={`/merchants/${merchantId}/payments/${paymentId}`}>{orderId}</Link>],
              ['Status', <Status of={status} />],
              ['Captured', <Money minor={payment.capturedMinor} currency={currency} decimals={decimals} />],
              ['Refunded so far', <Money minor={payment.refundedMinor} currency={currency} decimals={decimals} />],
              ['To be refunded', <Money minor={amountMinor || left} currency={currency} decimals={decimals} />],
            ]}
          />
        )
      }}
    </SubjectResult>
  )
}
