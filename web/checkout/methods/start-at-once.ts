/**
 * Starts a single redirect method automatically, once, if it asks for no fields and nothing has to be accepted. Chapter 30 §3.7, rule 6.
 */
import { listedMethods, missingTick, phase, session, shownFields } from '../state/session.ts'
import { submit } from '../state/submit.ts'

export async function startAtOnce(): Promise<void> {
  const current = session.value
  const [only] = listedMethods.value
  if (!current || !only || current.methods.length > 1 || only.kind !== 'redirect') return
  // After a decline the payer chooses again.
  if (phase.value.at !== 'ready' || current.declines.count > 0) return
  if (shownFields.value.length > 0 || (only.terms && current.terms) || missingTick.value !== null) return
  await submit()
}
