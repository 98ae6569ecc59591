/** The audit log: every change and every reveal, and whether any entry was altered. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { prefix } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { endOfDay, startOfDay } from '../../kit/values/instants.ts'
import { useUserNames } from '../users/user-names.ts'
import { aboutText } from './about-text.ts'
import type { AuditEntry } from './audit-entry.ts'
import { EntryDrawer } from './entry-drawer.tsx'
import { Verification } from './verification.tsx'

const pageSize = 50

export function AuditPage(): JSX.Element {
  const filters = useFilters(['actor', 'action', 'subject', 'merchantId', 'from', 'to'])
  const merchants = useMerchants()
  const nameOf = useUserNames()
  const open = useSignal<AuditEntry | null>(null)
  const { from, to, ...rest } = filters.values
  const list = usePages(
    'GET /audit',
    { query: { ...rest, from: startOfDay(from), to: endOfDay(to), limit: pageSize } },
    {
      rows: ({ entries }) => entries,
      next: ({ entries }) => (entries.length < pageSize ? null : { before: entries.at(-1)?.seq }),
    },
  )
  return (
    <Page title="Audit log" actions={<Tools />}>
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'text', name: 'actor', label: 'User', placeholder: 'ann@example.com' },
          { kind: 'text', name: 'action', label: 'Action', placeholder: 'user.create' },
          { kind: 'text', name: 'subject', label: 'Subject' },
          { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices },
          { kind: 'date', name: 'from', label: 'From' },
          { kind: 'date', name: 'to', label: 'To' },
        ]}
      />
      <DataTable
        caption="Audit log entries"
        list={list}
        keyOf={({ seq }) => seq}
        columns={[
          { title: 'Action', cell: ({ action }) => <code>{action}</code>, whole: true },
          { title: 'When', cell: ({ at }) => <DateTime at={at} seconds />, whole: true },
          { title: 'User', cell: ({ actor }) => actor, whole: true },
          {
            title: 'Subject',
            cell: ({ subject }) => aboutText(subject, { user: nameOf, merchant: (id) => merchants.title(id) }),
          },
          { title: 'Merchant', minor: true, cell: ({ merchantId }) => merchantId && merchants.title(merchantId) },
          {
            title: 'Actions',
            end: true,
            cell: (entry) => (
              <Button
                small
                onClick={() => {
                  open.value = entry
                }}
              >
                View
              </Button>
            ),
          },
        ]}
        empty={<Empty title="No entries match these filters." />}
      />
      {open.value && (
        <EntryDrawer
          entry={open.value}
          merchant={open.value.merchantId && merchants.title(open.value.merchantId)}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </Page>
  )
}

const Tools = (): JSX.Element => (
  <May use="audit.verify">
    <Verification />
    <a class="button plain" href={`${prefix}/audit/export`} download>
      Download all
    </a>
  </May>
)
