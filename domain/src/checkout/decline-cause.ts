/**
 * The reason of a decline as a payer reads it: no more than helps to decide what to do next.
 *
 * It is derived from the class and the reason that are stored with the payment. A lost or stolen card and suspected fraud read like any
 * refusal of the issuer, because the person at the page may not be the cardholder. Only reasons that are listed here are told apart, so
 * that a reason which an acquirer adds reveals nothing.
 */
import type { DeclineClass } from '../payment/payment.ts'

// biome-ignore format: a table is read in columns.
export type DeclineCause =
  | 'general'         // perhaps a typing mistake
  | 'funds'           // not enough money
  | 'expiredCard'
  | 'issuer'          // the issuer refuses, for whatever reason
  | 'otherCard'       // this card cannot pay
  | 'authentication'  // the issuer could not authenticate the payer
  | 'technical'
  | 'late' // the payer did not confirm in time

export function declineCause(declineClass: DeclineClass | null, reason: string | null): DeclineCause {
  const text = reason ?? ''
  if (text === 'Expired') return 'late'
  if (confidential.test(text)) return 'issuer'
  const { always, otherwise } = declineClass === null ? unclassified : ofClass[declineClass]
  const [, cause] = causes.find(([pattern]) => pattern.test(text)) ?? []
  return always ?? cause ?? otherwise
}

interface CauseOfClass {
  /** Whatever the reason says; null if the reason decides. */
  readonly always: DeclineCause | null
  readonly otherwise: DeclineCause
}

const unclassified: CauseOfClass = { always: null, otherwise: 'general' }

// biome-ignore format: a table is read in columns.
const ofClass: Readonly<Record<DeclineClass, CauseOfClass>> = {
  soft:                    unclassified,
  hard:                    { always: null,              otherwise: 'otherCard' },
  authentication_required: { always: 'authentication',  otherwise: 'authentication' },
  fraud:                   { always: 'issuer',          otherwise: 'issuer' },
  technical:               { always: 'technical',       otherwise: 'technical' },
  unknown:                 unclassified,
}

/**
 * Whether the same card may be used again. It depends on the cause alone, so that it reveals no more than the text. After a refusal of the
 * issuer it may not: the cause covers cards that the networks forbid to try again.
 */
export const mayRetrySameCard = (cause: DeclineCause): boolean => isCardUsable[cause]

const isCardUsable: Readonly<Record<DeclineCause, boolean>> = {
  general: true,
  funds: true,
  expiredCard: false,
  issuer: false,
  otherCard: false,
  authentication: true,
  technical: true,
  late: true,
}

/** Connectors classify some of these as hard, because another MID would not help. */
const confidential =
  /lost.?card|stolen|pick.?up|fraud|counterfeit|\brisk\b|security violation|blocked card|account blocked|restricted|black.?list|negative list|watch.?list|sanction|special condition|compliance|violation of law|frozen/i

/** In the words of the connectors' tables and of the acquirers that send their own. */
// biome-ignore format: a table is read in columns.
const causes: readonly (readonly [RegExp, DeclineCause])[] = [
  [ /insufficient fund|not sufficient fund|not enough balance|credit limit exceeded/i,                            'funds' ],
  [ /expired card|expired funding|card (?:has )?expired/i,                                                        'expiredCard' ],
  [ /authentication failed|authentication error|not authenticated|failed 3ds/i,                                   'authentication' ],
  [ /security code|verification code|cvc|cvv|cvn|card number|account number|expiry|postal code|address/i,         'general' ],
  [ /limit|exceed/i,                                                                                              'otherCard' ],
  [ /do not hono|(?:declined|rejected|refused) by the issuer|issuer (?:declined|could not)|refer|call the issuer/i, 'issuer' ],
  [ /^(?:refused|refused card|payment refused|general decline.*|declined non generic)$/i,                         'issuer' ],
]
