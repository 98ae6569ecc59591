/** The fields that a decision and a return have in common: the acquirer's record, and the grounds for the second person. */
import type { JSX } from 'preact'
import { FieldRow, TextArea, TextField } from '../../kit/form/fields.tsx'
import type { FieldBinding } from '../../kit/form/use-form.ts'
import { amountFault, typedAmount } from '../../kit/values/amount.ts'

interface Sum {
  readonly amountMinor: string
  readonly currency: string
  readonly amountDecimals: number
}

interface ExecutionValues {
  readonly reference: string
  readonly amount: string
  readonly date: string
}

interface GroundsValues {
  readonly reason: string
  readonly evidence: string
}

export const initialExecution = ({ amountMinor, currency, amountDecimals }: Sum): ExecutionValues & GroundsValues => ({
  reference: '',
  amount: typedAmount(amountMinor, currency, amountDecimals),
  date: '',
  reason: '',
  evidence: '',
})

const missing = (text: string, words: string): string | null => (text.trim() === '' ? words : null)

/** The server knows the largest amount: a payer of a crypto currency may have sent more than was ordered. */
export const executionFaults = ({ reference, amount, date }: ExecutionValues, { currency, amountDecimals }: Sum) => ({
  reference: missing(reference, 'Enter the acquirer’s reference.'),
  amount: amountFault(amount, currency, 10n ** 37n, amountDecimals),
  date: missing(date, 'Enter the date at the acquirer.'),
})

export const groundsFaults = ({ reason, evidence }: GroundsValues) => ({
  reason: missing(reason, 'Enter a reason.'),
  evidence: missing(evidence, 'Enter what the decision is based on.'),
})

interface ExecutionFieldsProps {
  readonly currency: string
  readonly reference: FieldBinding<string>
  readonly amount: FieldBinding<string>
  readonly date: FieldBinding<string>
}

export const ExecutionFields = ({ currency, reference, amount, date }: ExecutionFieldsProps): JSX.Element => (
  <>
    <TextField label="Acquirer’s reference" maxLength={100} at={reference} />
    <FieldRow>
      <TextField label={`Amount in ${currency}`} inputMode="decimal" at={amount} />
      <TextField label="Date at the acquirer" type="date" at={date} />
    </FieldRow>
  </>
)

interface GroundsFieldsProps {
  readonly reason: FieldBinding<string>
  readonly evidence: FieldBinding<string>
}

export const GroundsFields = ({ reason, evidence }: GroundsFieldsProps): JSX.Element => (
  <>
    <TextArea label="Reason" rows={2} at={reason} />
    <TextArea
      label="Evidence"
      hint="For example the acquirer’s ticket or a line of its report. No card data."
      rows={3}
      at={evidence}
    />
  </>
)
