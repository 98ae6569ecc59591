/**
 * Why a cascade ended: a closed list, stored with the payment of the last attempt, and the sentence for people.
 * Chapter 10 §6.2, chapter 50 §3, §4.
 */

import type { DeclineClass } from '../payment/payment.ts'
import { hourMs } from '../time.ts'
import type { Window } from './budget.ts'
import type { LimitedPeriod } from './limit-use.ts'

/** Holds nothing but JSON. */
export type Ending = { readonly withoutStepUp?: NoStepUp } & (
  | { readonly reason: 'hard-decline'; readonly declineClass: DeclineClass }
  | { readonly reason: 'declined-by-rule' }
  | { readonly reason: 'outcome-unknown' }
  | { readonly reason: 'stays'; readonly because: NoCascadeReason }
  | { readonly reason: 'maximum-reached'; readonly maximum: number }
  | { readonly reason: 'no-mid-left' }
  | { readonly reason: 'mids-fell-out'; readonly mids: readonly SkippedMid[] }
  /** `window` is absent when it had room again by the time it was read. */
  | { readonly reason: 'budget-spent'; readonly network: string; readonly window?: Window }
  | { readonly reason: 'not-authenticated'; readonly because: 'failed' | 'no-answer' }
  | { readonly reason: 'payer-away' }
  | { readonly reason: 'payer-cancelled' }
  | { readonly reason: 'proof-gone' }
  | { readonly reason: 'data-gone' }
  | { readonly reason: 'order-taken' }
  | { readonly reason: 'process-ended' }
)

/** Payments that never cascade to another MID. Chapter 10 §7.7, chapter 20 §5.1, §10, chapter 40 §9. */
export type NoCascadeReason = 'brand' | 'payout' | 'wallet-virtual' | 'wallet-passed-on' | 'retry'

/** Why an attempt was not repeated with 3-D Secure although the issuer demanded authentication. */
export type NoStepUp =
  | 'done-before'
  | 'no-service'
  | 'payer-absent'
  | 'no-number'
  | 'connector'
  | 'not-taking-part'
  | 'no-answer'
  | 'no-room'
  | 'data-gone'

/** A MID of the order that could not take the attempt when it was next in line. */
export interface SkippedMid {
  readonly midName: string
  readonly because: 'switched-off' | 'failing' | LimitedPeriod
}

export function endingSentence({ withoutStepUp, ...ending }: Ending): string {
  const end = endOf(ending)
  return withoutStepUp ? `${noStepUpSentence(withoutStepUp)} ${end}` : end
}

export const noStepUpSentence = (why: NoStepUp): string => `The issuer asked for 3-D Secure, but ${noStepUp[why]}.`

export const skippedSentence = ({ because }: Pick<SkippedMid, 'because'>): string => `It ${skippedTexts[because]}.`

function endOf(ending: Ending): string {
  switch (ending.reason) {
    case 'hard-decline':
      return `No other MID was tried: a decline of class ${ending.declineClass} is final.`
    case 'stays':
      return `No other MID was tried: ${noCascadeTexts[ending.because]}.`
    case 'maximum-reached':
      return `No other MID was tried: ${ending.maximum === 1 ? 'only one' : `at most ${ending.maximum}`} may be.`
    case 'mids-fell-out':
      return `No MID was left: ${ending.mids.map((mid) => `${mid.midName} ${skippedTexts[mid.because]}`).join(', ')}.`
    case 'budget-spent':
      return `No other MID was tried: ${spentSentence(ending)}.`
    case 'not-authenticated':
      return `No other MID was tried: ${notAuthenticated[ending.because]}.`
    default:
      return plain[ending.reason]
  }
}

// biome-ignore format: a table is read in columns.
const plain = {
  'declined-by-rule': 'No acquirer was asked: a rule declined the payment.',
  'outcome-unknown':  'No other MID was tried: the outcome was unknown, and a payment that may have been executed is not repeated.',
  'no-mid-left':      'No other MID was tried: none was left in the order.',
  'payer-away':       'No other MID was tried: the payer did not come back in time.',
  'payer-cancelled':  'No other MID was tried: the payer cancelled the attempt.',
  'proof-gone':       'No other MID was tried: the proof of authentication is not stored, and the charge cannot be repeated without it.',
  'data-gone':        'No other MID was tried: the card data of the charge is no longer stored.',
  'order-taken':      'No other MID was tried: another payment of the same order was made.',
  'process-ended':    'No other MID was tried: the process stopped, and the security code was lost with it.',
} as const

// biome-ignore format: a table is read in columns.
const noCascadeTexts: Readonly<Record<NoCascadeReason, string>> = {
  'brand':            'the brand does not cascade',
  'payout':           'a payout is sent once',
  'wallet-virtual':   'the wallet payment is not in card flow',
  'wallet-passed-on': 'the acquirer does not accept decrypted wallet data',
  'retry':            'a RETRY is made at one MID',
}

// biome-ignore format: a table is read in columns.
const noStepUp: Readonly<Record<NoStepUp, string>> = {
  'done-before':     'it had been tried already',
  'no-service':      'the merchant has no MPI service',
  'payer-absent':    'no payer was present',
  'no-number':       'there is no card number to authenticate',
  'connector':       'the connector does not accept its proof',
  'not-taking-part': 'the card is not enrolled',
  'no-answer':       'the MPI service did not answer',
  'no-room':         'its MID could not take the repeated attempt',
  'data-gone':       'the card data of the charge is no longer stored',
}

const notAuthenticated = {
  failed: 'the issuer did not authenticate the payer',
  'no-answer': 'the MPI service did not answer, so the payer was not authenticated',
} as const

// biome-ignore format: a table is read in columns.
const skippedTexts: Readonly<Record<SkippedMid['because'], string>> = {
  'switched-off': 'was disabled in the meantime',
  'failing':      'was failing',
  'mid day':      'had no room within the day limit of the MID',
  'mid month':    'had no room within the month limit of the MID',
  'mapping day':  'had no room within the day limit of the mapping',
  'mapping week': 'had no room within the week limit of the mapping',
}

function spentSentence({ network, window }: Extract<Ending, { reason: 'budget-spent' }>): string {
  if (!window) return `the card has no try left at ${network}`
  return `the card has used the ${window.tries} tries that ${network} allows within ${lengthOf(window)}`
}

function lengthOf({ withinMs }: Window): string {
  const hours = withinMs / hourMs
  return hours > 24 && hours % 24 === 0 ? `${hours / 24} days` : `${hours} hours`
}
