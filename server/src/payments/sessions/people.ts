/**
 * Persons between Checkout's words and ours: one name here, first and last name there, split at the first space and joined again as
 * they were. Chapter 30 §5.6, "Payer fields".
 */
import type { PayerFacts } from '#domain/payment/facts.ts'
import type { SessionRequest } from '../../contracts/session-records.ts'

type Texts = Readonly<Record<string, string>>

/** The payer of a session, as a payment keeps it. */
export function payerOf({ customer, billingAddress }: Pick<SessionRequest, 'customer' | 'billingAddress'>): Texts {
  return personOf(customer, billingAddress)
}

/** The recipient of a payout or a transfer. */
export function payeeOf({ payee, payeeBillingAddress }: Pick<SessionRequest, 'payee' | 'payeeBillingAddress'>): Texts {
  return personOf(payee, payeeBillingAddress)
}

/** The language of an address is that of the page, and nothing of the person. */
function personOf({ name, ...person }: Texts, sent: Texts): Texts {
  const { language: _, ...address } = sent
  return { ...(name === undefined ? {} : splitName(name)), ...person, ...address }
}

/** What was sent takes the place of what is known; a name does so as a whole. */
export function withCustomer(payer: Texts, { name, ...person }: Texts): Texts {
  if (name === undefined) return { ...payer, ...person }
  const { first_name: _, last_name: __, ...others } = payer
  return { ...others, ...splitName(name), ...person }
}

function splitName(name: string): Texts {
  const space = name.indexOf(' ')
  if (space === -1) return { first_name: name }
  return { first_name: name.slice(0, space), last_name: name.slice(space + 1) }
}

/** Null when no part of it is known. */
export function fullName({ firstName, lastName }: Pick<PayerFacts, 'firstName' | 'lastName'>): string | null {
  const parts = [firstName, lastName].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(' ')
}
