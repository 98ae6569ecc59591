/** What the dialog of a command on a payment is given. */
import type { Details } from './details.ts'

export interface PaymentActionsProps {
  readonly details: Details
  readonly onDone: () => void
}

export interface CommandProps extends PaymentActionsProps {
  readonly onClose: () => void
}
