/** The user's choice of a table's columns, which the browser remembers. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Column } from './data-table.tsx'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { storedWords } from './stored-choice.ts'

interface ColumnChoice<Row> {
  readonly columns: readonly Column<Row>[]
  readonly menu: JSX.Element
}

/** The first column names the row and is always shown. */
export function useColumnChoice<Row>(table: string, all: readonly Column<Row>[]): ColumnChoice<Row> {
  const titles = all.slice(1).map(({ title }) => title)
  const usual = all.slice(1).flatMap(({ title, extra = false }) => (extra ? [] : [title]))
  const stored = storedWords(`columns-${table}`, titles, usual)
  const shown = useSignal(stored.read())
  const write = (next: readonly string[]): void => {
    shown.value = next
    stored.write(next)
  }
  return {
    columns: all.filter(({ title }, index) => index === 0 || shown.value.includes(title)),
    menu: (
      <Menu label="Columns" icon="settings">
        {titles.map((title) => (
          <Toggle key={title} title={title} shown={shown} onChange={write} />
        ))}
        <button type="button" onClick={() => write(usual)}>
          Usual columns
        </button>
      </Menu>
    ),
  }
}

interface ToggleProps {
  readonly title: string
  readonly shown: Signal<readonly string[]>
  readonly onChange: (shown: readonly string[]) => void
}

function Toggle({ title, shown, onChange }: ToggleProps): JSX.Element {
  const isShown = shown.value.includes(title)
  return (
    <button
      type="button"
      aria-pressed={isShown}
      class="toggle"
      onClick={() => onChange(isShown ? shown.value.filter((one) => one !== title) : [...shown.value, title])}
    >
      <Icon name="check" />
      {title}
    </button>
  )
}
