/** Whether a chargeback was won or lost: the acquirer reports it, or two people record what it decided. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { toast } from '../../kit/toasts.tsx'
import { moneyText } from '../../kit/values/money-text.ts'
import { Link } from '../../router/link.tsx'
import { GroundsFields, groundsFaults } from '../unresolved/decision-fields.tsx'
import type { DisputeDetails } from './dispute.ts'

interface DecisionProps {
  readonly details: DisputeDetails
  readonly onDone: () => void
}

export function DecisionSection({ details, onDone }: DecisionProps): JSX.Element {
  const { acquirer, reportsDecisions, decisionRequestId } = details
  const isOpen = useSignal(false)
  return (
    <Section title="Decision">
      <p>
        {reportsDecisions
          ? `${acquirer} reports whether the dispute is won or lost, and returns the money of a won one. Nothing has to be entered.`
          : `${acquirer} does not report whether the dispute is won or lost. Two people record what it decided.`}
      </p>
      {decisionRequestId === null ? (
        <div class="form-actions">
          <Button
            onClick={() => {
              isOpen.value = true
            }}
          >
            {reportsDecisions ? 'The report is missing' : 'Record the decision'}
          </Button>
        </div>
      ) : (
        <p>
          A decision is <Link to="/approvals?state=waiting">waiting for approval</Link>.
        </p>
      )}
      {isOpen.value && (
        <DecisionDialog
          details={details}
          onDone={onDone}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </Section>
  )
}

const decisions = [
  { value: 'won', text: 'Won' },
  { value: 'lost', text: 'Lost' },
] as const

function DecisionDialog({ details, onDone, onClose }: DecisionProps & { readonly onClose: () => void }): JSX.Element {
  const { merchantId, id, acquirer, reportsDecisions, amountMinor, currency, amountDecimals: decimals } = details
  const form = useForm({
    initial: { decision: 'won' as 'won' | 'lost', reason: '', evidence: '' },
    check: groundsFaults,
    send: (values) =>
      call('POST /merchants/:merchantId/disputes/:disputeId/decision', {
        params: { merchantId, disputeId: id },
        body: { ...values, isReportMissing: reportsDecisions },
      }),
    onDone: () => {
      toast('The decision is waiting for approval.')
      onDone()
      onClose()
    },
    guards: false,
  })
  const amount = moneyText({ minor: amountMinor, currency, decimals })
  return (
    <Dialog title={reportsDecisions ? 'Record a decision without its report' : 'Record the decision'} onClose={onClose}>
      <Form form={form} act="Request approval" onCancel={onClose}>
        <p>
          {reportsDecisions
            ? `Only if ${acquirer} shows the dispute as decided and its notification has not come. If it comes later, it counts, and what it contradicts is posted back.`
            : `First look at what ${acquirer} decided.`}{' '}
          A second person approves. Won returns {amount} to the merchant’s balance; lost moves no money.
        </p>
        <SelectField label="Decision" options={decisions} at={form.at('decision')} />
        <GroundsFields reason={form.at('reason')} evidence={form.at('evidence')} />
      </Form>
    </Dialog>
  )
}
