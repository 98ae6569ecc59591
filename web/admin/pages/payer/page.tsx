/** One payer at one merchant, by e-mail address: payments, saved cards, plans and disputes. Chapter 70 §5. */
import type { JSX } from 'preact'
import { networkName } from '#domain/network-names.ts'
import type { Answer } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Page, Section } from '../../kit/page.tsx'
import { Empty, ReadResult } from '../../kit/states.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { DateTime, Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { StageBadge } from '../disputes/stage-badge.tsx'
import type { PageArguments } from '../page-arguments.ts'
import { ErasePayer } from '../payment/erase-payer.tsx'

type Payer = Answer<'GET /merchants/:merchantId/payments/:paymentId/payer'>

export function PayerPage({ params: { merchantId = '', paymentId = '' } }: PageArguments): JSX.Element {
  const merchants = useMerchants()
  const params = { merchantId, paymentId }
  const read = useReading('GET /merchants/:merchantId/payments/:paymentId/payer', { params })
  const payer = read.value
  return (
    <Page
      title={payer?.email ?? payer?.cardMask ?? 'Payer'}
      above={[
        ['Transactions', '/payments'],
        ['Transaction', `/merchants/${merchantId}/payments/${paymentId}?tab=payer`],
      ]}
      actions={payer && <Actions payer={payer} merchantId={merchantId} onChanged={read.reload} />}
    >
      <p class="faint">
        {merchants.title(merchantId)}: {countedText(payer)} with the same{' '}
        {payer?.email === null ? 'card' : 'e-mail address'}.
      </p>
      <ReadResult read={read} lines={8}>
        {(value) => <Known payer={value} merchantId={merchantId} />}
      </ReadResult>
    </Page>
  )
}

const countedText = (payer: Payer | null): string =>
  payer?.complete === false ? `the newest ${countText(payer.counted)} payments` : 'all payments'

interface ActionsProps extends KnownProps {
  readonly onChanged: () => void
}

function Actions({ payer: { email, cardMask, cardId }, merchantId, onChanged }: ActionsProps): JSX.Element {
  const filter = email !== null ? { payerEmail: email } : { card: cardMask ?? '', cardId: cardId ?? '' }
  return (
    <>
      <ButtonLink to={`/payments?${new URLSearchParams({ ...filter, merchantId })}`}>All transactions</ButtonLink>
      {email !== null && <ErasePayer payer={{ merchantId, email }} onDone={onChanged} />}
    </>
  )
}

interface KnownProps {
  readonly payer: Payer
  readonly merchantId: string
}

function Known({ payer: { sums, cards, plans, disputes }, merchantId }: KnownProps): JSX.Element {
  const paymentPath = (paymentId: string): string => `/merchants/${merchantId}/payments/${paymentId}`
  const money = (minor: string, { currency, amountDecimals }: { currency: string; amountDecimals: number }) => (
    <Money minor={minor} currency={currency} decimals={amountDecimals} />
  )
  return (
    <>
      <Section title="Payments">
        <DataTable
          caption="Payments by currency"
          list={pageOfRows(sums)}
          keyOf={({ currency, amountDecimals }) => `${currency} ${amountDecimals}`}
          columns={[
            { title: 'Currency', cell: ({ currency }) => currency },
            { title: 'Payments', cell: ({ payments }) => countText(payments), end: true },
            { title: 'Declined', cell: ({ declined }) => countText(declined), end: true },
            { title: 'Captured', cell: (one) => money(one.capturedMinor, one), end: true },
            { title: 'Refunded', cell: (one) => money(one.refundedMinor, one), end: true },
            { title: 'Charged back', cell: (one) => money(one.chargedBackMinor, one), end: true },
            { title: 'First', cell: ({ firstAt }) => <DateTime at={firstAt} />, minor: true },
            { title: 'Last', cell: ({ lastAt }) => <DateTime at={lastAt} /> },
          ]}
        />
      </Section>
      <Section title="Disputes">
        <DataTable
          caption="Disputes"
          list={pageOfRows(disputes)}
          keyOf={({ id }) => id}
          linkOf={({ paymentId }) => paymentPath(paymentId)}
          empty={<Empty title="No disputes." />}
          columns={[
            { title: 'Order', cell: ({ orderId }) => orderId, cut: ({ orderId }) => orderId },
            { title: 'Stage', cell: ({ stage }) => <StageBadge of={stage} /> },
            { title: 'Amount', cell: (one) => money(one.amountMinor, one), end: true },
            { title: 'Opened', cell: ({ openedAt }) => <DateTime at={openedAt} /> },
          ]}
        />
      </Section>
      <Section title="Plans">
        <DataTable
          caption="Plans"
          list={pageOfRows(plans)}
          keyOf={({ id }) => id}
          linkOf={({ startedBy }) => paymentPath(startedBy)}
          empty={<Empty title="No plans." />}
          columns={[
            { title: 'Order', cell: ({ orderId }) => orderId, cut: ({ orderId }) => orderId },
            { title: 'State', cell: ({ state }) => <Status of={state} /> },
            { title: 'Amount', cell: (one) => money(one.amountMinor, one), end: true },
            { title: 'Next date', cell: ({ nextDate }) => (nextDate === null ? '—' : <Day of={nextDate} />) },
          ]}
        />
      </Section>
      <Section title="Cards">
        <DataTable
          caption="Cards"
          list={pageOfRows(cards)}
          keyOf={({ id }) => id}
          empty={<Empty title="No stored cards." />}
          columns={[
            { title: 'Card', cell: ({ bin, lastFour }) => `${bin} •••• ${lastFour}`, whole: true },
            { title: 'Network', cell: ({ network }) => (network === null ? '—' : networkName(network)) },
            { title: 'Expires', cell: expiryText },
            { title: 'Saved by the merchant', cell: ({ isSaved }) => (isSaved ? 'yes' : 'no') },
          ]}
        />
      </Section>
    </>
  )
}

const expiryText = ({ expiryMonth, expiryYear }: Payer['cards'][number]): string =>
  expiryMonth === null || expiryYear === null ? '—' : `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`
