/** The issuer's page in a frame over the page. Chapter 30 §7.2, confirm. */
import { refreshConfirmation } from './cancel.ts'
import { enterPhase } from './checkout.ts'
import { isFramed } from './leave.ts'
import { needsPress } from './phase.ts'
import { phase } from './session.ts'

const loadMs = 8000

/** Follows the frame until it is closed. Its messages are only hints: what counts is the server's answer. */
export function watchFrame(frame: HTMLIFrameElement): () => void {
  const late = setTimeout(() => void openInWindow(), loadMs)
  const onMessage = ({ source, data }: MessageEvent): void => {
    if (data === 'challenge shown' && source === frame.contentWindow) clearTimeout(late)
    if (data === 'challenge ended') void endFrame()
  }
  window.addEventListener('message', onMessage)
  return () => {
    clearTimeout(late)
    window.removeEventListener('message', onMessage)
  }
}

/** The same challenge in the whole window: the issuer's page did not appear in the frame, or the payer prefers it. */
export async function openInWindow(): Promise<void> {
  await refreshConfirmation()
  const now = phase.value
  if (now.at !== 'confirm') return
  const { redirect } = now
  enterPhase(redirect && !needsPress(redirect, isFramed) ? { at: 'away', redirect } : { ...now, frame: null })
}

/** The payer is back from the issuer. If another confirmation follows, the page offers it. */
async function endFrame(): Promise<void> {
  await refreshConfirmation()
  closeFrame()
}

export function closeFrame(): void {
  const now = phase.value
  if (now.at === 'confirm') enterPhase({ ...now, frame: null })
}
