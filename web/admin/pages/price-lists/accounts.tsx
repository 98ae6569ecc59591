/** The accounts of a merchant per currency, and corrections of what it is owed. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../kit/form/fields.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { useForm } from '../../kit/form/use-form.ts'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { minorOf } from '../../kit/values/amount.ts'
import { Money } from '../../kit/values/money.tsx'
import { may } from '../../session/session.ts'

type Account = Answer<'GET /merchants/:merchantId/accounts'>['accounts'][number]

export function Accounts({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const filters = useFilters(['to', 'from'])
  const { from: firstDay, to: lastDay } = filters.values
  const isPeriod = firstDay !== '' || lastDay !== ''
  const query = { from: firstDay || undefined, to: lastDay || undefined }
  const read = useReading('GET /merchants/:merchantId/accounts', { params: { merchantId }, query })
  const corrected = useSignal<Account | null>(null)
  const money = (of: (one: Account) => string) => (one: Account) => (
    <Money minor={of(one)} currency={one.currency} decimals={one.decimals} />
  )
  return (
    <>
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'date', name: 'from', label: 'From' },
          { kind: 'date', name: 'to', label: 'To' },
        ]}
      />
      <p class="faint">
        {isPeriod ? 'Changes on these days, in UTC.' : 'Current balances. Select days to see their changes.'}
      </p>
      <DataTable
        caption="Accounts"
        list={pageOfRead(read, ({ accounts }) => accounts)}
        keyOf={({ currency }) => currency}
        columns={[
          { title: 'Currency', cell: ({ currency }) => currency },
          { title: 'Payable', end: true, cell: money(({ payableMinor }) => payableMinor) },
          { title: 'Reserve', end: true, cell: money(({ reserveMinor }) => reserveMinor) },
          { title: 'Fees', end: true, cell: money(({ feesMinor }) => feesMinor) },
          ...(may('settlements.read')
            ? [
                {
                  title: 'Acquirer’s fees',
                  end: true,
                  minor: true,
                  cell: money(({ acquirerFeesMinor = '0' }) => acquirerFeesMinor),
                },
                { title: 'Margin', end: true, minor: true, cell: money(({ marginMinor = '0' }) => marginMinor) },
              ]
            : []),
          { title: 'Owed by acquirers', end: true, minor: true, cell: money(({ receivableMinor }) => receivableMinor) },
          { title: 'Paid out', end: true, minor: true, cell: money(({ paidOutMinor }) => paidOutMinor) },
          ...(may('accounts.write')
            ? [
                {
                  title: 'Actions',
                  end: true,
                  cell: (one: Account) => (
                    <Button
                      small
                      onClick={() => {
                        corrected.value = one
                      }}
                    >
                      Correct
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
        empty={
          isPeriod ? (
            <Empty title="No postings on these days.">
              <p>Select other days, or clear the filters to see the balances now.</p>
            </Empty>
          ) : (
            <Empty title="No postings for this merchant yet.">
              <p>The first live payment appears here.</p>
            </Empty>
          )
        }
      />
      {corrected.value && (
        <CorrectionDialog
          merchantId={merchantId}
          account={corrected.value}
          onClose={() => {
            corrected.value = null
          }}
        />
      )}
    </>
  )
}

interface CorrectionDialogProps {
  readonly merchantId: string
  readonly account: Account
  readonly onClose: () => void
}

const directions = [
  { value: 'more', text: 'The merchant gets more' },
  { value: 'less', text: 'The merchant gets less' },
] as const

interface Correction {
  readonly direction: 'more' | 'less'
  readonly amount: string
  readonly reason: string
}

function CorrectionDialog({
  merchantId,
  account: { currency, decimals },
  onClose,
}: CorrectionDialogProps): JSX.Element {
  const form = useForm<Correction, unknown>({
    initial: { direction: 'more', amount: '', reason: '' },
    check: ({ amount, reason }) => ({
      amount: minorOf(amount, currency, decimals) === null ? `Enter an amount in ${currency}.` : null,
      reason: reason.trim() === '' ? 'Enter a reason.' : null,
    }),
    paths: { amount: 'amountMinor' },
    send: ({ direction, amount, reason }) => {
      const minor = minorOf(amount, currency, decimals) ?? '0'
      const amountMinor = direction === 'less' && minor !== '0' ? `-${minor}` : minor
      return call('POST /merchants/:merchantId/corrections', {
        params: { merchantId },
        body: { currency, amountMinor, reason },
      })
    },
    onDone: () => {
      toast('A second person approves the correction under Approvals.')
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title={`Correct the account in ${currency}`} onClose={onClose}>
      <Form form={form} act="Request approval" onCancel={onClose}>
        <SelectField label="Direction" options={directions} at={form.at('direction')} />
        <TextField label={`Amount in ${currency}`} inputMode="decimal" at={form.at('amount')} />
        <TextArea label="Reason" rows={2} at={form.at('reason')} />
      </Form>
    </Dialog>
  )
}
