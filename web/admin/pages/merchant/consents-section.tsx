/** Payers' consents to later payments, by the payment at which they were given, and their withdrawal (chapter 30 §7.5). */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { usePages } from '../../api/use-pages.ts'
import { Badge, Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable } from '../../kit/data-table.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { may } from '../../session/session.ts'

type Consent = Answer<'GET /merchants/:merchantId/consents'>['consents'][number]

const pageSize = 50
const states = ['active', 'cancelled', 'ignored'] as const

export function ConsentsSection({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const filters = useFilters(['state'])
  const withdrawing = useSignal<Consent | null>(null)
  const state = states.find((one) => one === filters.values.state)
  const list = usePages(
    'GET /merchants/:merchantId/consents',
    { params: { merchantId }, query: { limit: pageSize, state } },
    {
      rows: ({ consents }) => consents,
      next: ({ consents }) => (consents.length < pageSize ? null : { before: consents.at(-1)?.paymentId }),
    },
  )
  return (
    <Section title="Consents">
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'state', label: 'State', options: states.map((one) => ({ value: one, text: one })) },
        ]}
      />
      <DataTable
        caption="Consents"
        list={list}
        keyOf={({ paymentId }) => paymentId}
        linkOf={({ paymentId }) => `/merchants/${merchantId}/payments/${paymentId}`}
        columns={columnsWith((one) => {
          withdrawing.value = one
        })}
        empty={
          <Empty title={state === undefined ? 'No consents yet.' : 'No consents in this state.'}>
            <p>Sessions with recurring_consent_required ask the payer for consent on the hosted page.</p>
          </Empty>
        }
      />
      {withdrawing.value && (
        <WithdrawDialog
          merchantId={merchantId}
          consent={withdrawing.value}
          onDone={list.reload}
          onClose={() => {
            withdrawing.value = null
          }}
        />
      )}
    </Section>
  )
}

function columnsWith(withdraw: (consent: Consent) => void): readonly Column<Consent>[] {
  const columns: readonly Column<Consent>[] = [
    { title: 'Order', cell: ({ orderId }) => orderId },
    {
      title: 'State',
      cell: ({ state, test }) => (
        <span class="badges">
          <Status of={state} /> {test && <Badge tone="info">test</Badge>}
        </span>
      ),
    },
    { title: 'Payer', cell: ({ payerEmail }) => payerEmail ?? '—' },
    { title: 'Card', cell: ({ cardMask }) => <span class="mono">{cardMask ?? '—'}</span>, minor: true },
    { title: 'Consent', cell: ({ consentId }) => <span class="mono">{consentId ?? '—'}</span>, minor: true },
    { title: 'Requested', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  ]
  if (!may('schedules.write')) return columns
  const buttons: Column<Consent> = {
    title: 'Actions',
    end: true,
    cell: (consent) =>
      consent.state === 'active' && (
        <Button small kind="danger" onClick={() => withdraw(consent)}>
          Withdraw
        </Button>
      ),
  }
  return [...columns, buttons]
}

interface WithdrawDialogProps {
  readonly merchantId: string
  readonly consent: Consent
  readonly onDone: () => void
  readonly onClose: () => void
}

const WithdrawDialog = ({ merchantId, consent, onDone, onClose }: WithdrawDialogProps): JSX.Element => (
  <ConfirmDialog
    title="Withdraw consent?"
    act="Withdraw"
    danger
    onClose={onClose}
    onConfirm={async () => {
      const params = { merchantId, paymentId: consent.paymentId }
      const result = await call('POST /merchants/:merchantId/payments/:paymentId/consent/withdraw', {
        params,
        body: {},
      })
      if (result.ok) {
        const { endedPlans } = result.value
        toast(
          endedPlans === 0
            ? 'Consent withdrawn.'
            : `Consent withdrawn; ${endedPlans === 1 ? 'its plan has' : 'its plans have'} ended.`,
        )
        onDone()
      }
      return result
    }}
  >
    <p>
      {consent.payerEmail ?? 'The payer'} will no longer be charged for order {consent.orderId}: plans based on this
      consent end, and further payments of its chain are refused. This cannot be undone.
    </p>
  </ConfirmDialog>
)
