/** The persons of an attempt, from the merchant's request and the payer's entries. Chapter 30 §3.4, §7.3. */
import { isPersonName } from '#domain/checkout/person-name.ts'
import { type Violation, violations } from '#domain/errors.ts'
import { subdivisionsOf } from '#domain/place/subdivision.ts'
import type { SessionRequest } from '../../../contracts/session-records.ts'
import type { PageField } from './method-fields.ts'

type Texts = Readonly<Record<string, string>>

export interface Persons {
  readonly customer: Texts
  readonly billingAddress: Texts
  readonly payee: Texts
}

/** On the page the merchant's values take precedence, because the payer is not asked for them. */
export const onPage = (request: SessionRequest, entered: Persons): Persons => ({
  customer: { ...entered.customer, ...request.customer },
  billingAddress: { ...entered.billingAddress, ...request.billingAddress },
  payee: { ...entered.payee, ...request.payee },
})

/** Violations for required fields that are empty and for an invalid name, in the order of the fields. */
export function personViolations(fields: readonly PageField[], persons: Persons): readonly Violation[] {
  const groups: Readonly<Record<string, Texts>> = {
    customer: persons.customer,
    billing_address: persons.billingAddress,
    payee: persons.payee,
  }
  return fields.flatMap(({ name, required }): readonly Violation[] => {
    const [group = '', member = ''] = name.split('.')
    const texts = groups[group]
    if (!texts) return []
    const value = texts[member]
    if (value === undefined)
      return required && !isNoState(name, persons) ? [{ param: name, text: violations.blank }] : []
    return member === 'name' && !isPersonName(value) ? [{ param: name, text: violations.notValid }] : []
  })
}

/** In a country without states the field is not required; a sent value was dropped when it was read. */
const isNoState = (name: string, { billingAddress: { country } }: Persons): boolean =>
  name === 'billing_address.state' && country !== undefined && subdivisionsOf(country) === null
