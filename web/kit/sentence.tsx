/** A text with elements in its placeholders: `I accept the {link}`. */
import { type ComponentChildren, Fragment, type JSX } from 'preact'

interface SentenceProps {
  /** Texts at even indexes, placeholder names at odd ones. */
  readonly parts: readonly string[]
  readonly holes: Readonly<Record<string, ComponentChildren>>
}

export function Sentence({ parts, holes }: SentenceProps): JSX.Element {
  return (
    <>
      {parts.map((part, at) => (
        <Fragment key={at}>{at % 2 === 0 ? part : (holes[part] ?? '')}</Fragment>
      ))}
    </>
  )
}
