/** Settlement files of acquirers: upload, differences, and the comparison per MID and day. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from '../../kit/button.tsx'
import { Page } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { may } from '../../session/session.ts'
import { BankDialog } from '../payout-runs/bank-dialog.tsx'
import { Bank } from './bank.tsx'
import { Days } from './days.tsx'
import { Differences } from './differences.tsx'
import { Files } from './files.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { RunningImports } from './running-imports.tsx'

export function SettlementsPage(): JSX.Element {
  const open = useSignal<'file' | 'bank' | null>(null)
  const show = (what: 'file' | 'bank') => (): void => {
    open.value = what
  }
  const close = (): void => {
    open.value = null
  }
  // A new key makes the lists read again.
  const imports = useSignal(0)
  const readAgain = (): void => {
    imports.value += 1
  }
  return (
    <Page
      title="Settlements"
      actions={
        <>
          {may('payouts.write') && <Button onClick={show('bank')}>Import bank statement</Button>}
          {may('settlements.write') && (
            <Button kind="primary" onClick={show('file')}>
              Import file
            </Button>
          )}
        </>
      }
    >
      <RunningImports />
      <Tabs
        label="Settlements"
        tabs={[
          { name: 'differences', title: 'Differences', content: () => <Differences key={imports.value} /> },
          { name: 'days', title: 'Days', content: () => <Days key={imports.value} /> },
          { name: 'bank', title: 'Bank', content: () => <Bank key={imports.value} /> },
          { name: 'files', title: 'Files', content: () => <Files key={imports.value} /> },
        ]}
      />
      {open.value === 'file' && <ImportDialog onDone={readAgain} onClose={close} />}
      {open.value === 'bank' && <BankDialog onDone={readAgain} onClose={close} />}
    </Page>
  )
}
