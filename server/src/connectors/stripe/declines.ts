/**
 * Stripe's reasons for a refused card, in our classes and words.
 *
 * First the decline codes (https://docs.stripe.com/declines/codes), then the error codes of a card error that come without one
 * (https://docs.stripe.com/error-codes). A code that is not listed, such as a new one, has the class `unknown`.
 */
import type { DeclineClass } from '#domain/payment/payment.ts'

interface Decline {
  readonly declineClass: DeclineClass
  readonly reason: string
}

// biome-ignore format: a table is read in columns.
export const declineCodes: readonly (readonly [code: string, declineClass: DeclineClass, reason: string])[] = [
  [ 'authentication_required',                'authentication_required', 'Authentication required' ],
  [ 'approve_with_id',                        'soft',      'The issuer could not authorise the payment' ],
  [ 'call_issuer',                            'soft',      'The issuer declined; the cardholder should call the issuer' ],
  [ 'card_not_supported',                     'hard',      'The card does not support this purchase' ],
  [ 'card_velocity_exceeded',                 'soft',      'The limit of the card is exceeded' ],
  [ 'currency_not_supported',                 'soft',      'The card does not support the currency' ],
  [ 'do_not_honor',                           'soft',      'Do not honour' ],
  [ 'do_not_try_again',                       'hard',      'The issuer declined; do not try again' ],
  [ 'duplicate_transaction',                  'hard',      'Duplicate transaction' ],
  [ 'expired_card',                           'hard',      'Expired card' ],
  [ 'fraudulent',                             'fraud',     'Suspected fraud' ],
  [ 'generic_decline',                        'soft',      'Declined by the issuer' ],
  [ 'incorrect_number',                       'hard',      'Incorrect card number' ],
  [ 'incorrect_cvc',                          'hard',      'Incorrect security code' ],
  [ 'incorrect_pin',                          'hard',      'Incorrect PIN' ],
  [ 'incorrect_zip',                          'hard',      'Incorrect postal code' ],
  [ 'incorrect_address',                      'hard',      'Incorrect address' ],
  [ 'insufficient_funds',                     'soft',      'Insufficient funds' ],
  [ 'invalid_account',                        'hard',      'Invalid account' ],
  [ 'invalid_amount',                         'soft',      'Invalid amount' ],
  [ 'invalid_cvc',                            'hard',      'Invalid security code' ],
  [ 'invalid_expiry_month',                   'hard',      'Invalid expiry month' ],
  [ 'invalid_expiry_year',                    'hard',      'Invalid expiry year' ],
  [ 'invalid_number',                         'hard',      'Invalid card number' ],
  [ 'invalid_pin',                            'hard',      'Invalid PIN' ],
  [ 'issuer_not_available',                   'technical', 'The issuer could not be reached' ],
  [ 'lost_card',                              'fraud',     'Declined by the issuer' ],
  [ 'merchant_blacklist',                     'fraud',     'Declined by the issuer' ],
  [ 'highest_risk_level',                     'fraud',     'Suspected fraud' ],
  [ 'elevated_risk_level',                    'fraud',     'Suspected fraud' ],
  [ 'rule',                                   'fraud',     'Blocked by a rule of the acquirer account' ],
  [ 'previously_declined_do_not_retry',       'hard',      'The issuer declined before; do not try again' ],
  [ 'new_account_information_available',      'hard',      'The card was replaced' ],
  [ 'no_action_taken',                        'soft',      'The issuer could not process the payment' ],
  [ 'not_permitted',                          'hard',      'The payment is not permitted' ],
  [ 'offline_pin_required',                   'hard',      'PIN required' ],
  [ 'online_or_offline_pin_required',         'hard',      'PIN required' ],
  [ 'pickup_card',                            'fraud',     'Declined by the issuer' ],
  [ 'pin_try_exceeded',                       'hard',      'Too many attempts to enter the PIN' ],
  [ 'processing_error',                       'technical', 'Processing error' ],
  [ 'reenter_transaction',                    'technical', 'The issuer could not process the payment' ],
  [ 'restricted_card',                        'hard',      'Restricted card' ],
  [ 'revocation_of_all_authorizations',       'hard',      'The cardholder revoked all authorisations' ],
  [ 'revocation_of_authorization',            'hard',      'The cardholder revoked the authorisation' ],
  [ 'security_violation',                     'hard',      'Security violation' ],
  [ 'service_not_allowed',                    'hard',      'The card does not support this purchase' ],
  [ 'stolen_card',                            'fraud',     'Declined by the issuer' ],
  [ 'stop_payment_order',                     'hard',      'The cardholder stopped the payment' ],
  [ 'testmode_decline',                       'hard',      'A test card was used' ],
  [ 'transaction_not_allowed',                'hard',      'The card does not support this purchase' ],
  [ 'try_again_later',                        'soft',      'The issuer could not process the payment' ],
  [ 'withdrawal_count_limit_exceeded',        'soft',      'The limit of the card is exceeded' ],

  [ 'card_declined',                          'soft',      'Declined by the issuer' ],
  [ 'card_decline_rate_limit_exceeded',       'hard',      'The card was declined too often' ],
  [ 'charge_exceeds_source_limit',            'soft',      'The limit of the card is exceeded' ],
  [ 'charge_exceeds_transaction_limit',       'soft',      'The limit of the acquirer account is exceeded' ],
  [ 'incorrect_postal_code',                  'hard',      'Incorrect postal code' ],
  [ 'invalid_card_type',                      'hard',      'The card type is not supported' ],
  [ 'postal_code_invalid',                    'hard',      'Incorrect postal code' ],
  // The payer did not authenticate, or left the page of the issuer: no other MID may ask him again.
  [ 'payment_intent_authentication_failure',  'hard',      'Authentication failed or cancelled' ],
  [ 'setup_intent_authentication_failure',    'hard',      'Authentication failed or cancelled' ],
  [ 'payment_intent_payment_attempt_expired', 'hard',      'Expired' ],
  [ 'setup_intent_setup_attempt_expired',     'hard',      'Expired' ],
  [ 'payment_intent_payment_attempt_failed',  'soft',      'Declined by the issuer' ],
]

const declines: ReadonlyMap<string, Decline> = new Map(
  declineCodes.map(([code, declineClass, reason]) => [code, { declineClass, reason }]),
)

interface DeclineCodes {
  readonly code?: string | null | undefined
  readonly decline_code?: string | null | undefined
  readonly advice_code?: string | null | undefined
}

/** The decline code says more than the error code, which is usually `card_declined`. */
export function declineOf({ code, decline_code, advice_code }: DeclineCodes): Decline {
  const decline =
    (decline_code && declines.get(decline_code)) || readUnlisted(decline_code) || (code && declines.get(code))
  const found = decline || { declineClass: 'unknown', reason: 'Declined' }
  // The networks fine repeated attempts after this advice.
  return advice_code === 'do_not_try_again' && found.declineClass !== 'fraud'
    ? { ...found, declineClass: 'hard' }
    : found
}

const readUnlisted = (code: string | null | undefined): Decline | null =>
  code ? { declineClass: 'unknown', reason: /^[a-z0-9_]{1,60}$/.test(code) ? `Declined: ${code}` : 'Declined' } : null
