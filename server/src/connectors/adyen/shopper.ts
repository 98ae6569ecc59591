/** Who pays, and from which browser. */
import type { BrowserFacts } from '#domain/payment/facts.ts'
import type { Order } from '../connector.ts'

export function shopperOf(order: Order) {
  const { payer, payerIp, descriptor } = order
  const { first_name: firstName, last_name: lastName, email, phone, country, birth_date: dateOfBirth } = payer
  const statement = statementOf(descriptor)
  const billingAddress = addressOf(payer)
  const browserInfo = browserOf(order)
  return {
    ...(firstName && lastName && { shopperName: { firstName, lastName } }),
    ...(email && { shopperEmail: email }),
    ...(phone && { telephoneNumber: phone }),
    ...(country && { countryCode: country }),
    ...(dateOfBirth && { dateOfBirth }),
    ...(payerIp && { shopperIP: payerIp }),
    ...(statement && { shopperStatement: statement }),
    ...(billingAddress && { billingAddress }),
    ...(browserInfo && { channel: 'Web' as const, browserInfo }),
  }
}

/** Other characters make the card schemes refuse the text; they take 22 of these. */
const statementOf = (descriptor: string): string =>
  descriptor
    .replace(/[^A-Za-z0-9.,'_?+*/ -]/g, '')
    .slice(0, 22)
    .trim()

/** All or nothing: an address with holes is refused. */
function addressOf({ address, address2, city, zip, country, state }: Order['payer']) {
  if (!address || !city || !zip || !country) return null
  return {
    street: address,
    houseNumberOrName: address2 || 'N/A',
    city,
    postalCode: zip,
    country,
    ...(state && { stateOrProvince: state }),
  }
}

/** All or nothing, as the 3-D Secure of the schemes wants it. */
function browserOf({ browser, payerExtraDetails }: Order) {
  if (!browser) return null
  const acceptHeader = browser.acceptHeaders ?? payerExtraDetails?.acceptHeaders
  const { userAgent, language } = browser
  const numbers = numbersOf(browser)
  if (!acceptHeader || !userAgent || !language || !numbers) return null
  return {
    acceptHeader,
    userAgent,
    language,
    javaEnabled: browser.javaEnabled === 'true',
    ...(browser.javascriptEnabled && { javaScriptEnabled: browser.javascriptEnabled === 'true' }),
    ...numbers,
  }
}

function numbersOf({ colorDepth, screenHeight, screenWidth, timezoneOffset }: BrowserFacts) {
  const texts = [colorDepth, screenHeight, screenWidth, timezoneOffset]
  if (texts.some((text) => !text || !/^-?[0-9]{1,6}$/.test(text))) return null
  return {
    colorDepth: Number(colorDepth),
    screenHeight: Number(screenHeight),
    screenWidth: Number(screenWidth),
    timeZoneOffset: Number(timezoneOffset),
  }
}
