/** The users of the panel who may see this merchant. */
import type { JSX } from 'preact'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'

export function PeopleSection({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const read = useReading('GET /users')
  return (
    <Section title="Users of this merchant">
      <DataTable
        caption="Users"
        list={pageOfRead(read, ({ users }) => users.filter((user) => user.merchantIds.includes(merchantId)))}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/users/${id}`}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'E-mail', cell: ({ email }) => email },
          { title: 'Role', cell: ({ role }) => role },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Last signed in', cell: ({ lastSignInAt }) => <DateTime at={lastSignInAt} />, minor: true },
        ]}
        empty={
          <Empty title="No users belong to this merchant only.">
            <p>
              Create a user with a merchant role under Users. Operator users who see all merchants are not listed here.
            </p>
          </Empty>
        }
      />
    </Section>
  )
}
