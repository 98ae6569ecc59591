/** Service accounts: programs that call the admin API with a key, and their keys. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call, type Result } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { SecretOnce } from '../../kit/values/secret-once.tsx'
import { may } from '../../session/session.ts'
import { NewServiceAccountDialog } from './new-service-account.tsx'

type Account = Answer<'GET /service-accounts'>['accounts'][number]
type Act = 'key' | 'status'

export function ServiceAccountsPage(): JSX.Element {
  const read = useReading('GET /service-accounts')
  const isAdding = useSignal(false)
  const chosen = useSignal<{ readonly account: Account; readonly act: Act } | null>(null)
  const bearer = useSignal<string | null>(null)
  const choose = (account: Account, act: Act): void => {
    chosen.value = { account, act }
  }
  return (
    <Page
      title="Service accounts"
      actions={
        <May use="users.write">
          <Button
            kind="primary"
            icon="plus"
            onClick={() => {
              isAdding.value = true
            }}
          >
            New service account
          </Button>
        </May>
      }
    >
      <p class="faint">
        A program sends its key with every request to the admin API: <code>Authorization: Bearer KEY</code>.
      </p>
      <DataTable
        caption="Service accounts"
        list={pageOfRead(read, ({ accounts }) => accounts)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => name, cut: ({ name }) => name },
          { title: 'Role', cell: ({ role }) => role },
          { title: 'Merchants', cell: (one) => (one.allMerchants ? 'all' : one.merchantIds.length), minor: true },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Keys', cell: (one) => <Keys account={one} onChanged={read.reload} /> },
          {
            title: 'Actions',
            end: true,
            cell: (one) => may('users.write') && <Actions account={one} onChoose={choose} />,
          },
        ]}
        empty={
          <Empty title="No service accounts.">
            <p>Create one for each program that uses the admin API, with the rights that it needs.</p>
          </Empty>
        }
      />
      {isAdding.value && (
        <NewServiceAccountDialog
          onDone={(newKey) => {
            bearer.value = newKey
            isAdding.value = false
            read.reload()
          }}
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
      {chosen.value && (
        <ActDialog
          {...chosen.value}
          onDone={(newKey) => {
            bearer.value = newKey
            read.reload()
          }}
          onClose={() => {
            chosen.value = null
          }}
        />
      )}
      {bearer.value !== null && (
        <SecretOnce
          title="The key"
          secrets={[['Key', bearer.value]]}
          onClose={() => {
            bearer.value = null
          }}
        />
      )}
    </Page>
  )
}

interface KeysProps {
  readonly account: Account
  readonly onChanged: () => void
}

function Keys({ account, onChanged }: KeysProps): JSX.Element {
  const removed = useSignal<string | null>(null)
  const remove = async (): Promise<Result<unknown>> => {
    const params = { serviceAccountId: account.id, keyId: removed.value ?? '' }
    const result = await call('DELETE /service-accounts/:serviceAccountId/keys/:keyId', { params })
    if (result.ok) onChanged()
    return result
  }
  if (account.keys.length === 0) return <span class="faint">none</span>
  return (
    <>
      {account.keys.map(({ id, expiresAt, lastUsedAt }) => (
        <span key={id} class="fate upright">
          <span>
            expires <DateTime at={expiresAt} />
            {may('users.write') && (
              <Button
                small
                kind="quiet"
                icon="close"
                label={`Remove a key of ${account.name}`}
                onClick={() => {
                  removed.value = id
                }}
              />
            )}
          </span>
          <span class="faint">
            {lastUsedAt === null ? (
              'never used'
            ) : (
              <>
                last used <DateTime at={lastUsedAt} />
              </>
            )}
          </span>
        </span>
      ))}
      {removed.value !== null && (
        <ConfirmDialog
          title="Remove key?"
          act="Remove"
          danger
          onConfirm={remove}
          onClose={() => {
            removed.value = null
          }}
        >
          <p>Programs that use this key are refused at once.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface ActionsProps {
  readonly account: Account
  readonly onChoose: (account: Account, act: Act) => void
}

const Actions = ({ account, onChoose }: ActionsProps): JSX.Element => (
  <span class="row-actions">
    {account.status === 'active' && (
      <Button small onClick={() => onChoose(account, 'key')}>
        New key
      </Button>
    )}
    <Button small onClick={() => onChoose(account, 'status')}>
      {account.status === 'active' ? 'Disable' : 'Enable'}
    </Button>
  </span>
)

interface ActDialogProps {
  readonly account: Account
  readonly act: Act
  /** With the new key, if one was made. */
  readonly onDone: (bearer: string | null) => void
  readonly onClose: () => void
}

function ActDialog({ account, act, onDone, onClose }: ActDialogProps): JSX.Element {
  const isActive = account.status === 'active'
  const addKey = async (): Promise<Result<unknown>> => {
    const params = { serviceAccountId: account.id }
    const result = await call('POST /service-accounts/:serviceAccountId/keys', { params, body: {} })
    if (result.ok) onDone(result.value.bearer)
    return result
  }
  const setStatus = async (): Promise<Result<unknown>> => {
    const body = { status: isActive ? ('disabled' as const) : ('active' as const) }
    const result = await call('PATCH /users/:userId', { params: { userId: account.id }, body })
    if (result.ok) onDone(null)
    return result
  }
  if (act === 'key')
    return (
      <ConfirmDialog title={`New key for ${account.name}?`} act="Create key" onConfirm={addKey} onClose={onClose}>
        <p>The key is valid for 90 days. The other keys of the account end in 24 hours.</p>
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      title={`${isActive ? 'Disable' : 'Enable'} ${account.name}?`}
      act={isActive ? 'Disable' : 'Enable'}
      danger={isActive}
      onConfirm={setStatus}
      onClose={onClose}
    >
      <p>{isActive ? 'All of its keys are refused at once.' : 'Its keys that have not expired work again.'}</p>
    </ConfirmDialog>
  )
}
