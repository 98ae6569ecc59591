/** Risk lists: what rules block, allow or have reviewed, by merchant or for all. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { isRiskKind, riskLists } from '#domain/risk/risk-entry.ts'
import { type Answer, call, prefix } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { may } from '../../session/session.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { kindChoices, kindTitle, listChoices, listTitle } from './titles.ts'

type Entry = Answer<'GET /risk-entries'>['entries'][number]

const pageSize = 50

export function RiskPage(): JSX.Element {
  const filters = useFilters(['list', 'kind', 'merchantId', 'value'])
  const merchants = useMerchants()
  const opened = useSignal<'add' | 'import' | null>(null)
  const removed = useSignal<Entry | null>(null)
  const { list, kind, merchantId, value } = filters.values
  const entries = usePages(
    'GET /risk-entries',
    {
      query: {
        list: riskLists.find((one) => one === list),
        kind: isRiskKind(kind) ? kind : undefined,
        merchantId: merchantId || undefined,
        value: value || undefined,
        limit: pageSize,
      },
    },
    {
      rows: (answer) => answer.entries,
      next: (answer) => (answer.entries.length < pageSize ? null : { before: answer.entries.at(-1)?.id }),
    },
  )
  const open = (what: 'add' | 'import'): void => {
    opened.value = what
  }
  const close = (): void => {
    opened.value = null
    removed.value = null
  }
  return (
    <Page title="Risk lists" actions={<Tools onOpen={open} />}>
      <p class="faint">
        Entries take effect only if a routing rule uses them: add the condition “Risk list” or “Velocity” under Routing.
      </p>
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'list', label: 'List', options: listChoices },
          { kind: 'choice', name: 'kind', label: 'Kind', options: kindChoices },
          { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices },
          { kind: 'text', name: 'value', label: 'Value begins with' },
        ]}
      />
      <DataTable
        caption="Entries"
        list={entries}
        keyOf={({ id }) => id}
        columns={[
          { title: 'List', cell: (one) => listTitle(one.list) },
          { title: 'Kind', cell: (one) => kindTitle(one.kind) },
          { title: 'Value', cell: (one) => <code>{one.value}</code>, cut: (one) => one.value },
          { title: 'Merchant', cell: (one) => merchants.title(one.merchantId) },
          { title: 'Reason', cell: ({ reason }) => reason, cut: ({ reason }) => reason },
          { title: 'Expires', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <DateTime at={expiresAt} />) },
          { title: 'Added by', cell: ({ createdBy }) => createdBy, minor: true },
          {
            title: 'Actions',
            end: true,
            cell: (one) =>
              may('routing.write') && (
                <Button
                  small
                  onClick={() => {
                    removed.value = one
                  }}
                >
                  Remove
                </Button>
              ),
          },
        ]}
        empty={
          filters.count > 0 ? (
            <Empty title="No entries match these filters." />
          ) : (
            <Empty title="No entries.">
              <p>Add cards, addresses or countries that a rule should block, allow or have reviewed.</p>
            </Empty>
          )
        }
      />
      {opened.value === 'add' && <EntryDialog onDone={entries.reload} onClose={close} />}
      {opened.value === 'import' && <ImportDialog onDone={entries.reload} onClose={close} />}
      {removed.value && <RemoveDialog entry={removed.value} onDone={entries.reload} onClose={close} />}
    </Page>
  )
}

const Tools = ({ onOpen }: { readonly onOpen: (what: 'add' | 'import') => void }): JSX.Element => (
  <>
    <a class="button plain" href={`${prefix}/risk-entries/export`} download>
      Export
    </a>
    <May use="routing.write">
      <Button onClick={() => onOpen('import')}>Import</Button>
      <Button kind="primary" icon="plus" onClick={() => onOpen('add')}>
        Add entry
      </Button>
    </May>
  </>
)

interface RemoveDialogProps {
  readonly entry: Entry
  readonly onDone: () => void
  readonly onClose: () => void
}

const RemoveDialog = ({ entry, onDone, onClose }: RemoveDialogProps): JSX.Element => (
  <ConfirmDialog
    title="Remove entry"
    act="Remove entry"
    danger
    onConfirm={async () => {
      const result = await call('DELETE /risk-entries/:entryId', { params: { entryId: entry.id } })
      if (result.ok) {
        toast('Entry removed.')
        onDone()
      }
      return result
    }}
    onClose={onClose}
  >
    <p>
      {kindTitle(entry.kind)} <code>{entry.value}</code> is no longer on the list “{listTitle(entry.list)}”.
    </p>
  </ConfirmDialog>
)
