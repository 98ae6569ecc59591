/** A new price list: its days, its rules, monthly fees and reserve. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { FieldGroup, FieldRow, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { MonthlyFees } from './monthly-fees.tsx'
import type { PriceList } from './price-list.ts'
import { RuleList } from './rule-list.tsx'
import { bodyOf, copyOf, emptyList, faultsOf, type TypedList } from './typed-list.ts'

interface AddDialogProps {
  readonly merchantId: string
  /** The list that is copied, if one is. */
  readonly from: PriceList | null
  readonly onDone: () => void
  readonly onClose: () => void
}

export function AddDialog({ merchantId, from, onDone, onClose }: AddDialogProps): JSX.Element {
  const form = useForm<TypedList, unknown>({
    initial: from === null ? emptyList : copyOf(from),
    check: faultsOf,
    paths: { reservePercent: 'reserve.share', reserveDays: 'reserve.days' },
    send: (values) => call('POST /merchants/:merchantId/price-lists', { params: { merchantId }, body: bodyOf(values) }),
    onDone: () => {
      toast('Price list added.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Add price list" shape="wide" onClose={onClose}>
      <Form form={form} act="Add" onCancel={onClose}>
        <FieldRow>
          <TextField
            label="First day"
            type="date"
            hint="A day in UTC after today. A merchant’s first price list may begin today."
            at={form.at('validFrom')}
          />
          <TextField
            label="Last day"
            type="date"
            optional
            hint="Leave empty for no end date."
            at={form.at('validTo')}
          />
        </FieldRow>
        <FieldRow>
          <TextField label="Merchant’s country" hint="Such as DE." maxLength={2} at={form.at('country')} />
          <TextField label="Countries of its region" hint="Such as FR, IT." optional at={form.at('region')} />
        </FieldRow>
        <RuleList at={form.at('rules')} />
        <MonthlyFees at={form.at('monthly')} />
        <FieldGroup title="Reserve">
          <FieldRow>
            <TextField label="Per cent of sales" optional inputMode="decimal" at={form.at('reservePercent')} />
            <TextField label="Days" optional inputMode="numeric" at={form.at('reserveDays')} />
          </FieldRow>
        </FieldGroup>
      </Form>
    </Dialog>
  )
}
