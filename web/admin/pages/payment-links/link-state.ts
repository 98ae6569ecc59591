/** The states of payment links as the panel shows them. */
import type { LinkState } from '#domain/checkout/payment-link.ts'
import type { Tone } from '../../kit/states.tsx'

export const stateTexts: Readonly<Record<LinkState, string>> = {
  open: 'Open',
  paid: 'Paid',
  expired: 'Expired',
  cancelled: 'Cancelled',
}

export const stateTones: Readonly<Record<LinkState, Tone>> = {
  open: 'info',
  paid: 'good',
  expired: 'plain',
  cancelled: 'plain',
}
