/** The payer decides otherwise: pays in another way, or goes back to the shop. Chapter 30 §7.2, §7.8. */
import { signal } from '@preact/signals'
import { RefusedCall } from '../call.ts'
import { begin, currentServer, enterPhase } from './checkout.ts'
import { leave } from './leave.ts'
import { isOpen, phaseAfterState } from './phase.ts'
import { forgetAll, phase } from './session.ts'
import { language } from './texts.ts'

/** Whether the page asks if the payment is to be cancelled. */
export const isAskingToCancel = signal(false)

export const mayCancel = (): boolean => isOpen(phase.value) || phase.value.at === 'confirm'

/** Ends the open confirmation and shows the form again. Without effect at the server if the bank's answer came first. */
export async function payAnotherWay(): Promise<void> {
  const server = currentServer()
  const now = phase.value
  if (!server || now.at !== 'confirm' || now.attempt === 'stopping') return
  enterPhase({ ...now, attempt: 'stopping' })
  const answer = await server.cancelStep(language.value.code).catch(() => null)
  if (answer && answer.state !== 'away') return enterPhase(phaseAfterState(now, answer))
  if (phase.value.at === 'confirm') enterPhase({ ...phase.value, attempt: 'stuck', frame: null })
}

/** The session lives on, so that the payer may come back. */
export async function cancelPayment(): Promise<void> {
  const server = currentServer()
  const before = phase.value
  isAskingToCancel.value = false
  if (!server || !mayCancel()) return
  enterPhase(before.at === 'confirm' ? { ...before, attempt: 'stopping' } : { at: 'paying' })
  try {
    const redirect = await server.close()
    forgetAll()
    enterPhase({ at: 'closed', message: null, redirect })
    if (redirect) leave(redirect)
  } catch (error) {
    if (before.at === 'confirm') return enterPhase({ ...before, attempt: 'stuck' })
    if (error instanceof RefusedCall) return begin(server)
    enterPhase({ at: 'ready', notice: 'unreachableTitle' })
  }
}

/** Shows the session as it is now. */
export async function showAgain(): Promise<void> {
  const server = currentServer()
  if (server) await begin(server)
}

/** The payer pressed Continue: the payment goes on in the new window, and this page polls. */
export function handleContinue(): void {
  const now = phase.value
  if (now.at === 'confirm') phase.value = { ...now, pressed: true }
}

/** The payer is back at this window: the link that was used needs a new address. */
export async function refreshConfirmation(): Promise<void> {
  const server = currentServer()
  if (!server || phase.value.at !== 'confirm') return
  const answer = await server.state(0, language.value.code).catch(() => null)
  const now = phase.value
  if (!answer || now.at !== 'confirm') return
  const next = phaseAfterState(now, answer)
  if (next.at === 'confirm') phase.value = next
  else enterPhase(next)
}
