/** The operator's own record of wallet A, which serves every merchant of the platform setup (chapter 40 §2, §3). */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { FileButton } from '../../kit/form/file-button.tsx'
import { readBase64 } from '../../kit/form/file-bytes.ts'
import { May } from '../../kit/may.tsx'
import { Page, Section } from '../../kit/page.tsx'
import { Notice, ReadResult } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { platformKeys } from '../merchant/wallets/key-endpoints.ts'
import { WalletHistory } from '../merchant/wallets/wallet-history.tsx'
import { WalletKeys } from '../merchant/wallets/wallet-keys.tsx'
import { RecordForm } from './record-form.tsx'

type PlatformWallet = Answer<'GET /platform-wallet'>

export function PlatformWalletPage(): JSX.Element {
  const read = useReading('GET /platform-wallet')
  return (
    <Page title="Platform wallet">
      <p>
        Merchants that use wallet A through the platform have no keys of their own. They use the keys of this record, in
        both live and test mode.
      </p>
      <ReadResult read={read} lines={8}>
        {(record) => <PlatformRecord record={record} onChanged={read.reload} />}
      </ReadResult>
    </Page>
  )
}

interface PlatformRecordProps {
  readonly record: PlatformWallet
  readonly onChanged: () => void
}

function PlatformRecord({ record: { view, history, now, fileSha256 }, onChanged }: PlatformRecordProps): JSX.Element {
  return (
    <>
      {view === null && (
        <Notice tone="warn">
          <p>No record yet. Merchants cannot use wallet A through the platform until you create it.</p>
        </Notice>
      )}
      <Section title="Settings">
        <RecordForm key={view?.settings.version ?? 0} view={view} onSaved={onChanged} />
      </Section>
      {view !== null && (
        <>
          <WalletKeys endpoints={platformKeys} keys={view.keys} now={now} onChanged={onChanged} />
          <FileSection sha256={fileSha256} onChanged={onChanged} />
        </>
      )}
      <WalletHistory history={history} />
    </>
  )
}

interface FileSectionProps {
  readonly sha256: string | null
  readonly onChanged: () => void
}

function FileSection({ sha256, onChanged }: FileSectionProps): JSX.Element {
  const upload = async (file: File): Promise<void> => {
    const result = await call('PUT /platform-wallet/file', { body: { base64: await readBase64(file) } })
    if (!result.ok) return toastFault(result.fault)
    toast(`${file.name} is now served, and the domains are checked against it.`)
    onChanged()
  }
  return (
    <Section
      title="Association file"
      actions={
        <May use="wallet-platform.write">
          <FileButton onChosen={(file) => void upload(file)}>
            {sha256 === null ? 'Upload file' : 'Replace file'}
          </FileButton>
        </May>
      }
    >
      <p>Served on this service’s hosts. Domains of platform merchants must serve the same file.</p>
      {sha256 === null ? (
        <p class="faint">No file yet.</p>
      ) : (
        <p class="faint">
          Its SHA-256 is <span class="mono">{sha256}</span>.
        </p>
      )}
    </Section>
  )
}
