/** Capture, void and retry: each dialog states what will happen. */
import type { JSX } from 'preact'
import { call, type Result } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { amountFault, minorOf, typedAmount } from '../../kit/values/amount.ts'
import { moneyText } from '../../kit/values/money-text.ts'
import type { CommandProps } from './command-props.ts'
import { type Payment, placeOf } from './details.ts'
import { toastOutcome } from './toast-outcome.ts'

const sumOf = ({ currency, amountDecimals }: Payment, minor: string | bigint): string =>
  moneyText({ minor, currency, decimals: amountDecimals })

export function CaptureDialog({ details, onDone, onClose }: CommandProps): JSX.Element {
  const { payment, offers } = details
  const { currency, authorisedMinor, amountDecimals } = payment
  const form = useForm({
    initial: { amount: typedAmount(authorisedMinor, currency, amountDecimals) },
    check: ({ amount }) => ({ amount: amountFault(amount, currency, authorisedMinor, amountDecimals) }),
    paths: { amount: 'amountMinor' },
    send: ({ amount }) => {
      const amountMinor = minorOf(amount, currency, amountDecimals) ?? ''
      const body = amountMinor === authorisedMinor ? {} : { amountMinor }
      return call('POST /merchants/:merchantId/payments/:paymentId/capture', { params: placeOf(payment), body })
    },
    onDone: ({ result }) => {
      toastOutcome(result, payment)
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Capture" onClose={onClose}>
      <Form form={form} act="Capture" onCancel={onClose}>
        <p>{sumOf(payment, authorisedMinor)} is held. What is not captured now is released to the payer.</p>
        <TextField
          label={`Amount in ${currency}`}
          inputMode="decimal"
          hint={offers.partialCapture ? undefined : 'This payment can only be captured in full.'}
          disabled={!offers.partialCapture}
          at={form.at('amount')}
        />
      </Form>
    </Dialog>
  )
}

export function VoidDialog({ details: { payment }, onDone, onClose }: CommandProps): JSX.Element {
  const confirm = async (): Promise<Result<unknown>> => {
    const params = placeOf(payment)
    const result = await call('POST /merchants/:merchantId/payments/:paymentId/void', { params, body: {} })
    if (result.ok) {
      toastOutcome(result.value.result, payment)
      onDone()
    }
    return result
  }
  return (
    <ConfirmDialog title="Void payment?" act="Void" danger onConfirm={confirm} onClose={onClose}>
      <p>
        {sumOf(payment, payment.capturedMinor)} is returned to the payer. A void is possible only on the financial day
        of the payment and cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

export function RetryDialog({ details: { payment }, onDone, onClose }: CommandProps): JSX.Element {
  const confirm = async (): Promise<Result<unknown>> => {
    const params = placeOf(payment)
    const result = await call('POST /merchants/:merchantId/payments/:paymentId/retry', { params, body: {} })
    if (result.ok) {
      toastOutcome(result.value.result, payment)
      onDone()
    }
    return result
  }
  return (
    <ConfirmDialog title="Charge the payer again?" act="Retry" onConfirm={confirm} onClose={onClose}>
      <p>
        {sumOf(payment, payment.amountMinor)} is charged again to the stored card. Card networks limit the number of
        retries; this counts as one.
      </p>
    </ConfirmDialog>
  )
}
