/** Chooses a MID and a period for a table of one MID. */
import type { JSX } from 'preact'
import { useMidChoices } from '../../api/mids.ts'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Empty } from '../../kit/states.tsx'

export interface MidPeriodValues {
  readonly midId: string
  readonly from: string
  readonly to: string
}

interface MidPeriodProps {
  readonly children: (values: MidPeriodValues) => JSX.Element
}

export function MidPeriod({ children }: MidPeriodProps): JSX.Element {
  const mids = useMidChoices()
  // One MID at a time: without a choice it is the first, and the filter says so.
  const filters = useFilters(['midId', 'from', 'to'], { midId: mids.choices[0]?.value ?? '' })
  const { midId, from, to } = filters.values
  return (
    <>
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'midId', label: 'MID', any: null, options: mids.choices },
          { kind: 'date', name: 'from', label: 'From' },
          { kind: 'date', name: 'to', label: 'To' },
        ]}
      />
      {midId === '' ? <Empty title="No MIDs." /> : children({ midId, from, to })}
    </>
  )
}

/** An absent day leaves the choice to the server. */
export const periodQuery = ({ midId, from, to }: MidPeriodValues) => ({
  midId,
  ...(from === '' ? {} : { from }),
  ...(to === '' ? {} : { to }),
})
