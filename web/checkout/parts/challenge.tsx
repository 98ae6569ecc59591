/** The issuer's page over the page: the payer stays at the shop's order. Chapter 30 §7.2, confirm. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { payAnotherWay } from '../state/cancel.ts'
import { closeFrame, openInWindow, watchFrame } from '../state/challenge.ts'
import { say, type TextKey } from '../state/texts.ts'

interface ChallengeProps {
  readonly address: string
  /** The text of the button that pays in another way. */
  readonly other: TextKey
}

export function Challenge({ address, other }: ChallengeProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const isAsking = useSignal(false)
  useEffect(() => {
    dialog.current?.showModal()
    return frame.current ? watchFrame(frame.current) : undefined
  }, [])
  const ask = (event: Event): void => {
    event.preventDefault()
    isAsking.value = true
  }
  return (
    // The browser keeps the focus inside. It may close the dialog without asking at a second Escape; the page then asks.
    <dialog
      ref={dialog}
      class="question challenge"
      aria-labelledby="challenge-title"
      onCancel={ask}
      onClose={closeFrame}
    >
      <h2 id="challenge-title">{say('confirmTitle')}</h2>
      {isAsking.value && (
        <div role="alertdialog" aria-labelledby="challenge-title" aria-describedby="challenge-question">
          <p id="challenge-question">{say('confirmMessage')}</p>
          <button type="button" class="button" ref={takeFocus} onClick={() => (isAsking.value = false)}>
            {say('keepPaying')}
          </button>
          <button type="button" class="button second" onClick={() => void payAnotherWay()}>
            {say(other)}
          </button>
        </div>
      )}
      <iframe ref={frame} src={address} title={say('confirmTitle')} hidden={isAsking.value} />
      {!isAsking.value && (
        <div class="challenge-ways">
          <button type="button" class="link" onClick={() => void openInWindow()}>
            {say('continueBank')}
          </button>
          <button type="button" class="link" onClick={ask}>
            {say(other)}
          </button>
        </div>
      )}
    </dialog>
  )
}

const takeFocus = (button: HTMLButtonElement | null): void => button?.focus()
