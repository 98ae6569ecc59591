/** A button that opens a list of links and buttons. It closes on Escape, on a choice, and when the focus leaves it. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-lines.ts'

interface MenuProps {
  /** The name of the button; visible unless only the icon is shown. */
  readonly label: string
  readonly icon?: IconName
  readonly iconOnly?: boolean
  readonly children: ComponentChildren
}

export function Menu({ label, icon, iconOnly = false, children }: MenuProps): JSX.Element {
  const isOpen = useSignal(false)
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    isOpen.value = false
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes events of the buttons inside.
    <div
      ref={frame}
      class="menu"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen.value) return
        close()
        button.current?.focus()
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && frame.current?.contains(relatedTarget))) close()
      }}
    >
      <button
        ref={button}
        type="button"
        class="button quiet"
        aria-expanded={isOpen.value}
        aria-controls={id}
        aria-label={label}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {icon && <Icon name={icon} />}
        {!iconOnly && <span class="menu-label">{label}</span>}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only observes events of the buttons inside. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key press on a button inside is a click as well. */}
      <div
        id={id}
        class="menu-items"
        hidden={!isOpen.value}
        onClick={({ target }) => {
          // A toggle does not close the menu, because the user may want to toggle it back.
          if (target instanceof Element && target.closest('a, button:not([aria-pressed])')) close()
        }}
      >
        {children}
      </div>
    </div>
  )
}
