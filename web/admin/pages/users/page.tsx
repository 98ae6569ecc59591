/** The users of the panel. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { NewUserDialog } from './new-user-dialog.tsx'
import { SignUpLinks } from './sign-up/sign-up-links.tsx'
import { WaitingSignUps } from './sign-up/waiting-sign-ups.tsx'
import { FactorState, UserState } from './user-state.tsx'

export function UsersPage(): JSX.Element {
  const read = useReading('GET /users')
  const filters = useFilters(['search', 'status'])
  const isAdding = useSignal(false)
  const { search, status } = filters.values
  const list = pageOfRead(read, ({ users }) =>
    users.filter(
      (user) =>
        `${user.name} ${user.email} ${user.role}`.toLowerCase().includes(search.toLowerCase()) &&
        (status === '' || user.status === status),
    ),
  )
  const add = (
    <May use="users.write">
      <Button
        kind="primary"
        icon="plus"
        onClick={() => {
          isAdding.value = true
        }}
      >
        New user
      </Button>
    </May>
  )
  return (
    <Page title="Users" actions={add}>
      <WaitingSignUps onApproved={read.reload} />
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'text', name: 'search', label: 'Name, address or role' },
          { kind: 'choice', name: 'status', label: 'Status', options: statuses },
        ]}
      />
      <DataTable
        caption="Users"
        list={list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/users/${id}`}
        columns={[
          { title: 'Name', cell: ({ name }) => name, cut: ({ name }) => name },
          { title: 'E-mail address', cell: ({ email }) => email, cut: ({ email }) => email },
          { title: 'Role', cell: ({ role }) => role, whole: true },
          { title: 'Merchants', cell: (one) => (one.allMerchants ? 'all' : one.merchantIds.length), minor: true },
          { title: 'Status', cell: (one) => <UserState user={one} /> },
          { title: 'Second factor', cell: (one) => <FactorState user={one} />, minor: true },
          { title: 'Last sign-in', cell: ({ lastSignInAt }) => <DateTime at={lastSignInAt} /> },
        ]}
      />
      <SignUpLinks />
      {isAdding.value && (
        <NewUserDialog
          onDone={read.reload}
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
    </Page>
  )
}

const statuses = [
  { value: 'active', text: 'Active' },
  { value: 'disabled', text: 'Disabled' },
]
