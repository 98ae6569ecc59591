/** Buttons: at most one primary button per page, destructive ones in their own colour, the rest quiet. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Link } from '../router/link.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-lines.ts'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

interface ButtonProps {
  readonly children?: ComponentChildren
  readonly kind?: ButtonKind
  readonly type?: 'button' | 'submit'
  readonly onClick?: () => void
  /** The action is in progress: the button shows it and cannot be pressed again. */
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly icon?: IconName
  /** The accessible name of a button that shows only an icon. */
  readonly label?: string
  readonly small?: boolean
  /** Takes the focus when it appears, in place of something that had it and is gone. */
  readonly focused?: boolean
}

export function Button(props: ButtonProps): JSX.Element {
  const element = useRef<HTMLButtonElement>(null)
  const { focused: isFocused = false } = props
  useEffect(() => {
    if (isFocused) element.current?.focus()
  }, [isFocused])
  const { children, kind = 'plain', type = 'button', onClick, busy = false, disabled = false, icon, label } = props
  return (
    <button
      ref={element}
      type={type}
      class={classOf(kind, props)}
      onClick={() => !busy && onClick?.()}
      disabled={disabled}
      aria-disabled={busy}
      aria-busy={busy}
      aria-label={label}
      title={label}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface ButtonLinkProps {
  readonly to: string
  readonly children: ComponentChildren
  readonly kind?: ButtonKind
  readonly icon?: IconName
  readonly small?: boolean
}

/** A link that looks like a button. */
export function ButtonLink(props: ButtonLinkProps): JSX.Element {
  const { to, children, kind = 'plain', icon } = props
  return (
    <Link to={to} class={classOf(kind, props)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  )
}

const classOf = (kind: ButtonKind, { small = false }: { readonly small?: boolean }): string =>
  `button ${kind}${small ? ' small' : ''}`
