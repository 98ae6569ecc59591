/** The disputed payment by its order number. A closed dispute outlives a payment that was removed with its month. */
import type { JSX } from 'preact'
import { Link } from '../../router/link.tsx'
import type { Dispute } from './dispute.ts'

interface PaymentLinkProps {
  readonly of: Pick<Dispute, 'merchantId' | 'paymentId' | 'orderId'>
  readonly class?: string
}

export const PaymentLink = ({ of: { merchantId, paymentId, orderId }, ...rest }: PaymentLinkProps): JSX.Element =>
  orderId === null ? (
    <span>Removed payment</span>
  ) : (
    <Link to={`/merchants/${merchantId}/payments/${paymentId}`} title={orderId} {...rest}>
      {orderId}
    </Link>
  )
