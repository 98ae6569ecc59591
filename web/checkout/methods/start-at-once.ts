/** A single method that leads away, with nothing to ask and nothing to accept, starts by itself, once. Chapter 30 §3.7, rule 6. */
import { asked, listedMethods, missingTick, phase, session } from '../state/session.ts'
import { submit } from '../state/submit.ts'

export async function startAtOnce(): Promise<void> {
  const current = session.value
  const [only] = listedMethods.value
  if (!current || !only || current.methods.length > 1 || only.kind !== 'redirect') return
  // A payer who comes back from a decline chooses anew.
  if (phase.value.at !== 'ready' || current.declines.count > 0) return
  if (asked.value.length > 0 || (only.terms && current.terms) || missingTick.value !== null) return
  await submit()
}
