/** The order's description. A long one is cut, because the form must stay in view; the payer can open it. Chapter 30 §7.1. */
import type { JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { say } from '../state/texts.ts'

export function Description({ text }: { readonly text: string }): JSX.Element {
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOpened, setOpened] = useState(false)
  useLayoutEffect(() => {
    const shown = paragraph.current
    // Measured, because the width of the window and the font decide how many lines a text has.
    if (shown && !isOpened) setLong(shown.scrollHeight > shown.clientHeight + 1)
  }, [text, isOpened])
  return (
    <>
      <p id="description" class={isOpened ? 'description' : 'description cut'} ref={paragraph}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          class="more"
          aria-expanded={isOpened}
          aria-controls="description"
          onClick={() => setOpened(!isOpened)}
        >
          {say(isOpened ? 'showLess' : 'showMore')}
        </button>
      )}
    </>
  )
}
