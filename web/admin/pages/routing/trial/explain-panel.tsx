/** Explains the routing of a payment, found by its trans_id or by the address of its page. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useReading } from '../../../api/use-reading.ts'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/form/fields.tsx'
import { useFilters } from '../../../kit/form/use-filters.ts'
import { Empty, ReadResult } from '../../../kit/states.tsx'
import { Link } from '../../../router/link.tsx'
import { PaymentExplanation } from './explanation.tsx'
import { parsePaymentName } from './payment-name.ts'

export function ExplainPanel(): JSX.Element {
  const filters = useFilters(['transaction'])
  const typed = useSignal(filters.values.transaction)
  const missed = useSignal(false)
  const named = parsePaymentName(filters.values.transaction)
  const ask = (): void => {
    missed.value = parsePaymentName(typed.value) === null
    if (!missed.value) filters.set({ transaction: typed.value.trim() })
  }
  return (
    <>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          ask()
        }}
      >
        <TextField
          label="Transaction"
          hint="The trans_id, or the address of the transaction’s page."
          mono
          at={{
            id: 'explain-transaction',
            value: typed.value,
            error: missed.value ? 'Enter a trans_id or the address of a transaction.' : null,
            set: (text) => {
              typed.value = text
            },
          }}
        />
        <div>
          <Button type="submit">Explain</Button>
        </div>
      </form>
      {named && named.merchantId !== null && <FoundPayment merchantId={named.merchantId} paymentId={named.paymentId} />}
      {named && named.merchantId === null && <PaymentSearch key={named.paymentId} paymentId={named.paymentId} />}
    </>
  )
}

function PaymentSearch({ paymentId }: { readonly paymentId: string }): JSX.Element {
  const read = useReading('GET /payments', { query: { paymentId, limit: 1 } })
  return (
    <ReadResult read={read}>
      {({ payments: [payment] }) =>
        payment ? (
          <FoundPayment merchantId={payment.merchantId} paymentId={payment.id} />
        ) : (
          <Empty title="Transaction not found.">
            <p>Search for the order on the Transactions page.</p>
          </Empty>
        )
      }
    </ReadResult>
  )
}

const FoundPayment = ({
  merchantId,
  paymentId,
}: {
  readonly merchantId: string
  readonly paymentId: string
}): JSX.Element => (
  <>
    <p>
      <Link to={`/merchants/${merchantId}/payments/${paymentId}`}>View transaction</Link>
    </p>
    <PaymentExplanation merchantId={merchantId} paymentId={paymentId} />
  </>
)
