/**
 * Why CyberSource declines ("Transaction response codes", 2026), by what follows from it. The reason is CyberSource's own word. Where it only
 * says that the issuer declined, the code of the card network says more.
 */
import type { DeclineClass } from '#domain/payment/payment.ts'

// biome-ignore format: a table is read in columns.
export const declineReasons: readonly (readonly [reason: string, code: number | null, declineClass: DeclineClass, text: string])[] = [
  // reason                            number  class                      shown to the merchant
  [ 'AVS_FAILED',                      200,    'soft',                    'Address verification failed' ],
  [ 'CONTACT_PROCESSOR',               201,    'soft',                    'Refer to card issuer' ],
  [ 'EXPIRED_CARD',                    202,    'hard',                    'Expired card' ],
  [ 'PROCESSOR_DECLINED',              203,    'soft',                    'Declined by the issuer' ],
  [ 'INSUFFICIENT_FUND',               204,    'soft',                    'Insufficient funds' ],
  [ 'STOLEN_LOST_CARD',                205,    'fraud',                   'Stolen or lost card' ],
  [ 'ISSUER_UNAVAILABLE',              207,    'technical',               'Issuer unavailable' ],
  [ 'UNAUTHORIZED_CARD',               208,    'hard',                    'Inactive card, or not authorised for this kind of payment' ],
  [ 'CVN_NOT_MATCH',                   209,    'soft',                    'Verification code does not match' ],
  [ 'EXCEEDS_CREDIT_LIMIT',            210,    'soft',                    'Credit limit exceeded' ],
  [ 'INVALID_CVN',                     211,    'soft',                    'Invalid verification code' ],
  [ 'BLOCKED_BY_CARDHOLDER',           null,   'hard',                    'Payments of this merchant were stopped by the cardholder' ],
  [ 'DECLINED_CHECK',                  220,    'hard',                    'Declined' ],
  [ 'BLACKLISTED_CUSTOMER',            221,    'fraud',                   'Payer is on the negative list' ],
  [ 'SUSPENDED_ACCOUNT',               222,    'hard',                    'Account is frozen' ],
  [ 'PAYMENT_REFUSED',                 223,    'soft',                    'Payment refused' ],
  [ 'CV_FAILED',                       230,    'soft',                    'Verification code failed' ],
  [ 'INVALID_ACCOUNT',                 231,    'hard',                    'Invalid account number' ],
  [ 'GENERAL_DECLINE',                 233,    'soft',                    'General decline by the processor' ],
  [ 'INVALID_MERCHANT_CONFIGURATION',  234,    'technical',               'The acquirer account is not configured for this payment' ],
  [ 'PROCESSOR_ERROR',                 null,   'technical',               'Processor error' ],
  [ 'PROCESSOR_TIMEOUT',               null,   'technical',               'Processor time-out' ],
  [ 'DAGGREJECTED',                    null,   'technical',               'Declined by the acquirer' ],
  [ 'DAGGDENIED',                      null,   'technical',               'Declined by the acquirer' ],
  [ 'DSYSREJECTED',                    null,   'technical',               'Declined by the acquirer' ],
  [ 'ACH_VERIFICATION_FAILED',         null,   'hard',                    'Account verification failed' ],
  [ 'ALLOWABLE_PIN_RETRIES_EXCEEDED',  null,   'soft',                    'Too many PIN attempts' ],
  [ 'SCORE_EXCEEDS_THRESHOLD',         400,    'fraud',                   'Declined by the risk rules' ],
  [ 'CONSUMER_AUTHENTICATION_REQUIRED', 478,   'authentication_required', 'Authentication required' ],
  [ 'PENDING_AUTHENTICATION',          475,    'authentication_required', 'Authentication required' ],
  [ 'CONSUMER_AUTHENTICATION_FAILED',  476,    'hard',                    'Authentication failed' ],
  [ 'DECISION_PROFILE_REVIEW',         480,    'fraud',                   'Held for review by the risk rules' ],
  [ 'DECISION_PROFILE_REJECT',         481,    'fraud',                   'Declined by the risk rules' ],
  [ 'CUSTOMER_WATCHLIST_MATCH',        700,    'fraud',                   'Payer is on a sanctions list' ],
  [ 'ADDRESS_COUNTRY_WATCHLIST_MATCH', 701,    'fraud',                   'Country is on a sanctions list' ],
  [ 'EMAIL_COUNTRY_WATCHLIST_MATCH',   702,    'fraud',                   'Country is on a sanctions list' ],
  [ 'IP_COUNTRY_WATCHLIST_MATCH',      703,    'fraud',                   'Country is on a sanctions list' ],
]

/** Codes of the networks, as Visa Platform Connect passes them on. Other processors have codes of their own, which say nothing here. */
// biome-ignore format: a table is read in columns.
const networkCodes: readonly (readonly [DeclineClass, string])[] = [
  [ 'hard',                    '12 14 15 46 54 57 62 78 82 93 N4 R0 R1 R2 R3' ],
  [ 'fraud',                   '04 07 41 43 59 63' ],
  [ 'technical',               '03 06 19 30 58 81 88 91 92 94 96' ],
  [ 'authentication_required', '1A 70' ],
]

const byReason = new Map(declineReasons.map(([reason, , declineClass, text]) => [reason, { declineClass, text }]))
const reasonByNumber = new Map(
  declineReasons.flatMap(([reason, number]) => (number === null ? [] : [[number, reason] as const])),
)
const byNetworkCode: ReadonlyMap<string, DeclineClass> = new Map(
  networkCodes.flatMap(([declineClass, codes]) => codes.split(' ').map((code) => [code, declineClass] as const)),
)

interface Decline {
  readonly reason: string
  readonly declineClass: DeclineClass
}

/** CyberSource says no more than that the issuer or processor declined. */
const unspecific: ReadonlySet<string> = new Set(['PROCESSOR_DECLINED', 'GENERAL_DECLINE', 'PAYMENT_REFUSED'])

export function declineOf(reason: string | undefined, networkCode: string | undefined): Decline {
  const { declineClass = 'unknown', text = 'Declined' } = byReason.get(reason ?? '') ?? {}
  const byNetwork = unspecific.has(reason ?? '') ? byNetworkCode.get(networkCode ?? '') : undefined
  return { reason: text, declineClass: byNetwork ?? declineClass }
}

/** Transaction Search tells the number in place of the word. */
export const reasonOfNumber = (number: number): string | undefined => reasonByNumber.get(number)

/** The issuer approved, and CyberSource did not: the hold stands until it is reversed. */
export const leavesHold: ReadonlySet<string> = new Set([
  'AVS_FAILED',
  'CV_FAILED',
  'SCORE_EXCEEDS_THRESHOLD',
  'DECISION_PROFILE_REVIEW',
  'DECISION_PROFILE_REJECT',
])
