/** A card as the payer entered or chose it, checked as the page checks it. Chapter 30 §7.3, §7.5. */

import { cardFacts, type Expiry, luhnValid } from '#domain/card.ts'
import { errors, violations } from '#domain/errors.ts'
import { isMoto } from '#domain/payment/moto.ts'
import type { Secret } from '#domain/secret.ts'
import type { Configuration } from '../../../contracts/ports.ts'
import { invalid, RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionRecord } from '../../../contracts/session-records.ts'
import type { SavedCard } from '../../../payments/methods/saved-card.ts'
import type { OfferedMethod } from '../../../payments/sessions/offer.ts'
import type { PaidWith } from '../../../payments/sessions/session-payment.ts'
import { codeLength, networksOf } from '../session/networks.ts'

type Session = Pick<SessionRecord, 'operation' | 'request'>

/** In the chapter's order: an unsupported network is reported before a wrong check digit. */
export function checkNumber(
  number: Secret<string>,
  param: string,
  method: OfferedMethod,
  configuration: Pick<Configuration, 'brandEnabled'>,
): void {
  const { network } = cardFacts(number.reveal())
  if (network === undefined || !networksOf(method, configuration).includes(network)) {
    throw new RefusedError(errors.cardBrandRefused)
  }
  checkDigit(number, param)
}

export function checkDigit(number: Secret<string>, param: string): void {
  if (!luhnValid(number.reveal())) throw invalid({ param, text: violations.notValid })
}

/** A payout never has a code; with a MOTO value it is optional. */
export function codeFor(
  session: Session,
  network: string | null | undefined,
  code: Secret<string> | undefined,
  param: string,
): Secret<string> | null {
  if (session.operation === 'credit') return null
  if (!code) {
    if (isMoto(session.request.motoType)) return null
    throw invalid({ param, text: violations.blank })
  }
  if (code.reveal().length !== codeLength(network)) throw invalid({ param, text: violations.notValid })
  return code
}

/** Accepts only tokens of the session. A payout asks for the expiry date that the card has. */
export function savedCardPaid(
  session: Session,
  cards: readonly SavedCard[],
  token: string,
  entry: { readonly code: Secret<string> | undefined; readonly expiry: Expiry | undefined },
): PaidWith {
  const found = cards.find(({ saved }) => saved.token === token)
  if (!found) throw new RefusedError(errors.cardTokenUnknown)
  if (found.isExpired) throw new RefusedError(errors.cardTokenExpired)
  const { network, expiryMonth, expiryYear } = found.card
  if (session.operation === 'credit') {
    if (!entry.expiry) throw invalid({ param: 'expiry', text: violations.blank })
    const isOther = expiryMonth !== null && (entry.expiry.month !== expiryMonth || entry.expiry.year !== expiryYear)
    if (isOther) throw invalid({ param: 'expiry', text: violations.notValid })
  }
  return { kind: 'saved', token, code: codeFor(session, network, entry.code, 'cvv') }
}
