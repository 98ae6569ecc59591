/** A decision on an unknown outcome, or money that was given back by hand, for the second person to compare with the evidence. */
import type { JSX } from 'preact'
import { textAt } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import type { Approval } from './approval.ts'
import { SubjectResult } from './subject-result.tsx'

const words: Readonly<Record<string, string>> = {
  executed: 'It was executed',
  'not-executed': 'It was not executed',
  'given-back': 'The money was given back',
}

export function DecisionRequest({ approval: { merchantId, request } }: { readonly approval: Approval }): JSX.Element {
  const place = { merchantId: merchantId ?? '', paymentId: textAt(request, 'paymentId') }
  const [reference, amountMinor, date] = [
    textAt(request, 'reference'),
    textAt(request, 'amountMinor'),
    textAt(request, 'date'),
  ]
  const read = useReading('GET /merchants/:merchantId/payments/:paymentId', { params: place })
  return (
    <SubjectResult read={read} lines={3}>
      {({ payment: { orderId, status, currency, amountDecimals, amountMinor: ordered } }) => (
        <KeyValues
          rows={[
            ['Transaction', <Link to={`/merchants/${place.merchantId}/payments/${place.paymentId}`}>{orderId}</Link>],
            ['Status', <Status of={status} />],
            ['Amount of the payment', <Money minor={ordered} currency={currency} decimals={amountDecimals} />],
            ['Decision', words[textAt(request, 'decision')] ?? ''],
            reference !== '' && ['Acquirer’s reference', reference],
            amountMinor !== '' && [
              'Amount',
              <Money minor={amountMinor} currency={currency} decimals={amountDecimals} />,
            ],
            date !== '' && ['Date at the acquirer', <Day of={date} />],
            ['Evidence', textAt(request, 'evidence')],
          ]}
        />
      )}
    </SubjectResult>
  )
}
