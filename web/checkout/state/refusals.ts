/** What a refusal of the server means for the payer. Chapter 30 §10. */
import type { TextKey } from './texts.ts'

/** The session's amount is no longer the one that the page showed. */
export const saysOtherAmount = (message: string): boolean =>
  message === 'Amount or currency is not that of the session.'

const refusedTokens = [250003, 250004]
export const unsupportedWallet = 204018

export function noticeOf(http: number, code: number, message: string): TextKey {
  if (http === 429) return 'tooMany'
  if (refusedTokens.includes(code)) return 'confirmAgain'
  // The merchant accepts one payment for an order, and another session has begun it.
  if (message === 'Previous payment not completed.') return 'orderOpen'
  return message.startsWith('Bad Request. Brand of card') ? 'wrongNetwork' : 'refused'
}

/** The form has one field for the expiry and one for the code, whether the card is typed or saved. */
export const fieldOfPath = (path: string): string => (path === 'expiry' || path === 'cvv' ? `card.${path}` : path)

export const complaintOf = (path: string): TextKey => complaints[path] ?? 'wrongValue'

const complaints: Readonly<Record<string, TextKey>> = {
  terms: 'termsNeeded',
  consent: 'consentNeeded',
  expiry: 'wrongExpiry',
  cvv: 'wrongCode',
}
