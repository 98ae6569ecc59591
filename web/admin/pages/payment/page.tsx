/** Transaction Details: everything known about a payment, and the actions on it. Chapter 50 §8. */
import type { JSX } from 'preact'
import type { Read } from '../../api/use-reading.ts'
import { useReading } from '../../api/use-reading.ts'
import { Page } from '../../kit/page.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { type Tab, Tabs } from '../../kit/tabs.tsx'
import { countText } from '../../kit/values/count-text.ts'
import type { PageArguments } from '../page-arguments.ts'
import { PaymentActions } from './actions.tsx'
import { PaymentCallbacks } from './callbacks.tsx'
import type { Details } from './details.ts'
import { LedgerPostings } from './ledger.tsx'
import { MethodTab } from './method-tab.tsx'
import { PaymentNotes } from './notes.tsx'
import { Notifications } from './notifications.tsx'
import { People } from './people.tsx'
import { RoutingTab } from './routing-tab.tsx'
import { Summary } from './summary.tsx'
import { ThreeDsTab } from './three-ds-tab.tsx'
import { Timeline } from './timeline/timeline.tsx'

export function PaymentPage({ params: { merchantId = '', paymentId = '' } }: PageArguments): JSX.Element {
  const read = useReading('GET /merchants/:merchantId/payments/:paymentId', { params: { merchantId, paymentId } })
  const details = read.value
  return (
    <Page
      title={details ? `Order ${details.payment.orderId}` : 'Transaction'}
      above={[['Transactions', '/payments']]}
      actions={details && <PaymentActions details={details} onDone={read.reload} />}
    >
      <ReadResult read={read} lines={12}>
        {(value) => (
          <>
            <Summary details={value} />
            <Tabs label="Details of the payment" tabs={tabsOf(value, read)} />
          </>
        )}
      </ReadResult>
    </Page>
  )
}

const tabsOf = (details: Details, read: Read<Details>): readonly Tab[] => [
  { name: 'timeline', title: 'Timeline', content: () => <Exchanges details={details} /> },
  { name: 'routing', title: 'Routing', content: () => <RoutingTab details={details} /> },
  {
    name: 'method',
    title: methodTitle(details),
    content: () => <MethodTab details={details} />,
  },
  { name: '3ds', title: '3DS and browser', content: () => <ThreeDsTab details={details} /> },
  {
    name: 'callbacks',
    title: `Callbacks (${countText(details.callbacks.length)})`,
    content: () => <PaymentCallbacks details={details} onChanged={read.reload} />,
  },
  { name: 'ledger', title: 'Ledger', content: () => <LedgerPostings details={details} /> },
  { name: 'notes', title: 'Notes', content: () => <PaymentNotes details={details} /> },
  { name: 'payer', title: 'Payer and order', content: () => <People details={details} onChanged={read.reload} /> },
]

/** Our requests to the acquirer, and what it reported by itself. */
const Exchanges = ({ details }: { readonly details: Details }): JSX.Element => (
  <>
    <Timeline details={details} />
    <Notifications details={details} />
  </>
)

function methodTitle({ walletFacts, brandFacts }: Details): string {
  if (walletFacts) return 'Card and wallet'
  return brandFacts === null ? 'Card' : 'Brand'
}
