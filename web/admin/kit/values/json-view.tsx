/** Free-form data as indented JSON, with a copy button. */
import type { JSX } from 'preact'
import { CopyButton } from '../copy-button.tsx'

interface JsonViewProps {
  readonly value: unknown
  /** What the data is, for screen readers and for the name of the button. */
  readonly label: string
}

export function JsonView({ value, label }: JsonViewProps): JSX.Element {
  const text = typeof value === 'string' ? formatJson(value) : JSON.stringify(value, null, 2)
  return (
    <div class="json">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={text ?? ''} label={`Copy: ${label}`} />
    </div>
  )
}

/** Indents a text that is JSON; any other text is unchanged. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
