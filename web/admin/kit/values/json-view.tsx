/** Free-form data as it is, indented, with a button that copies it. */
import type { JSX } from 'preact'
import { CopyButton } from '../copy-button.tsx'

export interface JsonViewProps {
  readonly value: unknown
  /** What it is; read out, and the name of its button. */
  readonly label: string
}

export function JsonView({ value, label }: JsonViewProps): JSX.Element {
  const text = typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2)
  return (
    <div class="json">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section aria-label={label} tabIndex={0}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={text ?? ''} label={`Copy: ${label}`} />
    </div>
  )
}

/** A text that holds JSON is laid out; any other is left as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
