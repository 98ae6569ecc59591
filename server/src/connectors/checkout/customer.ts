/** The payer in the words of Checkout.com. */
import type { Order } from '../connector.ts'

type Person = Readonly<Record<string, string>>

/** Without anything to say the field is left out. */
type Fields = Readonly<Record<string, unknown>> | undefined

const unlessEmpty = (fields: Readonly<Record<string, unknown>>): Fields =>
  Object.keys(fields).length === 0 ? undefined : fields

export function customerOf({ payer }: Pick<Order, 'payer'>): Fields {
  const name = fullName(payer)
  const phone = phoneOf(payer)
  return unlessEmpty({
    ...(payer.email && { email: payer.email }),
    ...(name && { name }),
    ...(phone && { phone }),
  })
}

export function addressOf(person: Person): Fields {
  const street = [person.address, person.house_number].filter(Boolean).join(' ')
  return unlessEmpty({
    ...(street && { address_line1: street.slice(0, 200) }),
    ...(person.address2 && { address_line2: person.address2.slice(0, 200) }),
    ...(person.city && { city: person.city.slice(0, 50) }),
    ...(person.state && { state: person.state.slice(0, 50) }),
    ...(person.zip && { zip: person.zip.slice(0, 50) }),
    ...(person.country && { country: person.country }),
  })
}

/** Checkout.com refuses a number without its country's code. */
export function phoneOf({ phone, phone_country_code: code }: Person): Fields {
  const [number, countryCode] = [digitsOf(phone), digitsOf(code)]
  if (number.length < 6 || number.length > 25 || countryCode === '') return undefined
  return { country_code: countryCode, number }
}

const digitsOf = (text = ''): string => text.replace(/[^0-9]/g, '')

const fullName = ({ first_name, last_name }: Person): string =>
  [first_name, last_name].filter(Boolean).join(' ').slice(0, 255)
