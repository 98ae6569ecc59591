/** The properties of the dialogs for commands on a payment. */
import type { Details } from './details.ts'

export interface PaymentActionsProps {
  readonly details: Details
  readonly onDone: () => void
}

export interface CommandProps extends PaymentActionsProps {
  readonly onClose: () => void
}
