/** The button that pays. It says what it will do and is pressed once. Chapter 30 §7.1, §7.4. */
import type { JSX } from 'preact'
import { isZero, method, missingTick, payable, phase, session } from '../state/session.ts'
import { say } from '../state/texts.ts'

export function PayButton(): JSX.Element {
  const paying = phase.value.at === 'paying'
  return (
    <button
      type="submit"
      class={paying ? 'button pay paying' : 'button pay'}
      // It stays in the focus order: a press says what is missing.
      aria-disabled={paying || missingTick.value !== null}
      // Left by the press, a field with a mistake would say so and push the button away from under the pointer: no press at all.
      onMouseDown={(event) => event.preventDefault()}
    >
      {paying && <span class="spinner" aria-hidden="true" />}
      <span>{paying ? say('processing') : payText()}</span>
    </button>
  )
}

export function payText(): string {
  const current = session.value
  const amount = payable.value
  if (current?.operation === 'transfer') return amount === null ? say('transferOpen') : say('transfer', { amount })
  if (amount === null) return say('payOpen')
  if (isZero(current?.order.amount ?? null)) return say('confirmCard')
  if (current?.operation === 'credit') return say('receive', { amount })
  if (current?.auth && method.value?.kind === 'card') return say('authorise', { amount })
  return say('pay', { amount })
}
