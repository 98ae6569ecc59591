/** When each refusal is given, for the reference. The compiler requires a sentence for every row of the catalogue. */
import type { errors, violations } from '#domain/errors.ts'

export const errorNotes = {
  requestInvalid:
    'A parameter is missing or wrong (each has its row in `errors`), the hash is wrong, or the body cannot be read.',
  routeNotSupported:
    'The action is unknown or missing, or the address is wrong. On the S2S protocols also: the method is wrong.',
  methodNotAllowed: 'Checkout and the hosted page: the address exists, but not for this method.',
  protocolMappingNotFound: 'The merchant has no enabled mapping for the protocol.',
  ipNotAllowed: 'The caller’s address is not on the merchant’s list.',
  requestTimeout: 'The request was not complete in time.',
  headersTooLarge: 'The headers of the request are larger than 16 KiB.',
  requestTooLarge: 'The body, its nesting or the number of its parameters is above the limit.',
  tooManyRequests: 'The rate limit of the merchant key is reached; `Retry-After` gives the seconds to wait.',
  internalError: 'An internal error. The result of the request is unknown: look it up by order.',
  temporarilyUnavailable:
    'Checkout: the request was not recorded in time. Its result is unknown: look it up by order. There is no `Retry-After`.',
  overloaded:
    'The service has more requests than it can process. Nothing was done: repeat the request after the 1 to 3 seconds in `Retry-After`.',
  inRecovery:
    'The service was restored from a backup and is not open yet, also for look-ups. Nothing was done: repeat the request after the 60 seconds in `Retry-After`.',
  noEventsFeed: 'The service runs on several database servers, where the [events feed](events.md) would not be exact.',
  useTestKey: 'A live key was used, but the account is allowed to test only.',
  payoutsOff: "A payout, and the option `payouts` of the merchant's mapping for the protocol is off.",

  idempotencyKeyReused: 'The `Idempotency-Key` was used before with another body.',
  duplicateRequest:
    'The first request with this `Idempotency-Key` is still running; on Checkout also another attempt on the session.',
  requestReplayed:
    'The `webhook-id` of a signed request was used before, so that the request may have been processed. Repeat it with the same `Idempotency-Key` and a new signature.',
  previousPaymentOpen: 'Duplicate orders are rejected, and an earlier payment of the order is still open.',
  previousTransactionOpen: 'Another transaction of the payment is still open.',

  transactionDoesNotExist: 'The look-up, CAPTURE or DEBIT2VIRTUAL_COMPLETE names no payment of the merchant.',
  paymentDoesNotExist: 'The Checkout look-up names no payment of the merchant.',
  orderDoesNotExist: 'The look-up names no order of the merchant.',
  paymentNotFound: 'VOID, CREDITVOID or RETRY, on Checkout also a capture, names no payment of the merchant.',
  scheduleNotFound: 'The request names no schedule of the merchant.',
  incorrectTransaction: 'The pair of first payment and recurring token names no chain.',

  notIn3ds: 'The payer returned to a wrong address, or to a payment that does not wait for the payer.',
  captureNotPending: 'CAPTURE of a payment without a hold.',
  captureTooMuch: 'CAPTURE of more than is held.',
  refundNotAllowed: 'CREDITVOID of a payment whose status, kind or brand does not permit it.',
  refundTooMuch: 'CREDITVOID of more than is left of a sale.',
  reversalTooMuch: 'CREDITVOID of more than is held, or than is left of a debit.',
  reversalPartial: 'CREDITVOID of a part of a hold, which is only released as a whole.',
  chargebackTooMuch: 'A dispute is entered for more than was captured.',
  voidNotAllowed:
    'VOID of a payment that is not settled, is partly refunded, is of another financial day, or whose brand does not support VOID.',
  retryNotAllowed: 'RETRY of a payment that is not a softly declined recurring one, or whose card has no tries left.',
  cannotBeCompleted:
    'DEBIT2VIRTUAL_COMPLETE of a payment that is not a calculated debit, is already completed, or has expired.',
  schedulePaused: 'The schedule is paused.',
  scheduleNotPaused: 'The schedule cannot be resumed because it is not paused.',

  noMid: 'No MID is enabled for the merchant for this mode and channel, or all are failing.',
  typeNotSupported: 'No MID accepts cards.',
  methodNotSupported: 'No MID supports one of the requested `methods`, or a method is unknown.',
  actionNotSupported:
    'The brand does not offer the action, or no MID supports what the payment needs: an authorization, a debit, a payout, a transfer, a chain, a zero amount.',
  brandNotSupported:
    "No MID accepts the card's network or the brand, the network is unknown, or the brand is not offered in the payer's country.",
  dayMidLimit: 'The day limit of the MID is reached.',
  dayMappingLimit: "The day limit of the merchant's mapping is reached.",
  typeNotFound: 'The type of payment is not configured.',
  methodNotFound: 'The method is not configured.',
  brandNotFound: 'The brand is not in the catalogue or is for tests only, or it or the network is switched off.',
  currencyNotFound: 'The brand does not accept the currency, or no MID does.',
  actionNotFound: 'The action is not configured.',
  monthMidLimit: 'The month limit of the MID is reached.',
  weekMappingLimit: "The week limit of the merchant's mapping is reached.",
  walletNotSupported: 'The wallet is not active for the account, or no MID accepts it.',
  motoNotSupported: 'A MOTO value was sent, and no MID has MOTO enabled.',

  cardTokenUnknown: 'The `card_token` is unknown in this mode.',
  cardTokenExpired: 'The card behind the `card_token` has expired.',
  cardTokenForeign:
    'The `card_token` belongs to another merchant; on Checkout also one whose payment has not succeeded yet.',

  noCardFlow: 'The wallet token requires card flow, which is not completely set up.',
  walletTokenExpired: 'The wallet token is stale, altered, was used before, or cannot be decrypted.',
  walletTokenMismatch: 'The amount or currency in the wallet token differs from the order.',
  walletSessionUnavailable: 'The session service of the wallet provider could not be reached, or returned no session.',

  checkoutInvalid: 'Checkout: a parameter, the merchant or the hash is wrong; each has its row in `errors`.',
  sizeOutOfRange: 'Checkout: `size` of the look-up by order is out of range.',
  sessionNotUpdatable: 'Checkout: the session already has a payment.',
  sessionUpdateUnproved:
    'Checkout: the merchant lists no addresses, and the session update is not signed. List the addresses of your servers, or sign the request; the mapping option `sessionUpdate` decides.',
  noAcceptableMethods: 'Checkout: after the update the session has no method left.',
  sessionTokenInvalid: 'Checkout: the session token is invalid (processing).',
  sessionTokenForbidden: 'Checkout: the session token is invalid (session update).',
  operationMismatch: "Checkout: the endpoint is not that of the session's operation.",
  amountChanged:
    'Checkout: the processing call names another amount or currency than the session has, or the hosted page showed another one. Nothing was charged.',
  cardDataMissing: 'Checkout: the hosted fields have not collected a card.',
  sessionComplete: 'Checkout: the session is over.',
  cardBrandRefused: "Checkout: the card's network is not accepted.",
} as const satisfies Readonly<Record<keyof typeof errors, string>>

export const violationNotes = {
  blank: 'required and absent, empty or of white space only',
  notValid: 'wrong format or length, unknown currency or country, wrong check digit, expired card, too many decimals',
  notPositive: 'an amount of zero or below',
  notUrl: 'no http or https address, or not https where it must be',
  notEmail: 'no e-mail address',
  notChoice: 'none of the listed values',
  notCorrect: 'an unknown key, `channel_id` or `form_id`, or an identifier that is too long',
  hash: 'the signature does not match',
  unsigned: 'the mapping requires signed requests (`requestSignature`), and the request has no `webhook-signature`',
  signature: '`webhook-signature` does not match: *Explain* of the refused request says what it covers',
  tooOld: '`webhook-timestamp` of a signed request is too old: set the clock, or sign just before sending',
  tooFarAhead: '`webhook-timestamp` of a signed request is in the future: set the clock',
  duplicate: '`order_id`, when duplicate orders are rejected',
  ownIdentifier:
    'an order number that begins with a UUID of version 1 or 7, the form of our identifiers; a payment (not a payout) may have such a UUID alone as its number',
  delaysRetired: '`delays` of a schedule',
  sessionHas: 'another amount or currency than the session has; nothing was charged',
  notJson: 'not JSON where JSON is required',
  notExpected: 'an unexpected member; only session update refuses it',
  tooLong: 'a text above its limit',
  tooShort: 'a text below its limit',
  wrongType: 'a JSON value of another type',
  lengthBetween: 'the header `Idempotency-Key` is empty or too long',
  barePercent: 'the body is a form with a percent sign that was not encoded',
  outOfRange: 'a number outside its range',
} as const satisfies Readonly<Record<keyof typeof violations, string>>
