/** Addresses that are blocked because they did not answer, and unblocking them. Chapter 10 §11. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'

type BlockedAddress = Answer<'GET /blocked-addresses'>['addresses'][number]

export function BlockedAddresses(): JSX.Element {
  const read = useReading('GET /blocked-addresses')
  const merchants = useMerchants()
  const lifting = useSignal<BlockedAddress | null>(null)
  const columns: readonly Column<BlockedAddress>[] = [
    { title: 'Address', cell: ({ url }) => url },
    {
      title: 'Merchants',
      cell: ({ merchantIds }) =>
        merchantIds.length === 0
          ? 'set by payments'
          : merchantIds.map((id) => (
              <span key={id} class="listed">
                <Link to={`/merchants/${id}`}>{merchants.title(id)}</Link>
              </span>
            )),
    },
    { title: 'Blocked until', cell: ({ until }) => <DateTime at={until} seconds />, whole: true },
  ]
  const action: Column<BlockedAddress> = {
    title: 'Actions',
    end: true,
    cell: (one) => (
      <Button
        small
        onClick={() => {
          lifting.value = one
        }}
      >
        Unblock
      </Button>
    ),
  }
  return (
    <>
      <DataTable
        caption="Blocked addresses"
        list={pageOfRead(read, ({ addresses }) => addresses)}
        keyOf={({ url }) => url}
        columns={may('callbacks.resend') ? [...columns, action] : columns}
        empty={
          <Empty title="No blocked addresses.">
            <p>An address that keeps failing is blocked for a while and listed here.</p>
          </Empty>
        }
      />
      {lifting.value && (
        <UnblockDialog
          url={lifting.value.url}
          onDone={read.reload}
          onClose={() => {
            lifting.value = null
          }}
        />
      )}
    </>
  )
}

interface UnblockDialogProps {
  readonly url: string
  readonly onDone: () => void
  readonly onClose: () => void
}

function UnblockDialog({ url, onDone, onClose }: UnblockDialogProps): JSX.Element {
  return (
    <ConfirmDialog
      title="Unblock this address?"
      act="Unblock"
      onClose={onClose}
      onConfirm={async () => {
        const result = await call('POST /blocked-addresses/unblock', { body: { url } })
        if (result.ok) {
          toast('Address unblocked. Waiting callbacks are being sent.')
          onDone()
        }
        return result
      }}
    >
      <p>
        <code>{url}</code>
      </p>
      <p>All waiting callbacks are sent immediately. If the address still fails, it is blocked again.</p>
    </ConfirmDialog>
  )
}
