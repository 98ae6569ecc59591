/** Differences between our record, the acquirers’ and the bank’s, and the request to resolve one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useMidChoices } from '../../api/mids.ts'
import { usePages } from '../../api/use-pages.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { CheckField, TextArea } from '../../kit/form/fields.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { useForm } from '../../kit/form/use-form.ts'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'
import { type Difference, differenceTexts } from './settlement.ts'

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
  const filters = useFilters(['midId', 'fileId', 'day', 'reportedBy', 'all'])
  const mids = useMidChoices()
  const resolving = useSignal<Difference | null>(null)
  const { midId, fileId, day, reportedBy, all } = filters.values
  const list = usePages(
    'GET /settlements/differences',
    {
      query: {
        open: all === 'true' ? 'false' : 'true',
        limit: pageSize,
        ...(midId === '' ? {} : { midId }),
        ...(fileId === '' ? {} : { fileId }),
        ...(day === '' ? {} : { day }),
        ...(reportedBy === 'acquirer' || reportedBy === 'bank' ? { reportedBy } : {}),
      },
    },
    {
      rows: ({ differences }) => differences,
      next: ({ differences }) => (differences.length < pageSize ? null : { after: differences.at(-1)?.id }),
    },
  )
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
      />
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

interface ResolveDialogProps {
  readonly difference: Difference
  readonly onDone: () => void
  readonly onClose: () => void
}

function ResolveDialog({ difference: { id }, onDone, onClose }: ResolveDialogProps): JSX.Element {
  const form = useForm({
    initial: { note: '', correct: false },
    check: ({ note }) => ({ note: note.trim() === '' ? 'Enter how the difference was explained.' : null }),
    send: (body) => call('POST /settlements/differences/:differenceId/resolve', { params: { differenceId: id }, body }),
    onDone: () => {
      toast('The resolution is waiting for approval.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Resolve difference" onClose={onClose}>
      <Form form={form} act="Request approval" onCancel={onClose}>
        <TextArea label="Note" rows={3} at={form.at('note')} />
        <CheckField
          label="Post the difference"
          hint="Books the amount to the account of differences, so that it is no longer owed or expected."
          at={form.at('correct')}
        />
      </Form>
    </Dialog>
  )
}
