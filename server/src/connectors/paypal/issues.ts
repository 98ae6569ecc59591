/**
 * PayPal's issues: why it did not do what it was asked (status 422). By its lists of Orders v2 and Payments v2 errors.
 *
 * An issue that says "it is done already" or "it is being done" leaves the outcome open: an earlier request with our number may have done it.
 * Issues that the table does not name are faults of the request, which PayPal has not executed.
 */
import type { DeclineClass } from '#domain/payment/payment.ts'
import type { Decline } from './declines.ts'

// biome-ignore format: a table is read in columns.
export const declinedIssues: readonly (readonly [issue: string, declineClass: DeclineClass, reason: string])[] = [
  // issue                                    class                      reason
  ['INSTRUMENT_DECLINED',                     'soft',                    'Declined by the issuer'],
  ['PAYMENT_SOURCE_DECLINED_BY_PROCESSOR',    'soft',                    'Declined by the issuer'],
  ['ALIAS_DECLINED_BY_PROCESSOR',             'soft',                    'Declined by the issuer'],
  ['PAYMENT_SOURCE_CANNOT_BE_USED',           'soft',                    'The payment source cannot be used'],
  ['PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED',  'soft',                    'The payment source could not be verified'],
  ['REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',    'soft',                    'The payer must choose another funding source'],
  ['DECLINED_DUE_TO_RELATED_TXN',             'soft',                    'A related transaction was declined'],
  ['TRANSACTION_REFUSED',                     'soft',                    'Refused by PayPal'],
  ['TRANSACTION_LIMIT_EXCEEDED',              'soft',                    'Limit exceeded'],
  ['TRANSACTION_RECEIVING_LIMIT_EXCEEDED',    'soft',                    'Receiving limit exceeded'],
  ['MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED', 'soft',                    'Too many attempts'],
  ['DOMESTIC_TRANSACTION_REQUIRED',           'soft',                    'Only payers of the same country are accepted'],
  ['CARD_BRAND_NOT_SUPPORTED',                'soft',                    'Card brand not supported'],
  ['CARD_EXPIRED',                            'hard',                    'Expired card'],
  ['REFERENCED_CARD_EXPIRED',                 'hard',                    'Expired card'],
  ['INVALID_EXPIRY_DATE',                     'hard',                    'Invalid expiry'],
  ['TOKEN_EXPIRED',                           'hard',                    'The stored card has expired'],
  ['TOKEN_ID_NOT_FOUND',                      'hard',                    'The stored card is not known'],
  ['COMPLIANCE_VIOLATION',                    'hard',                    'Declined by compliance rules'],
  ['PAYER_CANNOT_PAY',                        'hard',                    'The payer cannot pay this merchant'],
  ['PAYER_ACCOUNT_RESTRICTED',                'hard',                    'The account of the payer is restricted'],
  ['PAYER_ACCOUNT_LOCKED_OR_CLOSED',          'hard',                    'The account of the payer is closed'],
  ['PAYEE_BLOCKED_TRANSACTION',               'fraud',                   'Blocked by the fraud rules of the account'],
  ['TRANSACTION_BLOCKED_BY_PAYEE',            'fraud',                   'Blocked by the fraud rules of the account'],
  ['PAYER_ACTION_REQUIRED',                   'authentication_required', 'Authentication required'],
  ['ORDER_EXPIRED',                           'hard',                    'Expired'],
  ['AUTHORIZATION_VOIDED',                    'hard',                    'The authorisation was voided'],
  ['AUTHORIZATION_DENIED',                    'hard',                    'The authorisation was denied'],
  ['AUTHORIZATION_EXPIRED',                   'hard',                    'The authorisation has expired'],
  ['AUTHORIZATION_ALREADY_CAPTURED',          'hard',                    'The authorisation was captured already'],
  ['MAX_CAPTURE_COUNT_EXCEEDED',              'hard',                    'The authorisation was captured too often'],
  ['MAX_CAPTURE_AMOUNT_EXCEEDED',             'hard',                    'The amount exceeds the authorisation'],
  ['AUTH_CAPTURE_CURRENCY_MISMATCH',          'hard',                    'The currency differs from the authorisation'],
  ['PREVIOUSLY_CAPTURED',                     'hard',                    'The authorisation was captured already'],
  ['CANNOT_BE_VOIDED',                        'hard',                    'The authorisation cannot be voided'],
  ['CAPTURE_FULLY_REFUNDED',                  'hard',                    'The capture is refunded already'],
  ['REFUND_CAPTURE_CURRENCY_MISMATCH',        'hard',                    'The currency differs from the capture'],
  ['REFUND_NOT_ALLOWED',                      'hard',                    'The capture cannot be refunded'],
  ['REFUND_TIME_LIMIT_EXCEEDED',              'hard',                    'The time for refunds is over'],
  ['REFUND_AMOUNT_EXCEEDED',                  'hard',                    'The amount exceeds what is left of the capture'],
  ['REFUND_AMOUNT_TOO_LOW',                   'hard',                    'The amount is too low after the conversion'],
  ['REFUND_FAILED_INSUFFICIENT_FUNDS',        'soft',                    'The PayPal account has insufficient funds'],
  ['PARTIAL_REFUND_NOT_ALLOWED',              'hard',                    'A partial refund is not allowed'],
  ['MAX_NUMBER_OF_REFUNDS_EXCEEDED',          'hard',                    'Too many refunds of this capture'],
  ['PENDING_CAPTURE',                         'soft',                    'The capture is still pending'],
  ['REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK',  'hard',                    'The capture is charged back'],
  ['TRANSACTION_DISPUTED',                    'hard',                    'A dispute is open'],
  ['REFUND_IS_RESTRICTED',                    'hard',                    'The refund is restricted to the app that captured'],
]

const declines: ReadonlyMap<string, Decline> = new Map(
  declinedIssues.map(([issue, declineClass, reason]) => [issue, { reason, declineClass }]),
)

const open: ReadonlySet<string> = new Set([
  'DUPLICATE_INVOICE_ID',
  'ORDER_ALREADY_AUTHORIZED',
  'ORDER_ALREADY_CAPTURED',
  'ORDER_COMPLETED_OR_VOIDED',
  'ORDER_COMPLETION_IN_PROGRESS',
  'PREVIOUS_REQUEST_IN_PROGRESS',
])

type IssueMeaning =
  | { readonly kind: 'declined'; readonly decline: Decline }
  | { readonly kind: 'open' }
  | { readonly kind: 'fault' }

export function meaningOf(issue: string): IssueMeaning {
  const decline = declines.get(issue)
  if (decline) return { kind: 'declined', decline }
  return { kind: open.has(issue) ? 'open' : 'fault' }
}
