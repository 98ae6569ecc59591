/** Payments and actions as the API shows them. */
import type { Action, Payment } from './payment.ts'

type Fields = Readonly<Record<string, unknown>>

/** The answer to a request for a payment, and its details later. */
export function paymentView(payment: Payment, url: string): Fields {
  const { id, reference, amount, currency, lastFour, kind, actions, page } = payment
  const [first] = actions.toReversed()
  const isApproved = payment.state !== 'declined' && payment.state !== 'at-payer'
  return {
    id,
    ...(first && { action_id: first.id, response_code: first.code, response_summary: first.summary }),
    requested_on: first?.at,
    amount,
    currency,
    approved: isApproved,
    status: statusOf(payment),
    reference,
    ...(isApproved && { auth_code: numberOf(id).slice(0, 6), scheme_id: numberOf(id).padEnd(15, '3').slice(0, 15) }),
    [kind === 'credit' ? 'destination' : 'source']: {
      type: 'card',
      last4: lastFour,
      ...(kind !== 'credit' && { avs_check: 'S', cvv_check: 'Y', issuer: 'STAND-IN BANK', issuer_country: 'GB' }),
    },
    balances: balancesOf(payment),
    risk: { flagged: false },
    processing: { retrieval_reference_number: numberOf(id).padEnd(12, '7').slice(0, 12) },
    actions: actions.map(({ id: action, type, code, summary }) => ({
      id: action,
      type,
      response_code: code,
      response_summary: summary,
    })),
    _links: {
      self: { href: `${url}/payments/${id}` },
      actions: { href: `${url}/payments/${id}/actions` },
      ...(page && payment.state === 'at-payer' && { redirect: { href: `${url}/pages/${page.key}` } }),
    },
  }
}

export const actionView = ({ id, type, reference, amount, code, summary, at }: Action): Fields => ({
  id,
  type,
  processed_on: at,
  amount,
  approved: code.startsWith('10'),
  response_code: code,
  response_summary: summary,
  reference,
  ...(type === 'Capture' || type === 'Refund' ? { processing: { acquirer_reference_number: arnOf(id) } } : {}),
})

export const arnOf = (id: string): string => `7400${numberOf(id)}`.padEnd(23, '1').slice(0, 23)

function statusOf({ state, kind, amount, captured, refunded }: Payment): string {
  if (state === 'at-payer') return 'Pending'
  if (state === 'declined') return 'Declined'
  if (state === 'paid') return 'Paid'
  if (refunded > 0) return refunded < captured ? 'Partially Refunded' : 'Refunded'
  if (state === 'voided') return 'Voided'
  if (amount === 0) return 'Card Verified'
  // A sale is captured after its answer; here at once, so that only its first answer says Authorized.
  if (captured === 0 || kind === 'sale') return captured === 0 ? 'Authorized' : 'Captured'
  return captured < amount ? 'Partially Captured' : 'Captured'
}

export const balancesOf = ({ amount, captured, refunded, state }: Payment): Fields => ({
  total_authorized: state === 'declined' ? 0 : amount,
  total_voided: state === 'voided' ? amount - captured : 0,
  available_to_void: state === 'authorized' && captured === 0 ? amount : 0,
  total_captured: captured,
  available_to_capture: state === 'authorized' ? amount - captured : 0,
  total_refunded: refunded,
  available_to_refund: captured - refunded,
})

/** Digits that follow from an id, so that they are the same at every look. */
const numberOf = (id: string): string => Array.from(id.slice(4), (sign) => sign.charCodeAt(0) % 10).join('')
