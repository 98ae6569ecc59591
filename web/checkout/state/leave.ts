/** Leaves the page: automatically where allowed, otherwise by a press of the payer. Chapter 30 §6.3. */
import type { Redirect } from '../page-api.ts'
import { needsPress } from './phase.ts'

/** Whether the page is inside a frame of another page. */
export const isFramed = window.self !== window.top

/** False if the payer has to press. */
export function leave(redirect: Redirect): boolean {
  if (needsPress(redirect, isFramed)) return false
  // Outside a frame, every target except a new window is this window.
  window.location.assign(redirect.url)
  return true
}
