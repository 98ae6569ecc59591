/** Roles and their permissions: built-in ones to read, own ones to create and change. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { countText } from '../../kit/values/count-text.ts'
import type { Role } from './role.ts'
import { RoleDrawer } from './role-drawer.tsx'

const newRole: Role = { name: '', title: '', permissions: [], builtIn: false, needsSecondFactor: false }

export function RolesPage(): JSX.Element {
  const read = useReading('GET /roles')
  const open = useSignal<Role | null>(null)
  const removed = useSignal<Role | null>(null)
  const show = (role: Role | null) => () => {
    open.value = role
  }
  const add = (
    <May use="roles.write">
      <Button kind="primary" icon="plus" onClick={show(newRole)}>
        New role
      </Button>
    </May>
  )
  return (
    <Page title="Roles" actions={add}>
      <DataTable
        caption="Roles"
        list={pageOfRead(read, ({ roles }) => roles)}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Role', cell: ({ title }) => title },
          { title: 'Name', cell: ({ name }) => <code>{name}</code> },
          {
            title: 'Kind',
            cell: ({ builtIn }) => (builtIn ? <Badge>built in</Badge> : <Badge tone="info">own</Badge>),
          },
          {
            title: 'Second factor',
            cell: ({ needsSecondFactor }) =>
              needsSecondFactor ? <Badge tone="good">required</Badge> : <Badge>optional</Badge>,
          },
          { title: 'Permissions', end: true, cell: ({ permissions }) => countText(permissions.length) },
          {
            title: 'Actions',
            end: true,
            cell: (role) => (
              <span class="row-actions">
                <Button small onClick={show(role)}>
                  {role.builtIn ? 'View' : 'Edit'}
                </Button>
                {!role.builtIn && (
                  <May use="roles.write">
                    <Button
                      small
                      onClick={() => {
                        removed.value = role
                      }}
                    >
                      Remove
                    </Button>
                  </May>
                )}
              </span>
            ),
          },
        ]}
      />
      {open.value && (
        <ReadResult read={read}>
          {({ permissions }) =>
            open.value && (
              <RoleDrawer role={open.value} permissions={permissions} onDone={read.reload} onClose={show(null)} />
            )
          }
        </ReadResult>
      )}
      {removed.value && (
        <RemoveDialog
          role={removed.value}
          onDone={read.reload}
          onClose={() => {
            removed.value = null
          }}
        />
      )}
    </Page>
  )
}

interface RemoveDialogProps {
  readonly role: Role
  readonly onDone: () => void
  readonly onClose: () => void
}

const RemoveDialog = ({ role, onDone, onClose }: RemoveDialogProps): JSX.Element => (
  <ConfirmDialog
    title={`Remove ${role.title}?`}
    act="Remove"
    danger
    onClose={onClose}
    onConfirm={async () => {
      const result = await call('DELETE /roles/:role', { params: { role: role.name } })
      if (!result.ok) return result
      toast('Role removed.')
      onDone()
      return result
    }}
  >
    <p>A role can be removed only if no user has it.</p>
  </ConfirmDialog>
)
