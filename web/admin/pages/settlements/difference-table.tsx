/** Differences as rows: what was expected and reported, and what can be done about each. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Pages } from '../../api/use-pages.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/states.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'
import { ResolveDialog } from './resolve-dialog.tsx'
import { type Difference, differenceTexts } from './settlement.ts'

export function DifferenceTable({ list }: { readonly list: Pages<Difference> }): JSX.Element {
  const resolving = useSignal<Difference | null>(null)
  return (
    <>
      <DataTable
        caption="Settlement differences"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Day', cell: (one) => <Day of={one.day} /> },
          { title: 'Difference', cell: ({ kind }) => <Badge tone="warn">{differenceTexts[kind] ?? kind}</Badge> },
          { title: 'Expected', end: true, cell: (one) => <Sum of={one} minor={one.oursMinor} /> },
          { title: 'Reported', end: true, cell: (one) => <Sum of={one} minor={one.theirsMinor} /> },
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
                {one.resolvedAt === null && may('settlements.write') && (
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
          <Empty title="No open differences.">
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

function Sum({ of, minor }: { readonly of: Difference; readonly minor: string | null }): JSX.Element | null {
  return minor === null ? null : <Money minor={minor} currency={of.currency} decimals={of.decimals} />
}
