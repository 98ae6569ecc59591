/** Copies a text to the clipboard and confirms it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from './button.tsx'
import { toast } from './toasts.tsx'

const saysSoMs = 1500

interface CopyButtonProps {
  readonly text: string
  /** The accessible name, such as "Copy the key". */
  readonly label: string
}

export function CopyButton({ text, label }: CopyButtonProps): JSX.Element {
  const done = useSignal(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      return toast('The browser blocked copying. Select the text and copy it manually.', 'bad')
    }
    done.value = true
    setTimeout(() => {
      done.value = false
    }, saysSoMs)
  }
  return (
    <Button
      kind="quiet"
      small
      icon={done.value ? 'check' : 'copy'}
      label={done.value ? 'Copied' : label}
      onClick={() => void copy()}
    />
  )
}

interface CopyableProps extends CopyButtonProps {
  /** Show only this many characters; the whole text is copied. */
  readonly first?: number
}

/** A key, an id or an address with a button that copies it. */
export function Copyable({ text, label, first = text.length }: CopyableProps): JSX.Element {
  return (
    <span class="copyable">
      {first < text.length ? <code title={text}>{text.slice(0, first)}…</code> : <code>{text}</code>}
      <CopyButton text={text} label={label} />
    </span>
  )
}
