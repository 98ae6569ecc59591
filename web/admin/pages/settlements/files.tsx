/** The imported files with their share of matched rows. */
import type { JSX } from 'preact'
import { usePages } from '../../api/use-pages.ts'
import { DataTable } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime, Day } from '../../kit/values/date-time.tsx'
import { Link } from '../../router/link.tsx'

const pageSize = 50

/** Rounded down: one row of a million that did not match must not read as 100 %. */
const shownShare = (matched: number, rows: number): number => Math.floor((matched * 1000) / rows) / 1000

export function Files(): JSX.Element {
  const list = usePages(
    'GET /settlements',
    { query: { limit: pageSize } },
    {
      rows: ({ files }) => files,
      next: ({ files }) => (files.length < pageSize ? null : { before: files.at(-1)?.id }),
    },
  )
  const number = new Intl.NumberFormat()
  const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <DataTable
      caption="Settlement files"
      list={list}
      keyOf={({ id }) => id}
      columns={[
        { title: 'File', cell: ({ name }) => name },
        { title: 'MID', cell: ({ midName, midId }) => midName ?? midId },
        { title: 'First day', cell: ({ firstDay }) => <Day of={firstDay} />, minor: true },
        { title: 'Last day', cell: ({ lastDay }) => <Day of={lastDay} /> },
        { title: 'Rows', end: true, cell: ({ rowCount }) => number.format(rowCount) },
        {
          title: 'Matched',
          end: true,
          whole: true,
          cell: ({ matched, rowCount }) => (
            <>
              {number.format(matched)}{' '}
              {rowCount > 0 && <span class="faint">({share.format(shownShare(matched, rowCount))})</span>}
            </>
          ),
        },
        {
          title: 'Open differences',
          end: true,
          cell: ({ id, openDifferences }) =>
            openDifferences === 0 ? (
              number.format(0)
            ) : (
              <Link to={`/settlements?fileId=${id}`}>{number.format(openDifferences)}</Link>
            ),
        },
        { title: 'Imported', cell: ({ importedAt }) => <DateTime at={importedAt} /> },
        { title: 'By', cell: ({ importedBy }) => importedBy, minor: true },
      ]}
      empty={
        <Empty title="No settlement files.">
          <p>Import the file in which an acquirer lists what it paid.</p>
        </Empty>
      }
    />
  )
}
