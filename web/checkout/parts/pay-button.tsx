/** The pay button. It shows the amount and works once. Chapter 30 §7.1, §7.4. */
import type { JSX } from 'preact'
import { isZero, method, missingTick, payable, phase, session } from '../state/session.ts'
import { say } from '../state/texts.ts'

export function PayButton(): JSX.Element {
  const paying = phase.value.at === 'paying'
  return (
    <button
      type="submit"
      class={paying ? 'button pay paying' : 'button pay'}
      // Not `disabled`, so that it stays in the focus order: pressing it shows what is missing.
      aria-disabled={paying || missingTick.value !== null}
      aria-busy={paying}
      // Prevents the blur of the current field: its error message would move the button from under the pointer, and the click would be
      // lost.
      onMouseDown={(event) => event.preventDefault()}
    >
      {paying && <span class="spinner" aria-hidden="true" />}
      <span>{paying ? say('processing') : payText()}</span>
    </button>
  )
}

function payText(): string {
  const current = session.value
  const amount = payable.value
  if (current?.operation === 'transfer') return amount === null ? say('transferOpen') : say('transfer', { amount })
  if (amount === null) return say('payOpen')
  if (isZero(current?.order.amount ?? null)) return say('confirmCard')
  if (current?.operation === 'credit') return say('receive', { amount })
  if (current?.auth && method.value?.kind === 'card') return say('authorise', { amount })
  return say('pay', { amount })
}
