/** Lines of code with their numbers. They scroll instead of wrapping, so that one long line cannot look like several. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'

interface CodeLinesProps {
  readonly text: string
  /** Lines that the review points out. */
  readonly found: ReadonlySet<number>
  readonly label: string
}

export const CodeLines = ({ text, found, label }: CodeLinesProps): JSX.Element => (
  <ScrollArea label={label}>
    {text.split(/\r\n|\n|\r/).map((line, at) => (
      <span key={at} class={found.has(at + 1) ? 'line found' : 'line'}>
        <span class="number">{at + 1}</span>
        {`${line}\n`}
      </span>
    ))}
  </ScrollArea>
)

type FormCodeView = Answer<'GET /merchants/:merchantId/forms/:form/code'>
type DiffLine = NonNullable<FormCodeView['files'][number]['diff']>[number]

const changeMarks = { same: ' ', added: '+', removed: '-', gap: '⋯' } as const

export const DiffLines = ({
  lines,
  label,
}: {
  readonly lines: readonly DiffLine[]
  readonly label: string
}): JSX.Element => (
  <ScrollArea label={label}>
    {lines.map(({ kind, text, before, after }, at) => (
      <span key={at} class={`line ${kind}`}>
        <span class="number">{before ?? ''}</span>
        <span class="number">{after ?? ''}</span>
        {`${changeMarks[kind]} ${text}\n`}
      </span>
    ))}
  </ScrollArea>
)

const ScrollArea = ({ label, children }: { readonly label: string; readonly children: JSX.Element[] }): JSX.Element => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
  <section class="code-lines" aria-label={label} tabIndex={0}>
    <pre>{children}</pre>
  </section>
)
