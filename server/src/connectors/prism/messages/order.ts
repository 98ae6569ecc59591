/** An order in the words of the package. */
import type { JsonObject } from '../../../contracts/json.ts'
import type { CardData, ExternalThreeDs, Order } from '../../connector.ts'
import type { Prepared } from '../prepared.ts'
import type { AcquirerTerms } from '../table/row.ts'
import { enumValue, longValue } from '../transformer/protocol.ts'

/** What of an acquirer's terms changes the message of a charge. */
export type ChargedTerms = Pick<AcquirerTerms, 'wantsReportAddress' | 'namesShop' | 'takesDescriptorSuffix'>

/** What a charge asks for. */
interface ChargeTerms {
  readonly isCaptured: boolean
  readonly prepared: Prepared
  /** The acquirer authenticates the payer on a page of its own. */
  readonly ownThreeDs: boolean
  readonly terms?: ChargedTerms
}

export const secretText = (value: string): JsonObject => ({ value })

/** Under which the acquirer files a transaction: its id without the dashes, which some acquirers do not take. */
export const referenceOf = ({ transactionId }: { readonly transactionId: string }): string =>
  transactionId.replaceAll('-', '')

export const moneyOf = (amountMinor: bigint, currency: string): JsonObject => ({
  minorAmount: longValue(amountMinor),
  currency: enumValue('Currency', currency),
})

export function chargeMessage(order: Order, { isCaptured, prepared, ownThreeDs, terms = {} }: ChargeTerms): JsonObject {
  const reference = referenceOf(order)
  const { payer, threeDs, returnUrl } = order
  // A device has authenticated its owner, which its cryptogram proves.
  const isProven = threeDs !== null || (order.wallet?.decrypted?.cryptogram ?? null) !== null
  const isAuthenticated = ownThreeDs && !isProven && order.payerPresent && !order.moto && returnUrl !== null
  return {
    merchantTransactionId: reference,
    merchantOrderId: prepared.orderId === undefined ? reference : order.orderId.slice(0, 50),
    merchantRequestId: reference,
    amount: moneyOf(order.amountMinor ?? 0n, order.currency),
    captureMethod: captureMethod(isCaptured),
    customer: customerOf(order, prepared),
    address: { billingAddress: addressOf(payer), shippingAddress: addressOf(payer) },
    authType: enumValue('AuthenticationType', isAuthenticated ? 'THREE_DS' : 'NO_THREE_DS'),
    enrolledFor_3ds: isAuthenticated,
    ...(threeDs && { authenticationData: authenticationOf(threeDs) }),
    ...(returnUrl !== null && { returnUrl, completeAuthorizeUrl: returnUrl, continueRedirectionUrl: returnUrl }),
    ...(terms.wantsReportAddress && { webhookUrl: order.notificationUrl ?? '' }),
    ...(terms.namesShop && shopOf(order)),
    browserInfo: browserOf(order),
    description: order.description.slice(0, 255),
    ...(terms.takesDescriptorSuffix
      ? { statementDescriptorSuffix: order.descriptor.slice(0, 22) }
      : { statementDescriptorName: order.descriptor }),
    paymentChannel: enumValue('PaymentChannel', order.moto ? 'TELEPHONE_ORDER' : 'ECOMMERCE'),
    testMode: order.mode === 'test',
    orderDetails: [],
    orderCategory: 'pay',
    offSession: !order.payerPresent,
    ...(isStoring(order)
      ? { setupFutureUsage: enumValue('FutureUsage', 'OFF_SESSION'), customerAcceptance: acceptanceOf(order) }
      : {}),
    ...preparedParts(prepared),
  }
}

/** The acquirer is to store the card for charges without the payer. */
export const isStoring = ({ recurringInit, registerCard }: Order): boolean => recurringInit || registerCard

/** The package reads it from either, by the acquirer. */
function shopOf({ merchantName, descriptor }: Order): JsonObject {
  const named = secretText(JSON.stringify({ shop_name: merchantName ?? descriptor }))
  return { metadata: named, connectorFeatureData: named }
}

export const captureMethod = (isCaptured: boolean): JsonObject =>
  enumValue('CaptureMethod', isCaptured ? 'AUTOMATIC' : 'MANUAL')

/** Adds the values that earlier requests fetched. */
export const preparedParts = ({ accessToken, customerId, orderId, sessionToken }: Prepared): JsonObject => ({
  state: {
    ...(accessToken && {
      accessToken: { token: secretText(accessToken.value), expiresInSeconds: 3600, tokenType: accessToken.type },
    }),
    ...(customerId !== undefined && { connectorCustomerId: customerId }),
  },
  ...(orderId !== undefined && { connectorOrderId: orderId }),
  ...(sessionToken !== undefined && { sessionToken }),
})

export const cardOf = (card: CardData): JsonObject => ({
  cardNumber: secretText(card.number.reveal()),
  cardExpMonth: secretText(monthOf(card)),
  cardExpYear: secretText(String(card.expiryYear ?? '')),
  // An absent code is written as empty: the package wants the field, and acquirers treat it as not given.
  cardCvc: secretText(card.verificationCode?.reveal() ?? ''),
  ...(card.holder !== null && { cardHolderName: secretText(card.holder) }),
  cardNetwork: networkOf(card),
})

export const monthOf = ({ expiryMonth }: CardData): string => String(expiryMonth ?? '').padStart(2, '0')

/** The network by the first digits, which several acquirers want to be given. */
export const networkOf = (card: CardData): JsonObject =>
  enumValue('CardNetwork', networkName(card) ?? 'CARD_NETWORK_UNSPECIFIED')

/** As the package writes it: `VISA`. */
export function networkName({ number }: CardData): string | undefined {
  const digits = number.reveal()
  return networks.find(([pattern]) => pattern.test(digits))?.[1]
}

const networks: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'VISA'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'MASTERCARD'],
  [/^3[47]/, 'AMEX'],
  [/^(6011|65|64[4-9])/, 'DISCOVER'],
  [/^35/, 'JCB'],
  [/^3(0[0-5]|[689])/, 'DINERS'],
  [/^62/, 'UNIONPAY'],
  [/^(5[06-9]|6)/, 'MAESTRO'],
]

const authenticationOf = ({
  eci,
  authenticationValue,
  dsTransId,
  version,
  transStatus,
}: ExternalThreeDs): JsonObject => ({
  eci,
  cavv: authenticationValue.reveal(),
  dsTransactionId: dsTransId,
  threedsServerTransactionId: dsTransId,
  messageVersion: version,
  ...(transStatus !== null &&
    transStatuses[transStatus] && { transStatus: enumValue('TransactionStatus', transStatuses[transStatus]) }),
})

const transStatuses: Readonly<Record<string, string>> = {
  Y: 'TRANSACTION_STATUS_SUCCESS',
  A: 'TRANSACTION_STATUS_NOT_VERIFIED',
  N: 'TRANSACTION_STATUS_FAILURE',
}

type Person = Readonly<Record<string, string>>

export function customerOf(
  { payer, paymentId }: Pick<Order, 'payer' | 'paymentId'>,
  { customerId }: Prepared = {},
): JsonObject {
  const name = nameOf(payer)
  return {
    id: paymentId.replaceAll('-', ''),
    ...(customerId !== undefined && { connectorCustomerId: customerId }),
    ...(name !== '' && { name }),
    ...(payer.first_name && { firstName: payer.first_name }),
    ...(payer.last_name && { lastName: payer.last_name }),
    ...(payer.email && { email: secretText(payer.email) }),
    ...(payer.phone && { phoneNumber: secretText(payer.phone) }),
    ...(payer.phone_country_code && { phoneCountryCode: payer.phone_country_code }),
  }
}

export const nameOf = ({ first_name, last_name }: Person): string => [first_name, last_name].filter(Boolean).join(' ')

export function addressOf(payer: Person): JsonObject {
  const street = [payer.address, payer.house_number].filter(Boolean).join(' ')
  return {
    ...(payer.first_name && { firstName: secretText(payer.first_name) }),
    ...(payer.last_name && { lastName: secretText(payer.last_name) }),
    ...(street && { line1: secretText(street) }),
    ...(payer.address2 && { line2: secretText(payer.address2) }),
    ...(payer.city && { city: secretText(payer.city) }),
    ...(payer.state && { state: secretText(payer.state) }),
    ...(payer.zip && { zipCode: secretText(payer.zip) }),
    ...(payer.country && { countryAlpha2Code: enumValue('CountryAlpha2', payer.country) }),
    ...(payer.email && { email: secretText(payer.email) }),
    ...(payer.phone && { phoneNumber: secretText(payer.phone) }),
    ...(payer.phone_country_code && { phoneCountryCode: payer.phone_country_code }),
  }
}

/** Fills unknown values with those of a plain browser, since acquirers refuse a request without them. */
function browserOf({ browser, payerIp, payerExtraDetails }: Order): JsonObject {
  return {
    colorDepth: Number(browser?.colorDepth ?? 24),
    screenHeight: Number(browser?.screenHeight ?? 768),
    screenWidth: Number(browser?.screenWidth ?? 1366),
    javaEnabled: browser?.javaEnabled === 'true',
    javaScriptEnabled: browser?.javascriptEnabled !== 'false',
    language: browser?.language ?? 'en',
    timeZoneOffsetMinutes: Number(browser?.timezoneOffset ?? 0),
    userAgent: browser?.userAgent ?? 'Mozilla/5.0',
    acceptHeader: browser?.acceptHeaders ?? payerExtraDetails?.acceptHeaders ?? '*/*',
    ...(payerIp !== null && !payerIp.includes(':') && { ipAddress: payerIp }),
  }
}

const acceptanceOf = (order: Order): JsonObject => ({
  acceptanceType: enumValue('AcceptanceType', 'ONLINE'),
  acceptedAt: longValue(BigInt(Math.floor(order.createdAt.getTime() / 1000))),
  onlineMandateDetails: {
    ...(order.payerIp !== null && { ipAddress: order.payerIp }),
    userAgent: order.browser?.userAgent ?? 'Mozilla/5.0',
  },
})
