/** What a dispute is about. The list shows all of it on wide screens only. */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Money } from '../../kit/values/money.tsx'
import type { DisputeDetails } from './dispute.ts'
import { PaymentLink } from './payment-link.tsx'

export function DisputeFacts({ details }: { readonly details: DisputeDetails }): JSX.Element {
  const merchants = useMerchants()
  const { amountMinor, isChargedBack, returnedAt, returnedMinor, currency, amountDecimals: decimals } = details
  return (
    <KeyValues
      rows={[
        ['Order', <PaymentLink key="order" of={details} />],
        ['Reason', details.reasonCode],
        ['Amount', <Money key="amount" minor={amountMinor} currency={currency} decimals={decimals} />],
        !isChargedBack && ['Money', 'None was taken'],
        returnedAt !== null && [
          'Returned',
          <Money key="returned" minor={returnedMinor} currency={currency} decimals={decimals} />,
        ],
        ['Merchant', merchants.title(details.merchantId)],
        ['MID', details.midName ?? details.midId],
        ['Opened', <DateTime key="opened" at={details.openedAt} />],
      ]}
    />
  )
}
