/**
 * Every refusal of the interface, with the interface's texts.
 *
 * Clients compare messages, so punctuation is copied and never corrected. 101000 belongs to look-ups of a
 * transaction, a payment or an order; every other entity keeps 100000 with its own message. The codes 208001, 208007, 204016,
 * 204017 and 204019 to 204024 are not used. Chapter 10 §10, chapter 20 §17, chapter 30 §10, chapter 40 §19.
 */
export interface Refusal {
  readonly http: number
  readonly code: number
  readonly message: string
}

const refusal = (http: number, code: number, message: string): Refusal => Object.freeze({ http, code, message })

// biome-ignore format: a table is read in columns.
export const errors = {
  // The request itself.
  requestInvalid:          refusal(400, 100000, 'Request data is invalid.'),
  routeNotSupported:       refusal(404, 100000, 'Route or parameters is not supported'),
  methodNotAllowed:        refusal(405, 100000, 'Route or parameters is not supported'),
  protocolMappingNotFound: refusal(400, 100000, 'Protocol mapping not found.'),
  ipNotAllowed:            refusal(403, 100000, 'IP address is not allowed.'),
  requestTimeout:          refusal(408, 100000, 'Request data is invalid.'),
  requestTooLarge:         refusal(413, 100000, 'Request is too large.'),
  headersTooLarge:         refusal(431, 100000, 'Request is too large.'),
  tooManyRequests:         refusal(429, 100000, 'Too many requests.'),
  internalError:           refusal(500, 100000, 'Internal error.'),
  temporarilyUnavailable:  refusal(503, 100000, 'Internal error.'),
  overloaded:              refusal(503, 100000, 'Service is overloaded. Nothing was done. Repeat the request after the seconds in Retry-After.'),
  inRecovery:              refusal(503, 100000, 'Service is paused. Nothing was done. Repeat the request after the seconds in Retry-After.'),
  noEventsFeed:            refusal(501, 100000, 'This service has no events feed. Rely on callbacks, and request the status of a payment whose callback is missing.'),
  useTestKey:              refusal(400, 220002, 'Use merchant test key.'),
  payoutsOff:              refusal(400, 100000, 'Payouts are switched off for this protocol. Ask the operator to switch them on.'),

  // Repeated requests and orders.
  idempotencyKeyReused:    refusal(409, 100000, 'Idempotency key was used with other parameters.'),
  duplicateRequest:        refusal(409, 400,    'Duplicate request.'),
  requestReplayed:         refusal(409, 400,    'Signed request was used before.'),
  previousPaymentOpen:     refusal(400, 100000, 'Previous payment not completed.'),
  previousTransactionOpen: refusal(400, 100000, 'Previous transaction not completed.'),

  // Unknown entities.
  transactionDoesNotExist: refusal(400, 101000, 'Transaction does not exist.'),
  paymentDoesNotExist:     refusal(400, 101000, 'Payment does not exist.'),
  orderDoesNotExist:       refusal(400, 101000, 'Order does not exist.'),
  paymentNotFound:         refusal(400, 100000, 'Payment not found.'),
  scheduleNotFound:        refusal(400, 100000, 'Schedule not found'),
  incorrectTransaction:    refusal(400, 100000, 'Incorrect transaction'),

  // Commands that the payment's state does not permit.
  notIn3ds:                refusal(400, 208002, 'Not acceptable to request the 3ds for payment not in 3ds status.'),
  captureNotPending:       refusal(400, 208003, 'Not acceptable to request the capture for payment not in pending status.'),
  captureTooMuch:          refusal(400, 208004, 'Not acceptable to request the capture for amount bigger than auth amount.'),
  refundNotAllowed:        refusal(400, 208005, 'Refund is not allowed'),
  refundTooMuch:           refusal(400, 208006, 'Not acceptable to request the refund for amount bigger than payment amount.'),
  reversalTooMuch:         refusal(400, 208008, 'Not acceptable to request the reversal for amount bigger than payment amount.'),
  reversalPartial:         refusal(400, 208009, 'Not acceptable to request the reversal for partial amount.'),
  chargebackTooMuch:       refusal(400, 208010, "Not acceptable to request the chargeback for amount bigger than payment's amount."),
  voidNotAllowed:          refusal(400, 100000, 'Void is not allowed.'),
  retryNotAllowed:         refusal(400, 100000, 'Retry is not allowed.'),
  cannotBeCompleted:       refusal(400, 100000, 'Payment can not be completed.'),
  schedulePaused:          refusal(400, 100000, 'Schedule is paused.'),
  scheduleNotPaused:       refusal(400, 100000, 'Schedule is not paused.'),

  // No MID that can take the payment.
  noMid:                   refusal(400, 204002, 'Enabled merchant mappings or MIDs not found.'),
  typeNotSupported:        refusal(400, 204003, 'Payment type not supported.'),
  methodNotSupported:      refusal(400, 204004, 'Payment method not supported.'),
  actionNotSupported:      refusal(400, 204005, 'Payment action not supported.'),
  brandNotSupported:       refusal(400, 204006, 'Payment system/brand not supported.'),
  dayMidLimit:             refusal(400, 204007, 'Day MID limit is not set or exceeded.'),
  dayMappingLimit:         refusal(400, 204008, 'Day Merchant mapping limit is not set or exceeded.'),
  typeNotFound:            refusal(400, 204009, 'Payment type not found.'),
  methodNotFound:          refusal(400, 204010, 'Payment method not found.'),
  brandNotFound:           refusal(400, 204011, 'Payment system/brand not found.'),
  currencyNotFound:        refusal(400, 204012, 'Payment currency not found.'),
  actionNotFound:          refusal(400, 204013, 'Payment action not found.'),
  monthMidLimit:           refusal(400, 204014, 'Month MID limit is exceeded.'),
  weekMappingLimit:        refusal(400, 204015, 'Week Merchant mapping limit is exceeded.'),
  walletNotSupported:      refusal(400, 204018, 'Payment digital wallet not supported'),
  motoNotSupported:        refusal(400, 204025, 'MOTO payments are not supported.'),

  // Saved cards.
  cardTokenUnknown:        refusal(400, 205005, 'Card token is invalid or not found.'),
  cardTokenExpired:        refusal(400, 205006, 'Card token is expired.'),
  cardTokenForeign:        refusal(400, 205007, 'Card token is not accessible.'),

  // Wallet tokens.
  noCardFlow:              refusal(400, 250002, 'Payment token can not be processed in card flow.'),
  walletTokenExpired:      refusal(400, 250003, 'The payment token signature has expired'),
  walletTokenMismatch:     refusal(400, 250004, 'Payment token does not match the order.'),
  walletSessionUnavailable: refusal(502, 100000, 'Wallet session is not available.'),

  // Checkout and Hosted Payment Fields.
  checkoutInvalid:         refusal(400, 0,      'Request data is invalid.'),
  sizeOutOfRange:          refusal(400, 100000, 'size should be within 1..100'),
  sessionNotUpdatable:     refusal(400, 100000, 'Session can not be updated'),
  sessionUpdateUnproved:   refusal(403, 100000, "Session update must be signed, or sent from an address on the merchant's list."),
  noAcceptableMethods:     refusal(400, 100000, 'Not found acceptable methods'),
  sessionTokenInvalid:     refusal(401, 100000, 'Session token is not valid.'),
  sessionTokenForbidden:   refusal(403, 100000, 'Session token is not valid.'),
  operationMismatch:       refusal(400, 100000, 'Operation does not match the session.'),
  amountChanged:           refusal(409, 100000, 'Amount or currency is not that of the session.'),
  cardDataMissing:         refusal(400, 100000, 'Card data is not collected.'),
  sessionComplete:         refusal(400, 100000, 'Session is complete.'),
  cardBrandRefused:        refusal(400, 100000, 'Bad Request. Brand of card does not support.'),
} as const satisfies Record<string, Refusal>

/** Texts of validation rows: `<param>: <text>`, always with code 100000. Chapter 10 §10.2, chapter 30 §3.5. */
// biome-ignore format: a table is read in columns.
export const violations = {
  blank:         'This value should not be blank.',
  notValid:      'This value is not valid.',
  notPositive:   'This value should be greater than 0.',
  notUrl:        'This value is not a valid URL.',
  notEmail:      'This value is not a valid email address.',
  notChoice:     'The value you selected is not a valid choice.',
  notCorrect:    'This value is not correct.',
  hash:          'Hash is not valid.',
  unsigned:      'This request must be signed.',
  signature:     'Signature is not valid.',
  tooOld:        (seconds: number) => `This time is more than ${seconds} seconds ago.`,
  tooFarAhead:   (seconds: number) => `This time is more than ${seconds} seconds ahead.`,
  duplicate:     'Duplicate payment.',
  ownIdentifier: 'This value must not begin with an identifier of a payment, transaction or session.',
  delaysRetired: 'Parameter is deprecated. Use delayed_first_payment and the first_payment_* parameters instead.',
  notJson:       'This value is not valid JSON.',
  notExpected:   'This field was not expected.',
  sessionHas:    (value: string) => `The session has ${value}.`,
  barePercent:   'A percent sign must be followed by two hexadecimal digits.',
  tooLong:       (limit: number) => `This value is too long. It should have ${limit} characters or less.`,
  tooShort:      (limit: number) => `This value is too short. It should have ${limit} characters or more.`,
  wrongType:     (type: 'boolean' | 'integer' | 'string' | 'array' | 'object') => `This value should be of type ${type}.`,
  lengthBetween: (low: number, high: number) => `This value should have ${low} to ${high} characters.`,
  outOfRange:    (low: number, high: number) => `This value should be between ${low} and ${high}.`,
} as const

/** One row of `errors[]`: the parameter's name as sent, or none when the text stands alone. */
export interface Violation {
  readonly param: string | null
  readonly text: string
}
