/** Shows the result of a command as a toast. */
import { toast } from '../../kit/toasts.tsx'
import type { Payment } from './details.ts'
import { outcomeOf } from './outcome.ts'

export function toastOutcome(result: unknown, payment: Payment): void {
  const { text, tone } = outcomeOf(result, payment)
  toast(text, tone)
}
