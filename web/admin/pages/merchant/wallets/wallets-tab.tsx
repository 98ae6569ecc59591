/** The wallets of a merchant in the selected mode (chapter 40 §3): settings, keys, certificates, domains and tasks. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call, textAt } from '../../../api/call.ts'
import { useReading } from '../../../api/use-reading.ts'
import { Button } from '../../../kit/button.tsx'
import { May } from '../../../kit/may.tsx'
import { Section } from '../../../kit/page.tsx'
import { Notice, ReadResult } from '../../../kit/states.tsx'
import { Tabs } from '../../../kit/tabs.tsx'
import { toast, toastFault } from '../../../kit/toasts.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import { KeyValues } from '../../../kit/values/key-values.tsx'
import { mode } from '../../../session/mode.ts'
import { session } from '../../../session/session.ts'
import { merchantKeys } from './key-endpoints.ts'
import { WalletDomains } from './wallet-domains.tsx'
import { WalletHistory } from './wallet-history.tsx'
import { WalletKeys } from './wallet-keys.tsx'
import type { WalletRecordKey, WalletView } from './wallet-record.ts'
import { WalletSettings } from './wallet-settings.tsx'
import { WalletState } from './wallet-state.tsx'
import { WalletTasks } from './wallet-tasks.tsx'
import { WalletWhy } from './wallet-why.tsx'

export function WalletsTab({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const owner = { merchantId, mode: mode.value }
  return (
    <Tabs
      label="Wallets"
      parameter="wallet"
      tabs={[
        {
          name: 'walletapay',
          title: 'Wallet A',
          content: () => <WalletRecord key={`a-${owner.mode}`} recordKey={{ ...owner, wallet: 'walletapay' }} />,
        },
        {
          name: 'walletbpay',
          title: 'Wallet B',
          content: () => <WalletRecord key={`b-${owner.mode}`} recordKey={{ ...owner, wallet: 'walletbpay' }} />,
        },
      ]}
    />
  )
}

function WalletRecord({ recordKey }: { readonly recordKey: WalletRecordKey }): JSX.Element {
  const params = { ...recordKey }
  const read = useReading('GET /merchants/:merchantId/wallets/:mode/:wallet', { params })
  return (
    <ReadResult read={read} lines={8}>
      {({ view, tasks, history, now }) => (
        <>
          <StateSection recordKey={recordKey} view={view} onChanged={read.reload} />
          {view !== null && <WalletWhy recordKey={recordKey} />}
          {tasks.length > 0 && <WalletTasks recordKey={recordKey} tasks={tasks} onChanged={read.reload} />}
          <Section title="Settings">
            <WalletSettings key={view?.settings.version ?? 0} recordKey={recordKey} view={view} onSaved={read.reload} />
          </Section>
          {view !== null && view.settings.setup === 'own_account' && (
            <WalletKeys endpoints={merchantKeys(recordKey)} keys={view.keys} now={now} onChanged={read.reload} />
          )}
          {view !== null && recordKey.wallet === 'walletapay' && (
            <WalletDomains
              recordKey={recordKey}
              domains={view.domains}
              setup={view.settings.setup}
              onChanged={read.reload}
            />
          )}
          <WalletHistory history={history} />
        </>
      )}
    </ReadResult>
  )
}

interface StateSectionProps {
  readonly recordKey: WalletRecordKey
  readonly view: WalletView | null
  readonly onChanged: () => void
}

function StateSection({ recordKey, view, onChanged }: StateSectionProps): JSX.Element {
  const findings = useSignal<readonly { readonly level: string; readonly text: string }[] | null>(null)
  const params = { ...recordKey }
  const identifier = textAt(view?.settings.fields, 'merchantIdentifier')
  const check = async (): Promise<void> => {
    const result = await call('GET /merchants/:merchantId/wallets/:mode/:wallet/check', { params })
    if (!result.ok) return toastFault(result.fault)
    findings.value = result.value.findings
  }
  const setUp = async (): Promise<void> => {
    const result = await call('POST /merchants/:merchantId/wallets/:mode/:wallet/testing', { params, body: {} })
    if (!result.ok) return toastFault(result.fault)
    toast('Wallet set up with keys of the sandbox authority.')
    onChanged()
  }
  return (
    <Section
      title="State"
      actions={
        <>
          {view !== null && <Button onClick={() => void check()}>Check now</Button>}
          {session.value?.mode === 'sandbox' && (
            <May use="wallets.write">
              <Button onClick={() => void setUp()}>Set up for testing</Button>
            </May>
          )}
        </>
      }
    >
      <WalletState view={view} />
      {view !== null && (
        <KeyValues
          rows={[
            ['Setup', view.settings.setup === 'platform' ? 'Through the platform' : 'Own account'],
            identifier !== '' && ['Merchant identifier', <span class="mono">{identifier}</span>],
            [
              'Accepts tokens from',
              view.settings.trustSource === 'wallet maker' ? 'wallet provider' : view.settings.trustSource,
            ],
            ['Changed', <DateTime at={view.settings.updatedAt} />],
          ]}
        />
      )}
      {findings.value !== null && <Findings findings={findings.value} />}
    </Section>
  )
}

function Findings({ findings }: { readonly findings: readonly { readonly level: string; readonly text: string }[] }) {
  const isBad = findings.some(({ level }) => level !== 'ok')
  return (
    <Notice tone={isBad ? 'warn' : 'good'}>
      <div role="status">
        <ul class="bare">
          {findings.length === 0 && <li>All checks passed.</li>}
          {findings.map(({ level, text }) => (
            <li key={text}>
              {level === 'ok' ? '' : `${level}: `}
              {text}
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  )
}
