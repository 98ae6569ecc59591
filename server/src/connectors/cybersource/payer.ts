/** The payer and the payer's device in the words of CyberSource. A field that says nothing is left out. */
import type { Order } from '../connector.ts'

type Person = Readonly<Record<string, string>>
type Fields = Readonly<Record<string, unknown>>

const unlessEmpty = (fields: Fields): Fields | undefined => (Object.keys(fields).length === 0 ? undefined : fields)

export function billToOf(person: Person): Fields | undefined {
  const street = [person.address, person.house_number].filter(Boolean).join(' ')
  const phone = `${person.phone_country_code ?? ''}${person.phone ?? ''}`.replace(/[^0-9]/g, '')
  return unlessEmpty({
    ...(person.first_name && { firstName: person.first_name.slice(0, 60) }),
    ...(person.last_name && { lastName: person.last_name.slice(0, 60) }),
    ...(street && { address1: street.slice(0, 60) }),
    ...(person.address2 && { address2: person.address2.slice(0, 60) }),
    ...(person.city && { locality: person.city.slice(0, 50) }),
    ...(person.state && { administrativeArea: person.state.slice(0, 20) }),
    ...(person.zip && { postalCode: person.zip.slice(0, 14) }),
    ...(person.country && { country: person.country }),
    ...(person.email && { email: person.email.slice(0, 255) }),
    ...(phone && { phoneNumber: phone.slice(0, 15) }),
  })
}

export function deviceOf({ payerIp, browser }: Order): Fields | undefined {
  return unlessEmpty({
    ...(payerIp && { ipAddress: payerIp }),
    ...(browser?.userAgent && { userAgentBrowserValue: browser.userAgent.slice(0, 255) }),
    ...(browser?.acceptHeaders && { httpAcceptBrowserValue: browser.acceptHeaders.slice(0, 255) }),
    ...(browser?.language && { httpBrowserLanguage: browser.language.slice(0, 8) }),
    ...(browser?.colorDepth && { httpBrowserColorDepth: browser.colorDepth }),
    ...(browser?.screenHeight && { httpBrowserScreenHeight: browser.screenHeight }),
    ...(browser?.screenWidth && { httpBrowserScreenWidth: browser.screenWidth }),
    ...(browser?.timezoneOffset && { httpBrowserTimeDifference: browser.timezoneOffset }),
  })
}
