/** Which card ends how. The numbers are those of Stripe's own list: https://docs.stripe.com/testing. */
import { luhnValid } from '#domain/card.ts'

export interface Verdict {
  readonly kind: 'approved' | 'declined' | 'authenticate' | 'invalid'
  /** Of a decline, at once or after the authentication. */
  readonly declineCode: string | null
  readonly afterwards: string | null
}

// biome-ignore format: a table is read in columns.
const declines: ReadonlyMap<string, string> = new Map([
  ['4000000000000002', 'generic_decline'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000009987', 'lost_card'],
  ['4000000000009979', 'stolen_card'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error'],
  ['4000000000006975', 'card_velocity_exceeded'],
  ['4100000000000019', 'fraudulent'],
])

/** The payer authenticates; the charge is approved then, or declined for this reason. */
const authentications: ReadonlyMap<string, string | null> = new Map([
  ['4000002760003184', null],
  ['4000000000003220', null],
  ['4000002500003155', null],
  ['4000008400001629', 'generic_decline'],
  ['4000008260003178', 'insufficient_funds'],
])

/** What follows a charge, or its refund. */
const afterwards: ReadonlyMap<string, string> = new Map([
  ['4000000000000259', 'dispute'],
  ['4000000000001976', 'inquiry'],
  ['4000000000007726', 'refund-later'],
  ['4000000000005126', 'refund-fails'],
])

export function verdictOn(number: string, year: number, month: number, now: Date): Verdict {
  const plain = { declineCode: null, afterwards: afterwards.get(number) ?? null }
  if (!luhnValid(number)) return { ...plain, kind: 'invalid', declineCode: 'incorrect_number' }
  if (year * 12 + month <= now.getUTCFullYear() * 12 + now.getUTCMonth())
    return { ...plain, kind: 'invalid', declineCode: 'invalid_expiry_year' }
  const declineCode = declines.get(number)
  if (declineCode) return { ...plain, kind: 'declined', declineCode }
  const authentication = authentications.get(number)
  if (authentication !== undefined) return { ...plain, kind: 'authenticate', declineCode: authentication }
  return { ...plain, kind: 'approved' }
}

/** Error codes of their own; all other declines are a `card_declined`. */
const ownCodes: ReadonlySet<string> = new Set([
  'expired_card',
  'incorrect_cvc',
  'incorrect_number',
  'invalid_expiry_year',
  'processing_error',
  'authentication_required',
])

export const errorCodeOf = (declineCode: string): string => (ownCodes.has(declineCode) ? declineCode : 'card_declined')
