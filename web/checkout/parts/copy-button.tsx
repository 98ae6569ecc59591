/** Copies a value that the payer needs in another program. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { announce } from '../state/announce.ts'
import { say } from '../state/texts.ts'

/** Not shown on plain HTTP, where browsers give no access to the clipboard: the value can be selected there. */
export function CopyButton({ name, text }: { readonly name: string; readonly text: string }): JSX.Element | null {
  const done = useSignal(false)
  if (!isSecureContext) return null
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    done.value = true
    announce(say('copied'))
  }
  return (
    <button
      type="button"
      class="copy"
      aria-label={`${say('copy')}: ${name}`}
      onClick={() => void copy().catch(() => undefined)}
    >
      {say(done.value ? 'copied' : 'copy')}
    </button>
  )
}
