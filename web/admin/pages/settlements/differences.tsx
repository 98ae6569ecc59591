/** Differences between our record, the acquirers’ and the bank’s: a list with its filters, or the one that a link has chosen. */
import type { JSX } from 'preact'
import { addressOf } from '../../api/call.ts'
import { useMidChoices } from '../../api/mids.ts'
import { usePages } from '../../api/use-pages.ts'
import { useReading } from '../../api/use-reading.ts'
import { pageOfRead } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { DifferenceTable } from './difference-table.tsx'

const pageSize = 50

const reporters = [
  { value: 'acquirer', text: 'Acquirer' },
  { value: 'bank', text: 'Bank' },
] as const

/** A link from the list of files has chosen it. */
const chosenFile = (fileId: string) =>
  ({
    kind: 'choice',
    name: 'fileId',
    label: 'File',
    options: [{ value: fileId, text: 'The chosen file' }],
  }) as const

export function Differences(): JSX.Element {
  const filters = useFilters(['differenceId', 'midId', 'fileId', 'day', 'reportedBy', 'all'])
  const mids = useMidChoices()
  const { differenceId, fileId } = filters.values
  if (differenceId !== '') return <ChosenDifference />
  return (
    <>
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'midId', label: 'MID', options: mids.choices },
          ...(fileId === '' ? [] : [chosenFile(fileId)]),
          { kind: 'date', name: 'day', label: 'Day' },
          { kind: 'choice', name: 'reportedBy', label: 'Reported by', any: 'All', options: reporters },
          { kind: 'choice', name: 'all', label: 'Shown', any: 'Open', options: [{ value: 'true', text: 'All' }] },
        ]}
      >
        <a
          class="button plain"
          href={addressOf('/settlements/differences/export', {}, queryOf(filters.values))}
          download
        >
          Export
        </a>
      </FilterBar>
      <FoundDifferences of={filters.values} />
    </>
  )
}

type Chosen = Readonly<Record<'midId' | 'fileId' | 'day' | 'reportedBy' | 'all', string>>

// An interface could be extended elsewhere and is therefore no record of values.
type DifferenceQuery = Partial<Record<'midId' | 'fileId' | 'day', string>> & {
  readonly open: 'true' | 'false'
  readonly reportedBy?: 'acquirer' | 'bank'
}

/** The file has what the list has. */
const queryOf = ({ midId, fileId, day, reportedBy, all }: Chosen): DifferenceQuery => ({
  open: all === 'true' ? 'false' : 'true',
  ...(midId === '' ? {} : { midId }),
  ...(fileId === '' ? {} : { fileId }),
  ...(day === '' ? {} : { day }),
  ...(reportedBy === 'acquirer' || reportedBy === 'bank' ? { reportedBy } : {}),
})

function FoundDifferences({ of }: { readonly of: Chosen }): JSX.Element {
  const list = usePages(
    'GET /settlements/differences',
    { query: { ...queryOf(of), limit: pageSize } },
    {
      rows: ({ differences }) => differences,
      next: ({ differences }) => (differences.length < pageSize ? null : { after: differences.at(-1)?.id }),
    },
  )
  return <DifferenceTable list={list} empty={emptyTitle(of)} />
}

function emptyTitle({ midId, fileId, day, reportedBy, all }: Chosen): string {
  if ([midId, fileId, day, reportedBy].some((value) => value !== '')) return 'No differences match these filters.'
  return all === 'true' ? 'No differences.' : 'No open differences.'
}

/** A link from an approval has chosen it; it may be resolved, or on no first page of any list. */
function ChosenDifference(): JSX.Element {
  const filters = useFilters(['differenceId'])
  const { differenceId } = filters.values
  const read = useReading('GET /settlements/differences/:differenceId', { params: { differenceId } })
  return (
    <>
      <FilterBar
        filters={filters}
        fields={[
          {
            kind: 'choice',
            name: 'differenceId',
            label: 'Difference',
            any: 'All',
            options: [{ value: differenceId, text: 'The chosen difference' }],
          },
        ]}
      />
      <DifferenceTable list={pageOfRead(read, (one) => [one])} empty="No difference." />
    </>
  )
}
