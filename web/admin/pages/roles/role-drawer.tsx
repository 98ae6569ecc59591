/** The permissions of one role in words; those of an own role can be changed. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Badge } from '../../kit/badge.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { MultiSelect } from '../../kit/form/multi-select.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { may } from '../../session/session.ts'
import type { PermissionRow, Role } from './role.ts'

interface RoleDrawerProps {
  readonly role: Role
  readonly permissions: readonly PermissionRow[]
  readonly onDone: () => void
  readonly onClose: () => void
}

export function RoleDrawer(props: RoleDrawerProps): JSX.Element {
  const { role, permissions, onClose } = props
  const isOwn = !role.builtIn && may('roles.write')
  return (
    <Drawer title={role.name === '' ? 'New role' : role.title} onClose={onClose}>
      {isOwn ? (
        <RoleForm {...props} />
      ) : (
        <ul class="stack">
          {permissions
            .filter(({ name }) => role.permissions.includes(name))
            .map(({ name, about, reach }) => (
              <li key={name}>
                {about} {reach === 'platform' && <Badge>platform</Badge>}
                <br />
                <code class="faint">{name}</code>
              </li>
            ))}
        </ul>
      )}
    </Drawer>
  )
}

function RoleForm({ role, permissions, onDone, onClose }: RoleDrawerProps): JSX.Element {
  const isNew = role.name === ''
  const form = useForm({
    initial: { name: role.name, title: role.title, permissions: role.permissions },
    check: ({ name }) => ({
      name: /^[a-z0-9][a-z0-9-]{0,62}$/.test(name) ? null : 'Use lowercase letters, digits and hyphens.',
    }),
    send: ({ name, ...body }) => call('PUT /roles/:role', { params: { role: name }, body }),
    onDone: () => {
      toast('Role saved.')
      onDone()
      onClose()
    },
  })
  const options = permissions.map(({ name, about }) => ({ value: name, text: `${about} (${name})` }))
  return (
    <Form form={form} act="Save" onCancel={onClose}>
      <TextField label="Title" at={form.at('title')} maxLength={100} />
      <TextField
        label="Name"
        hint="Identifies the role. Cannot be changed later."
        mono
        at={form.at('name')}
        disabled={!isNew}
      />
      <MultiSelect label="Permissions" options={options} at={form.at('permissions')} />
    </Form>
  )
}
