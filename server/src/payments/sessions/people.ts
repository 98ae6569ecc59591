/**
 * Converts persons between Checkout's fields and ours: Checkout has one name, a payment has first and last name. The name is split at
 * the first space. Chapter 30 §5.6, "Payer fields".
 */
import type { PayerFacts } from '#domain/payment/facts.ts'
import type { SessionRequest } from '../../contracts/session-records.ts'

type Texts = Readonly<Record<string, string>>

/** The payer of a session in the fields of a payment. */
export function payerOf({ customer, billingAddress }: Pick<SessionRequest, 'customer' | 'billingAddress'>): Texts {
  return personOf(customer, billingAddress)
}

/** The recipient of a payout or a transfer. */
export function payeeOf({ payee, payeeBillingAddress }: Pick<SessionRequest, 'payee' | 'payeeBillingAddress'>): Texts {
  return personOf(payee, payeeBillingAddress)
}

/** Without the language: it belongs to the page and not to the person. */
function personOf({ name, ...person }: Texts, sent: Texts): Texts {
  const { language: _, ...address } = sent
  return { ...(name === undefined ? {} : splitName(name)), ...person, ...address }
}

/** Sent values replace known ones; a name is replaced as a whole. */
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
