/** The keys of a wallet: which one decrypts, when its certificate expires, and the rotation in which two overlap (chapter 40 §5). */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Status } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { Copyable } from '../../../kit/copy-button.tsx'
import { type Column, DataTable, pageOfRows } from '../../../kit/data-table.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx'
import { May } from '../../../kit/may.tsx'
import { Section } from '../../../kit/page.tsx'
import { Empty } from '../../../kit/states.tsx'
import { toast, toastFault } from '../../../kit/toasts.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import { may } from '../../../session/session.ts'
import { CertificateEnd } from './certificate-end.tsx'
import type { KeyEndpoints } from './key-endpoints.ts'
import { NewKeyForm } from './new-key-form.tsx'
import type { WalletView } from './wallet-record.ts'

type WalletKey = WalletView['keys'][number]

interface WalletKeysProps {
  readonly endpoints: KeyEndpoints
  readonly keys: readonly WalletKey[]
  /** The time of the instance. */
  readonly now: string
  readonly onChanged: () => void
}

type OpenDialog = { readonly what: 'new' } | { readonly what: 'request' | 'retire'; readonly key: WalletKey }

export function WalletKeys({ endpoints, keys, now, onChanged }: WalletKeysProps): JSX.Element {
  const opened = useSignal<OpenDialog | null>(null)
  const close = (): void => {
    opened.value = null
  }
  const promote = async ({ fingerprint }: WalletKey): Promise<void> => {
    const result = await endpoints.promote(fingerprint)
    if (!result.ok) return toastFault(result.fault)
    toast('Key promoted. The previous key keeps working for a while.')
    onChanged()
  }
  return (
    <Section
      title="Keys and certificates"
      actions={
        <May use={endpoints.permission}>
          <Button
            icon="plus"
            onClick={() => {
              opened.value = { what: 'new' }
            }}
          >
            Add key
          </Button>
        </May>
      }
    >
      <DataTable
        caption="Keys and certificates"
        list={pageOfRows(keys)}
        keyOf={({ id }) => id}
        columns={columnsWith(now, may(endpoints.permission), {
          promote: (key) => void promote(key),
          open: (next) => {
            opened.value = next
          },
        })}
        empty={
          <Empty title="No keys yet.">
            <p>Paste keys in the settings above, or create a key here: its private key never leaves the service.</p>
          </Empty>
        }
      />
      {opened.value?.what === 'new' && (
        <Dialog title="Add key" onClose={close} shape="wide">
          <NewKeyForm
            endpoints={endpoints}
            onCancel={close}
            onDone={(words) => {
              close()
              toast(words)
              onChanged()
            }}
          />
        </Dialog>
      )}
      {opened.value?.what === 'request' && (
        <Dialog title="Certificate request" onClose={close} shape="wide">
          <p>Upload this request to the wallet provider. When you receive the certificate, add it with “Add key”.</p>
          <Copyable text={opened.value.key.request ?? ''} label="Copy the request" />
        </Dialog>
      )}
      {opened.value?.what === 'retire' && (
        <RetireDialog endpoints={endpoints} walletKey={opened.value.key} onClose={close} onDone={onChanged} />
      )}
    </Section>
  )
}

interface Acts {
  readonly promote: (key: WalletKey) => void
  readonly open: (next: OpenDialog) => void
}

function columnsWith(now: string, mayWrite: boolean, acts: Acts): readonly Column<WalletKey>[] {
  const columns: readonly Column<WalletKey>[] = [
    { title: 'Role', cell: ({ role }) => role },
    { title: 'State', cell: ({ state }) => <Status of={state} /> },
    { title: 'Type', cell: ({ type }) => type, minor: true },
    {
      title: 'Fingerprint',
      cell: ({ fingerprint }) => <Copyable text={fingerprint} label="Copy the fingerprint" first={16} />,
      whole: true,
    },
    { title: 'Certificate until', cell: (key) => <CertificateEnd walletKey={key} now={now} /> },
    { title: 'Decrypts until', cell: ({ until }) => <DateTime at={until} />, minor: true },
  ]
  if (!mayWrite) return columns
  return [...columns, { title: 'Actions', end: true, cell: (key) => <KeyActions walletKey={key} acts={acts} /> }]
}

const KeyActions = ({ walletKey, acts }: { readonly walletKey: WalletKey; readonly acts: Acts }): JSX.Element => (
  <div class="row-actions">
    {walletKey.request !== null && walletKey.certificate === null && (
      <Button small onClick={() => acts.open({ what: 'request', key: walletKey })}>
        Show request
      </Button>
    )}
    {walletKey.state === 'next' && (
      <Button small onClick={() => acts.promote(walletKey)}>
        Promote
      </Button>
    )}
    {walletKey.state !== 'retired' && (
      <Button small kind="danger" onClick={() => acts.open({ what: 'retire', key: walletKey })}>
        Retire
      </Button>
    )}
  </div>
)

interface RetireDialogProps {
  readonly endpoints: KeyEndpoints
  readonly walletKey: WalletKey
  readonly onClose: () => void
  readonly onDone: () => void
}

const RetireDialog = ({ endpoints, walletKey, onClose, onDone }: RetireDialogProps): JSX.Element => (
  <ConfirmDialog
    title="Retire key?"
    act="Retire"
    danger
    onClose={onClose}
    onConfirm={async () => {
      const result = await endpoints.retire(walletKey.fingerprint)
      if (result.ok) {
        toast('Key retired.')
        onDone()
      }
      return result
    }}
  >
    <p>
      The private key is destroyed. Tokens encrypted with it can no longer be decrypted
      {walletKey.state === 'current' ? '. This is the current key' : ''}.
    </p>
  </ConfirmDialog>
)
