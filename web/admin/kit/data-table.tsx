/**
 * A list as a table: shown as cards at the width of a phone, as placeholder lines while it loads, and as a sentence if it is empty.
 * Clicking a row follows the link in its first cell.
 */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { Pages } from '../api/use-pages.ts'
import type { Read } from '../api/use-reading.ts'
import { Link } from '../router/link.tsx'
import { Button } from './button.tsx'
import { ColumnHead } from './column-head.tsx'
import { FaultView } from './fault-view.tsx'
import { type SortOrder, type SortValue, sortedRows } from './sorted-rows.ts'
import { Empty } from './states.tsx'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Aligned to the end, for numbers and amounts. */
  readonly end?: boolean
  /** Hidden at the width of a phone. */
  readonly minor?: boolean
  /** Shown on wide screens only, for what the row's own page or drawer shows as well. */
  readonly wide?: boolean
  /** Stays in view at the end of the row if the table is wider than the page, as actions always do. */
  readonly pinned?: boolean
  /** Does not wrap where there is room. */
  readonly whole?: boolean
  /** A text of any length, from outside: cut at the column's width, and shown whole in its title. */
  readonly cut?: (row: Row) => string | null
  /** Not among the usual columns of a table whose columns are chosen. */
  readonly extra?: boolean
  /** Makes the column sortable by this value. */
  readonly sort?: (row: Row) => SortValue
}

interface DataTableProps<Row> {
  /** What is listed, for screen readers only. */
  readonly caption: string
  readonly list: Pages<Row>
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** The address that a row links to; undefined for a row without one. */
  readonly linkOf?: (row: Row) => string | undefined
  readonly empty?: ComponentChildren
  readonly choose?: RowSelection<Row>
}

/** Checkboxes before the rows, for actions on several rows. */
interface RowSelection<Row> {
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
  /** The accessible name of a row's checkbox. */
  readonly label: (row: Row) => string
}

export function DataTable<Row>(props: DataTableProps<Row>): JSX.Element {
  const { caption, list, columns, empty, choose, keyOf } = props
  const order = useSignal<SortOrder | null>(null)
  if (list.fault !== null && list.rows.length === 0) return <FaultView fault={list.fault} onRetry={list.reload} />
  if (!list.isLoading && list.rows.length === 0 && !list.hasMore)
    return <>{empty ?? <Empty title="Nothing to show." />}</>
  return (
    <div class="table-frame">
      <table class="table" aria-busy={list.isLoading}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {choose && <ChooseAll choose={choose} keys={list.rows.map(keyOf)} />}
            {columns.map(({ title, end, minor, whole: isWhole, sort, pinned, wide }) => (
              <ColumnHead
                key={title}
                title={title}
                class={classOf({ end, minor, isWhole, pinned: pinned ?? title === 'Actions', wide })}
                order={sort && order}
                sortedOf={list.hasMore ? list.rows.length : null}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {list.isLoading ? (
            <Lines columns={columns.length + (choose ? 1 : 0)} />
          ) : (
            sortRows(list.rows, columns, order.value).map((row) => rowOf(props, row))
          )}
        </tbody>
      </table>
      {list.fault !== null && <FaultView fault={list.fault} onRetry={list.reload} />}
      {list.hasMore && (
        <div class="table-more">
          <Button onClick={list.more} busy={list.isLoadingMore}>
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: SortOrder | null): readonly Row[] {
  const sort = columns.find(({ title }) => title === order?.column)?.sort
  return sort === undefined || order === null ? rows : sortedRows(rows, sort, order.direction)
}

/** A list that is already loaded. */
export const pageOfRows = <Row,>(rows: readonly Row[]): Pages<Row> => ({
  rows,
  fault: null,
  isLoading: false,
  isLoadingMore: false,
  hasMore: false,
  more: () => undefined,
  reload: () => undefined,
})

/** A list that the server returns in one answer. */
export const pageOfRead = <T, Row>(read: Read<T>, rows: (value: T) => readonly Row[]): Pages<Row> => ({
  rows: read.value === null ? [] : rows(read.value),
  fault: read.fault,
  isLoading: read.value === null && read.fault === null,
  isLoadingMore: false,
  hasMore: false,
  more: () => undefined,
  reload: read.reload,
})

function rowOf<Row>({ columns, keyOf, linkOf, choose }: DataTableProps<Row>, row: Row): JSX.Element {
  const key = keyOf(row)
  const to = linkOf?.(row)
  return (
    <tr key={key} class={to === undefined ? undefined : 'leads'}>
      {choose && (
        <td class="choose">
          <input
            type="checkbox"
            aria-label={choose.label(row)}
            checked={choose.chosen.has(key)}
            onChange={({ currentTarget }) => choose.onChange(withKey(choose.chosen, key, currentTarget.checked))}
          />
        </td>
      )}
      {columns.map(({ title, cell, end, minor, whole: isWhole, cut, pinned, wide }, index) => {
        const value = cell(row)
        const whole = cut?.(row)
        return (
          <td
            key={title}
            data-title={title}
            class={classOf({ end, minor, isWhole, pinned: pinned ?? title === 'Actions', wide, value })}
          >
            <div class={cut === undefined ? 'cell' : 'cell cut'} title={whole ?? undefined}>
              {index === 0 && to !== undefined ? (
                <Link to={to} class="row-link">
                  {value}
                </Link>
              ) : (
                value
              )}
            </div>
          </td>
        )
      })}
    </tr>
  )
}

function ChooseAll<Row>(props: { readonly choose: RowSelection<Row>; readonly keys: readonly string[] }): JSX.Element {
  const { choose, keys } = props
  const isAll = keys.length > 0 && keys.every((key) => choose.chosen.has(key))
  return (
    <th scope="col" class="choose">
      <input
        type="checkbox"
        aria-label="Select all"
        checked={isAll}
        onChange={({ currentTarget }) => choose.onChange(currentTarget.checked ? new Set(keys) : new Set())}
      />
    </th>
  )
}

const Lines = ({ columns }: { readonly columns: number }): JSX.Element => (
  <>
    {Array.from({ length: 6 }, (_, row) => (
      <tr key={row} class="waiting">
        {Array.from({ length: columns }, (_, cell) => (
          <td key={cell}>
            <span class="skeleton-line" />
          </td>
        ))}
      </tr>
    ))}
  </>
)

function withKey(keys: ReadonlySet<string>, key: string, isChosen: boolean): ReadonlySet<string> {
  const next = new Set(keys)
  if (isChosen) next.add(key)
  else next.delete(key)
  return next
}

interface CellLook {
  readonly end: boolean | undefined
  readonly minor: boolean | undefined
  readonly isWhole: boolean | undefined
  readonly pinned: boolean | undefined
  readonly wide: boolean | undefined
  readonly value?: ComponentChildren
}

function classOf({ end, minor, isWhole, pinned, wide, value }: CellLook): string | undefined {
  const names = [
    end && 'end',
    minor && 'minor',
    isWhole && 'whole',
    pinned && 'pinned',
    wide && 'wide',
    blanks.includes(value) && 'blank',
  ]
  return names.filter(Boolean).join(' ') || undefined
}

/** A cell without a value; the cards on a phone leave it out. */
const blanks: readonly ComponentChildren[] = ['—', '', null, false]
