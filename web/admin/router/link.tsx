/** A link within the panel: a real one that can be opened in a new tab, and that does not reload the panel in this one. */
import type { ComponentChildren, JSX } from 'preact'
import { go, hrefOf } from './current-address.ts'

interface LinkProps {
  /** Below `/admin`, as in the table of pages. */
  readonly to: string
  readonly class?: string
  readonly current?: boolean
  readonly label?: string
  /** The whole text, where it may be cut. */
  readonly title?: string
  readonly onClick?: () => void
  readonly children: ComponentChildren
}

export function Link({ to, class: name, current = false, label, title, onClick, children }: LinkProps): JSX.Element {
  return (
    <a
      href={hrefOf(to)}
      class={name}
      aria-current={current ? 'page' : undefined}
      aria-label={label}
      title={title}
      onClick={(event) => {
        if (!isPlain(event)) return
        event.preventDefault()
        onClick?.()
        go(to)
      }}
    >
      {children}
    </a>
  )
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
