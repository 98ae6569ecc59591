/** Differences as rows: what was expected and reported, and what can be done about each. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Pages } from '../../api/use-pages.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/states.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { Link } from '../../router/link.tsx'
import { may, session } from '../../session/session.ts'
import { DifferenceSum } from './difference-sum.tsx'
import { ResolveDialog } from './resolve-dialog.tsx'
import { type Difference, differenceTexts } from './settlement.ts'

interface DifferenceTableProps {
  readonly list: Pages<Difference>
  /** If the list is empty: what it would have. */
  readonly empty: string
}

export function DifferenceTable({ list, empty }: DifferenceTableProps): JSX.Element {
  const resolving = useSignal<Difference | null>(null)
  return (
    <>
      <DataTable
        caption="Settlement differences"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Day', cell: (one) => <Day of={one.day} />, whole: true },
          { title: 'Difference', cell: ({ kind }) => <Badge tone="warn">{differenceTexts[kind] ?? kind}</Badge> },
          { title: 'State', cell: (one) => <State of={one} /> },
          { title: 'Expected', end: true, cell: (one) => <Sum of={one} minor={one.oursMinor} />, whole: true },
          { title: 'Reported', end: true, cell: (one) => <Sum of={one} minor={one.theirsMinor} />, whole: true },
          { title: 'MID', cell: ({ midName, midId: id }) => midName ?? id, minor: true },
          { title: 'Payout', cell: ({ payout }) => payout, minor: true },
          { title: 'Row', cell: ({ ref }) => ref, minor: true },
          { title: 'Note', cell: ({ note }) => note, minor: true },
          {
            title: 'Actions',
            end: true,
            cell: (one) => (
              <span class="row-actions">
                {one.merchantId !== null && one.paymentId !== null && (
                  <Link to={`/merchants/${one.merchantId}/payments/${one.paymentId}`}>Transaction</Link>
                )}
                {one.waiting !== null && may('approvals.read') && <Link to="/approvals?state=waiting">Requests</Link>}
                {one.resolvedAt === null && one.waiting === null && may('settlements.write') && (
                  <Button
                    small
                    onClick={() => {
                      resolving.value = one
                    }}
                  >
                    Resolve
                  </Button>
                )}
              </span>
            ),
          },
        ]}
        empty={
          <Empty title={empty}>
            <p>Differences are found when a settlement file or a bank statement is imported.</p>
          </Empty>
        }
      />
      {resolving.value && (
        <ResolveDialog
          difference={resolving.value}
          onDone={list.reload}
          onClose={() => {
            resolving.value = null
          }}
        />
      )}
    </>
  )
}

/** A resolution that was requested is not requested a second time. */
function State({ of: { resolvedAt, waiting } }: { readonly of: Difference }): JSX.Element {
  if (resolvedAt !== null) return <Badge tone="good">Resolved</Badge>
  if (waiting === null) return <Badge>Open</Badge>
  const isOwn = waiting.askedBy === session.value?.user.id
  return (
    <>
      <Badge tone="info">Waiting for approval</Badge>{' '}
      <span class="faint">requested by {isOwn ? 'you' : waiting.askedByName}</span>
    </>
  )
}

function Sum({ of, minor }: { readonly of: Difference; readonly minor: string | null }): JSX.Element | null {
  return minor === null ? null : <DifferenceSum of={of} minor={minor} />
}
