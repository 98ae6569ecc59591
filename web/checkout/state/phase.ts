/**
 * Where the payer stands: the states of chapter 30 §7.2, and how the server's answers lead from one to the next.
 *
 * Everything here is a function of what was answered; when to ask, and what to do on arrival, is in `checkout.ts`.
 */
import type { PaymentAnswer, Redirect, SessionState, SessionView, StateAnswer } from '../page-api.ts'
import type { TextKey } from './texts.ts'

export type Phase =
  | { readonly at: 'loading' }
  /** The notice says what became of something that was no attempt. */
  | { readonly at: 'ready'; readonly notice: TextKey | null }
  | { readonly at: 'paying' }
  /** The next page opens by a press of the payer. */
  | { readonly at: 'continue'; readonly redirect: Redirect; readonly pressed: boolean }
  | { readonly at: 'away'; readonly redirect: Redirect }
  | { readonly at: 'declined'; readonly message: string | null; readonly left: number | null }
  | { readonly at: 'unreachable' }
  | { readonly at: 'bad-link' }
  | { readonly at: Ending | Pause; readonly message: string | null; readonly redirect: Redirect | null }

/** Nothing can be paid any more. */
export type Ending = 'success' | 'complete' | 'limit' | 'expired' | 'closed'
/** Nothing can be paid until the server knows more. `elsewhere` is a payment that the payer left open at the bank. */
export type Pause = 'busy' | 'elsewhere' | 'waiting' | 'undefined'

/** States in which the page asks the server what became of the payment. */
export function isFollowing(phase: Phase): boolean {
  return phase.at === 'continue' || pauses.some((pause) => pause === phase.at)
}

const pauses: readonly Pause[] = ['busy', 'elsewhere', 'waiting', 'undefined']

/** States in which the payer may fill in the form. */
export const isOpen = ({ at }: Phase): boolean => at === 'ready' || at === 'declined'

export function phaseOfSession(session: SessionView): Phase {
  const { state, redirect, decline_message: message, declines } = session
  if (state === 'ready') return { at: 'ready', notice: null }
  if (state === 'declined') return { at: 'declined', message, left: Math.max(0, declines.max - declines.count) }
  return { at: state === 'away' ? 'elsewhere' : state, message, redirect }
}

/** `framed` is whether the page stands inside another one. */
export function phaseOfPayment(answer: PaymentAnswer, framed: boolean): Phase {
  const { result, redirect, decline_message: message, declines_left: left } = answer
  switch (result) {
    case 'decline':
      return left === 0 ? { at: 'limit', message, redirect } : { at: 'declined', message, left }
    case 'redirect':
      if (redirect === null) return { at: 'waiting', message, redirect }
      return needsPress(redirect, framed) ? { at: 'continue', redirect, pressed: false } : { at: 'away', redirect }
    case 'success':
    case 'waiting':
    case 'undefined':
      return { at: result, message, redirect }
  }
}

/** What is still open does not take a payer back from the place that it is open in. */
export function phaseAfterState(now: Phase, answer: StateAnswer): Phase {
  const { state, redirect, decline_message: message, declines_left: left } = answer
  if (state === 'busy' && isFollowing(now)) return now
  if (state === 'away') return now.at === 'continue' ? now : { at: 'elsewhere', message, redirect }
  if (state === 'ready') return isOpen(now) ? now : { at: 'ready', notice: null }
  if (state === 'declined') return isOpen(now) ? now : { at: 'declined', message, left }
  // Whoever waited for it here learns that it succeeded, rather than that it had succeeded before.
  const at = state === 'complete' && (isFollowing(now) || now.at === 'paying') ? 'success' : state
  return { at, message, redirect }
}

/**
 * Inside a frame, a target outside it is opened by the payer, and a new window always is: browsers open none by themselves.
 * Chapter 30 §6.3.
 */
export function needsPress({ target }: Redirect, framed: boolean): boolean {
  return target === '_blank' || (framed && target !== '_self')
}

/** How long a state is shown before the payer is taken on. Chapter 30 §7.2. */
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
  'closed',
]
