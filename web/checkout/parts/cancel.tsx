/** Goes back to the shop, after a question: one press must not lose what the payer has typed. Chapter 30 §7.2, §7.8. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { cancelPayment, isAskingToCancel, mayCancel } from '../state/cancel.ts'
import { session } from '../state/session.ts'
import { say } from '../state/texts.ts'

/** Hidden during an attempt; shown even if no method works on this device. */
export function Cancel(): JSX.Element | null {
  if (!session.value?.cancel_url || !mayCancel()) return null
  return (
    <>
      <button type="button" class="link" onClick={() => (isAskingToCancel.value = true)}>
        {say('cancel')}
      </button>
      {isAskingToCancel.value && <CancelQuestion />}
    </>
  )
}

function CancelQuestion(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const stay = (): void => {
    isAskingToCancel.value = false
  }
  return (
    // The browser keeps the focus inside, closes it with Escape, and gives the focus back.
    <dialog ref={dialog} class="question" aria-labelledby="cancel-title" onClose={stay}>
      <h2 id="cancel-title">{say('cancelTitle')}</h2>
      <p>{say('cancelMessage', { merchant: session.value?.branding.merchant ?? '' })}</p>
      <button type="button" class="button" onClick={() => dialog.current?.close()}>
        {say('keepPaying')}
      </button>
      <button type="button" class="button second" onClick={() => void cancelPayment()}>
        {say('cancel')}
      </button>
    </dialog>
  )
}
