/** Leaving the page: by itself where it may, by a press of the payer where it must. Chapter 30 §6.3. */
import type { Redirect } from '../page-api.ts'
import { needsPress } from './phase.ts'

/** A frame that may not look at its parent stands in somebody else's page. */
export const framed = window.self !== window.top

/** False when the payer has to press. */
export function leave(redirect: Redirect): boolean {
  if (needsPress(redirect, framed)) return false
  // Outside a frame every target but a new window is this one.
  window.location.assign(redirect.url)
  return true
}
