/** Tabs of a page; the open tab is part of the address. Arrow keys move between them. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { currentAddress, setQuery } from '../router/current-address.ts'

export interface Tab {
  /** The tab's name in the address. */
  readonly name: string
  readonly title: string
  readonly content: () => ComponentChildren
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** The query parameter; tabs inside tabs need their own. */
  readonly parameter?: string
}

export function Tabs({ label, tabs, parameter = 'tab' }: TabsProps): JSX.Element {
  const id = useId()
  const wanted = currentAddress.value.query.get(parameter)
  const open = tabs.find(({ name }) => name === wanted) ?? tabs[0]
  const choose = (index: number): void => {
    const tab = tabs[(index + tabs.length) % tabs.length]
    if (!tab) return
    setQuery({ [parameter]: tab === tabs[0] ? null : tab.name }, { replace: true })
    document.getElementById(`${id}-${tab.name}`)?.focus()
  }
  useEffect(() => {
    const show = (): void => {
      const tab = document.getElementById(`${id}-${open?.name}`)
      const list = tab?.parentElement
      // On a phone the list scrolls sideways, and the open tab may be out of view, also after the phone was rotated.
      if (tab && list) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2
      if (list) markHiddenTabs(list)
    }
    show()
    addEventListener('resize', show)
    return () => removeEventListener('resize', show)
  }, [open?.name])
  return (
    <div class="tabs">
      <div
        role="tablist"
        aria-label={label}
        class="tab-list"
        onScroll={({ currentTarget }) => markHiddenTabs(currentTarget)}
      >
        {tabs.map(({ name, title }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === open?.name}
            aria-controls={`${id}-panel`}
            tabIndex={name === open?.name ? 0 : -1}
            onClick={() => choose(index)}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') choose(index + 1)
              if (key === 'ArrowLeft') choose(index - 1)
            }}
          >
            {title}
          </button>
        ))}
      </div>
      {open && (
        <div key={open.name} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open.name}`} class="stack">
          {open.content()}
        </div>
      )}
    </div>
  )
}

/** The list fades at an end beyond which it has more tabs, because phones show no scroll bar. */
function markHiddenTabs(list: HTMLElement): void {
  // In languages written from right to left the position is negative.
  const passed = Math.abs(list.scrollLeft)
  list.classList.toggle('more-before', passed > 1)
  list.classList.toggle('more-after', passed + list.clientWidth < list.scrollWidth - 1)
}
