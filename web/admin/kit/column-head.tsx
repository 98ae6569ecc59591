/** The head of a column; that of a sortable one is a button. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { Icon } from './icon.tsx'
import { nextOrder, type SortOrder } from './sorted-rows.ts'
import { countText } from './values/count-text.ts'

interface ColumnHeadProps {
  readonly title: string
  readonly class: string | undefined
  /** The order of the table, if the column can change it. */
  readonly order: Signal<SortOrder | null> | undefined
  /** How many rows are sorted of a list that has more; null if all are. */
  readonly sortedOf: number | null
}

export function ColumnHead({ title, class: name, order, sortedOf }: ColumnHeadProps): JSX.Element {
  if (order === undefined)
    return (
      <th scope="col" class={name}>
        {title}
      </th>
    )
  const direction = order.value?.column === title ? order.value.direction : null
  const isPart = direction !== null && sortedOf !== null
  return (
    <th
      scope="col"
      class={name}
      aria-sort={direction ?? 'none'}
      title={isPart ? `Sorted among the ${countText(sortedOf)} rows shown, not among all.` : undefined}
    >
      <button
        type="button"
        class={direction === null ? 'sort' : 'sort active'}
        onClick={() => {
          order.value = nextOrder(order.value, title)
        }}
      >
        {title}
        <Icon name={direction === 'ascending' ? 'up' : 'down'} />
      </button>
      {isPart && <span class="sorted-of">of the rows shown</span>}
    </th>
  )
}
