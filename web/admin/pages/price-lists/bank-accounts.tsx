/** The bank accounts to which a merchant is paid, one per currency. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { may } from '../../session/session.ts'
import { accountText } from '../payout-runs/account-text.ts'

export function BankAccounts({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const read = useReading('GET /merchants/:merchantId/payout-accounts', { params: { merchantId } })
  const isEntering = useSignal(false)
  return (
    <>
      {may('accounts.write') && (
        <p>
          <Button
            onClick={() => {
              isEntering.value = true
            }}
          >
            Change bank account
          </Button>
        </p>
      )}
      <DataTable
        caption="Bank accounts"
        list={pageOfRead(read, ({ accounts }) => accounts)}
        keyOf={({ currency }) => currency}
        columns={[
          { title: 'Currency', cell: ({ currency }) => currency },
          { title: 'Holder', cell: ({ holder }) => holder },
          { title: 'Account', cell: ({ number }) => <span class="mono">{accountText(number)}</span> },
          { title: 'BIC', cell: ({ bic }) => bic ?? '—', minor: true },
        ]}
        empty={
          <Empty title="No bank accounts.">
            <p>A payout run pays only merchants with a bank account in its currency.</p>
          </Empty>
        }
      />
      {isEntering.value && (
        <AccountDialog
          merchantId={merchantId}
          onDone={read.reload}
          onClose={() => {
            isEntering.value = false
          }}
        />
      )}
    </>
  )
}

interface AccountDialogProps {
  readonly merchantId: string
  readonly onDone: () => void
  readonly onClose: () => void
}

function AccountDialog({ merchantId, onDone, onClose }: AccountDialogProps): JSX.Element {
  const form = useForm({
    initial: { currency: 'EUR', holder: '', number: '', bic: '', reason: '' },
    check: ({ currency, holder, number, reason }) => ({
      currency: /^[A-Za-z]{3}$/.test(currency.trim()) ? null : 'Enter a currency such as EUR.',
      holder: holder.trim() === '' ? 'Enter the account holder.' : null,
      number: number.trim() === '' ? 'Enter the IBAN or account number.' : null,
      reason: reason.trim() === '' ? 'Enter who requested the change and how you verified it.' : null,
    }),
    send: ({ currency, holder, number, bic, reason }) =>
      call('PUT /merchants/:merchantId/payout-accounts/:currency', {
        params: { merchantId, currency: currency.trim().toUpperCase() },
        body: { holder, number, bic: bic.trim() === '' ? null : bic, reason },
      }),
    onDone: () => {
      toast('Change requested. A second person approves it under Approvals.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Bank account" onClose={onClose}>
      <Form form={form} act="Request approval" onCancel={onClose}>
        <p>Payouts go to the new account once a second person has approved it.</p>
        <TextField
          label="Currency"
          hint="Replaces the account in this currency."
          maxLength={3}
          at={form.at('currency')}
        />
        <TextField label="Holder" at={form.at('holder')} />
        <TextField label="IBAN or account number" mono at={form.at('number')} />
        <TextField label="BIC" optional mono at={form.at('bic')} />
        <TextArea label="Reason" rows={2} at={form.at('reason')} />
      </Form>
    </Dialog>
  )
}
