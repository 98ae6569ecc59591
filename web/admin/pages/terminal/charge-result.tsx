/** The last step: what became of the payment. */
import type { JSX } from 'preact'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Section } from '../../kit/page.tsx'
import { Notice } from '../../kit/states.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import type { Charge, Opened } from './terminal-steps.ts'

interface ChargeResultProps {
  readonly opened: Opened
  readonly charge: Charge
  readonly onNext: () => void
}

export function ChargeResult({ opened, charge, onNext }: ChargeResultProps): JSX.Element {
  const { result, paymentId, status, cardMask, amountMinor, currency, amountDecimals, declineReason } = charge
  return (
    <Section title="Result">
      <div role="status">
        <Outcome opened={opened} charge={charge} />
      </div>
      <KeyValues
        rows={[
          ['Status', <Status of={status} />],
          ['Amount', <Money minor={amountMinor} currency={currency} decimals={amountDecimals} />],
          ['Order number', opened.orderNumber],
          ['Payer', opened.payerName],
          cardMask !== null && ['Card', `•••• ${cardMask.slice(-4)}`],
          result === 'declined' && ['Reason', declineReason],
          result === 'approved' && ['Receipt', receiptText(opened, charge)],
          ['Payment', <Link to={`/merchants/${opened.merchantId}/payments/${paymentId}`}>{paymentId}</Link>],
        ]}
      />
      <div class="form-actions">
        <Button kind="primary" onClick={onNext}>
          Next payment
        </Button>
      </div>
    </Section>
  )
}

function Outcome({ opened, charge: { result } }: Pick<ChargeResultProps, 'opened' | 'charge'>): JSX.Element {
  switch (result) {
    case 'approved':
      return <Notice tone="good">{opened.auth ? 'Authorised. Capture it later.' : 'Paid.'}</Notice>
    case 'declined':
      return <Notice tone="bad">Declined. No money was taken.</Notice>
    case 'open':
      return (
        <Notice tone="warn">
          The outcome is not known yet. Do not charge again: open the payment to see what becomes of it.
        </Notice>
      )
  }
}

const receiptText = ({ email }: Opened, { isReceiptSent }: Charge): string =>
  isReceiptSent
    ? `Sent to ${email}`
    : email === ''
      ? 'Not sent: no e-mail address'
      : 'Not sent: no mail server is configured'
