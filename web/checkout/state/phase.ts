/**
 * The states of the page (chapter 30 §7.2) and how the server's answers lead from one to the next.
 *
 * All functions here are pure; `checkout.ts` decides when to ask the server and what to do in each state.
 */
import type { Confirmation, PaymentAnswer, Redirect, SessionState, SessionView, StateAnswer } from '../page-api.ts'
import type { TextKey } from './texts.ts'

export type Phase =
  | { readonly at: 'loading' }
  /** The notice reports something other than an attempt. */
  | { readonly at: 'ready'; readonly notice: TextKey | null }
  | { readonly at: 'paying' }
  /** The payer has to confirm elsewhere, or left there without confirming. */
  | ConfirmPhase
  | { readonly at: 'away'; readonly redirect: Redirect }
  | DeclinedPhase
  | { readonly at: 'unreachable' }
  | { readonly at: 'bad-link' }
  | { readonly at: Ending | Pause; readonly message: string | null; readonly redirect: Redirect | null }

export interface ConfirmPhase extends Confirmation {
  readonly at: 'confirm'
  readonly redirect: Redirect | null
  /** The address that is shown in a frame over the page; null if none is. */
  readonly frame: string | null
  /** The page was opened in a new window. */
  readonly pressed: boolean
  /** `stopping`: the payer wants to pay in another way. `stuck`: that was not possible. */
  readonly attempt: 'open' | 'stopping' | 'stuck'
}

export interface DeclinedPhase {
  readonly at: 'declined'
  readonly message: string | null
  readonly left: number | null
  /** The form still has the card, and only its code is missing. */
  readonly keepsCard: boolean
}

/** States in which this page offers no further attempt. After `closed` the payer may come back. */
type Ending = 'success' | 'complete' | 'limit' | 'expired' | 'closed'
/** States in which paying must wait for the server. */
type Pause = 'busy' | 'waiting' | 'undefined'

/** States in which the page polls the server for the result. */
export function isFollowing(phase: Phase): boolean {
  return phase.at === 'confirm' || pauses.some((pause) => pause === phase.at)
}

const pauses: readonly Pause[] = ['busy', 'waiting', 'undefined']

export function redirectOf(phase: Phase): Redirect | null {
  switch (phase.at) {
    case 'loading':
    case 'ready':
    case 'paying':
    case 'declined':
    case 'unreachable':
    case 'bad-link':
      return null
    default:
      return phase.redirect
  }
}

/** What the server says about the state, in the payer's language. */
export function messageOf(phase: Phase): string | null {
  switch (phase.at) {
    case 'loading':
    case 'ready':
    case 'paying':
    case 'confirm':
    case 'away':
    case 'unreachable':
    case 'bad-link':
      return null
    default:
      return phase.message
  }
}

/** States in which the payer may fill in the form. */
export const isOpen = ({ at }: Phase): boolean => at === 'ready' || at === 'declined'

export function phaseOfSession(session: SessionView): Phase {
  const { state, redirect, confirmation, decline_message: message, declines } = session
  if (state === 'ready') return { at: 'ready', notice: null }
  if (state === 'declined')
    return { at: 'declined', message, left: Math.max(0, declines.max - declines.count), keepsCard: false }
  return state === 'away' ? confirmPhase(redirect, confirmation) : { at: state, message, redirect }
}

const confirmPhase = (redirect: Redirect | null, confirmation: Confirmation | null): ConfirmPhase => ({
  at: 'confirm',
  redirect,
  where: confirmation?.where ?? 'bank',
  leave: confirmation?.leave ?? null,
  frame: null,
  pressed: false,
  attempt: 'open',
})

const frameAddress = ({ url }: Redirect): string => `${url}${url.includes('?') ? '&' : '?'}frame=1`

/** The payer confirms over the form, so that the form is still filled in. */
export const showsFrame = (phase: Phase): boolean => phase.at === 'confirm' && phase.frame !== null

/** `framed`: whether the page is inside a frame. */
export function phaseOfPayment(answer: PaymentAnswer, framed: boolean): Phase {
  const { result, redirect, confirmation, decline_message: message, declines_left: left, same_card: keepsCard } = answer
  switch (result) {
    case 'decline':
      return left === 0 ? { at: 'limit', message, redirect } : { at: 'declined', message, left, keepsCard }
    case 'redirect':
      if (redirect === null) return { at: 'waiting', message, redirect }
      // Inside a merchant's frame there may be too little room for another one.
      if (redirect.frame && !framed) return { ...confirmPhase(redirect, confirmation), frame: frameAddress(redirect) }
      return needsPress(redirect, framed) ? confirmPhase(redirect, confirmation) : { at: 'away', redirect }
    case 'success':
    case 'waiting':
    case 'undefined':
      return { at: result, message, redirect }
  }
}

/** A payment that is still open must not move the payer away from where it is being made. */
export function phaseAfterState(now: Phase, answer: StateAnswer): Phase {
  const { state, redirect, confirmation, decline_message: message, declines_left: left } = answer
  if (state === 'busy' && isFollowing(now) && now.at !== 'confirm') return now
  if (state === 'away') {
    const open = confirmPhase(redirect, confirmation)
    return now.at === 'confirm' ? { ...open, frame: now.frame, pressed: now.pressed, attempt: now.attempt } : open
  }
  if (state === 'ready') return isOpen(now) ? now : { at: 'ready', notice: null }
  if (state === 'declined')
    return isOpen(now) ? now : { at: 'declined', message, left, keepsCard: showsFrame(now) && answer.same_card }
  // If the payment was being followed here, `complete` means that it has just succeeded, not that it had been paid before.
  const at = state === 'complete' && (isFollowing(now) || now.at === 'paying') ? 'success' : state
  return { at, message, redirect }
}

/**
 * Inside a frame, the payer must open targets outside of it; a new window always needs a press, because browsers block it otherwise.
 * Chapter 30 §6.3.
 */
export function needsPress({ target }: Redirect, framed: boolean): boolean {
  return target === '_blank' || (framed && target !== '_self')
}

/** How long a state is shown before the page leads on. Chapter 30 §7.2. */
export function secondsShown(at: Phase['at']): number | null {
  if (at === 'success') return 3
  return at === 'limit' || at === 'expired' ? 5 : null
}

export const isState = (text: unknown): text is SessionState => states.some((state) => state === text)

const states: readonly SessionState[] = [
  'ready',
  'declined',
  'busy',
  'away',
  'waiting',
  'undefined',
  'limit',
  'expired',
  'complete',
]
