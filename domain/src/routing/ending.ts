/**
 * Why no attempt follows another: a closed list, kept with the payment whose attempt was the last, and the sentence that a person reads.
 * Chapter 10 §6.2, chapter 50 §3, §4.
 */
import type { DeclineClass } from '../payment/payment.ts'
import type { Window } from './budget.ts'
import type { LimitedPeriod } from './limit-use.ts'

/** Holds nothing but JSON. */
export type Ending = { readonly withoutStepUp?: NoStepUp } & (
  | { readonly reason: 'hard-decline'; readonly declineClass: DeclineClass }
  | { readonly reason: 'declined-by-rule' }
  | { readonly reason: 'outcome-unknown' }
  | { readonly reason: 'stays'; readonly because: Stays }
  | { readonly reason: 'maximum-reached'; readonly maximum: number }
  | { readonly reason: 'no-mid-left' }
  | { readonly reason: 'mids-fell-out'; readonly mids: readonly FallenOut[] }
  /** `window` is absent when others freed it before anybody looked. */
  | { readonly reason: 'budget-spent'; readonly network: string; readonly window?: Window }
  | { readonly reason: 'not-authenticated'; readonly because: 'failed' | 'no-answer' }
  | { readonly reason: 'payer-away' }
  | { readonly reason: 'proof-gone' }
  | { readonly reason: 'data-gone' }
  | { readonly reason: 'order-taken' }
  | { readonly reason: 'process-ended' }
)

/** What is tried at one MID, whatever comes of it. Chapter 10 §7.7, chapter 20 §5.1, §10, chapter 40 §9. */
export type Stays = 'brand' | 'payout' | 'wallet-virtual' | 'wallet-passed-on' | 'retry'

/** Why an attempt that the issuer wants authenticated was not repeated with 3-D Secure. */
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

/** A MID of the order that could not take the next attempt when its turn came. */
export interface FallenOut {
  readonly midName: string
  readonly because: 'switched-off' | 'failing' | LimitedPeriod
}

export function endingSentence({ withoutStepUp, ...ending }: Ending): string {
  const end = endOf(ending)
  return withoutStepUp ? `${noStepUpSentence(withoutStepUp)} ${end}` : end
}

export const noStepUpSentence = (why: NoStepUp): string => `The issuer asked for 3-D Secure, but ${noStepUp[why]}.`

export const fallenOutSentence = ({ because }: Pick<FallenOut, 'because'>): string => `It ${fallenOut[because]}.`

function endOf(ending: Ending): string {
  switch (ending.reason) {
    case 'hard-decline':
      return `No other MID was tried: a decline of class ${ending.declineClass} is final.`
    case 'stays':
      return `No other MID was tried: ${stays[ending.because]}.`
    case 'maximum-reached':
      return `No other MID was tried: ${ending.maximum === 1 ? 'only one' : `at most ${ending.maximum}`} may be.`
    case 'mids-fell-out':
      return `No MID was left: ${ending.mids.map((mid) => `${mid.midName} ${fallenOut[mid.because]}`).join(', ')}.`
    case 'budget-spent':
      return `No other MID was tried: ${spent(ending)}.`
    case 'not-authenticated':
      return `No other MID was tried: ${notAuthenticated[ending.because]}.`
    default:
      return plain[ending.reason]
  }
}

// biome-ignore format: a table is read in columns.
const plain = {
  'declined-by-rule': 'No acquirer was asked: a rule declined the payment.',
  'outcome-unknown':  'No other MID was tried: the outcome was not known at once, and what may have been executed is not tried again.',
  'no-mid-left':      'No other MID was tried: none was left in the order.',
  'payer-away':       'No other MID was tried: the payer did not come back in time.',
  'proof-gone':       'No other MID was tried: the proof of the authentication is kept nowhere, and a charge without it would be another one.',
  'data-gone':        'No other MID was tried: what the charge was made with is kept no longer.',
  'order-taken':      'No other MID was tried: another payment of the order came in between.',
  'process-ended':    'No other MID was tried: the process that would have gone on ended, and the verification code with it.',
} as const

// biome-ignore format: a table is read in columns.
const stays: Readonly<Record<Stays, string>> = {
  'brand':            'the brand does not cascade',
  'payout':           'a payout is sent once',
  'wallet-virtual':   'the wallet payment is not in card flow',
  'wallet-passed-on': 'the provider takes no decrypted data of the wallet',
  'retry':            'a RETRY is made at one MID',
}

// biome-ignore format: a table is read in columns.
const noStepUp: Readonly<Record<NoStepUp, string>> = {
  'done-before':     'it had been tried already',
  'no-service':      'the merchant has no MPI service',
  'payer-absent':    'no payer was there to be asked',
  'no-number':       'there is no number that it could vouch for',
  'connector':       'the connector takes no proof of it',
  'not-taking-part': 'the card takes no part in it',
  'no-answer':       'the MPI service did not answer',
  'no-room':         'its MID could not take the repeated attempt',
  'data-gone':       'what the charge was made with is kept no longer',
}

const notAuthenticated = {
  failed: 'the issuer did not authenticate the payer',
  'no-answer': 'the MPI service did not answer, so that nobody authenticated the payer',
} as const

// biome-ignore format: a table is read in columns.
const fallenOut: Readonly<Record<FallenOut['because'], string>> = {
  'switched-off': 'was switched off by then',
  'failing':      'was failing by then',
  'mid day':      'had no room within the day limit of the MID',
  'mid month':    'had no room within the month limit of the MID',
  'mapping day':  'had no room within the day limit of the mapping',
  'mapping week': 'had no room within the week limit of the mapping',
}

function spent({ network, window }: Extract<Ending, { reason: 'budget-spent' }>): string {
  if (!window) return `the card has no try left at ${network}`
  return `the card has had the ${window.tries} tries that ${network} grants within ${lengthOf(window)}`
}

const hourMs = 3_600_000

function lengthOf({ withinMs }: Window): string {
  const hours = withinMs / hourMs
  return hours > 24 && hours % 24 === 0 ? `${hours / 24} days` : `${hours} hours`
}
