/**
 * The request to a 3DS server, with the field names of the EMV 3-D Secure messages where they exist. Empty fields are left out. Documented
 * in docs/interface/external-mpi.md.
 */
import { exponentOf } from '#domain/money/money.ts'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import { languageOf, languages } from '#domain/place/language.ts'
import type { CardData } from '../connectors/connector.ts'
import type { AuthenticationRequest } from './mpi.ts'

export function messageOf(request: AuthenticationRequest): Readonly<Record<string, unknown>> {
  const { card, payer, browser } = request
  const fields = {
    messageVersion: '2.2.0',
    deviceChannel: '02',
    messageCategory: '01',
    threeDSRequestorAuthenticationInd: request.recurringInit ? '02' : '01',
    paymentId: request.paymentId,
    acctNumber: card.number.reveal(),
    cardExpiryDate: expiryOf(card),
    cardholderName: card.holder ?? nameOf(payer),
    purchaseAmount: String(request.amountMinor),
    purchaseCurrency: request.currency,
    purchaseExponent: exponentOf(request.currency)?.toString(),
    merchantName: request.merchantName,
    notificationURL: request.returnUrl,
    language: tagOf(request.language),
    email: payer['email'],
    billAddrLine1: payer['address'],
    billAddrLine2: payer['address2'],
    billAddrCity: payer['city'],
    billAddrState: payer['state'],
    billAddrPostCode: payer['zip'],
    billAddrCountry: payer['country'],
    phone: payer['phone'],
    phoneCountryCode: payer['phone_country_code'],
    browserIP: request.payerIp,
    ...(browser && browserFields(browser)),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
}

/** `YYMM`. */
function expiryOf({ expiryMonth, expiryYear }: CardData): string | undefined {
  if (expiryMonth === null || expiryYear === null) return undefined
  return `${String(expiryYear % 100).padStart(2, '0')}${String(expiryMonth).padStart(2, '0')}`
}

function nameOf(payer: Readonly<Record<string, string>>): string | undefined {
  const name = [payer['first_name'], payer['last_name']].filter(Boolean).join(' ')
  return name === '' ? undefined : name
}

/** The interface has its own codes for some languages; 3DS uses BCP 47. */
function tagOf(text: string): string {
  const code = languageOf(text)
  return languages.find((language) => language.code === code)?.tag ?? 'en'
}

function browserFields(browser: BrowserFacts): Readonly<Record<string, string | null>> {
  return {
    browserAcceptHeader: browser.acceptHeaders,
    browserColorDepth: browser.colorDepth,
    browserJavaEnabled: browser.javaEnabled,
    browserJavascriptEnabled: browser.javascriptEnabled,
    browserLanguage: browser.language,
    browserScreenHeight: browser.screenHeight,
    browserScreenWidth: browser.screenWidth,
    browserTZ: browser.timezoneOffset,
    browserUserAgent: browser.userAgent,
  }
}
