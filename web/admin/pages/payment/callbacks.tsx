/** The callbacks of this payment and the merchant's answers. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { useMerchants } from '../../api/merchants.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { May } from '../../kit/may.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { eventOf } from '../callbacks/body.ts'
import { type Callback, CallbackDrawer, lastAnswer, ResendButton } from '../callbacks/callback-drawer.tsx'
import { useAwaited } from '../callbacks/use-awaited.ts'
import type { Details } from './details.ts'

interface PaymentCallbacksProps {
  readonly details: Details
  /** Called when something of the payment has changed since it was shown. */
  readonly onChanged: () => void
}

export function PaymentCallbacks({ details, onChanged }: PaymentCallbacksProps): JSX.Element {
  const { erasedAt } = details
  const awaited = useAwaited()
  // While a callback is due, only the callbacks are polled, for a limited time; the payment stays as it is shown.
  const callbacks = details.callbacks.map(awaited.newest)
  const open = useSignal<string | null>(null)
  useEffect(() => {
    const due = details.callbacks.filter(({ state }) => state === 'due')
    if (due.length > 0) awaited.wait(due)
  }, [details])
  const resent = (one: Callback) => (): void => {
    awaited.wait([one])
    onChanged()
  }
  const shown = callbacks.find(({ id }) => id === open.value)
  const actions = (one: Callback): JSX.Element => (
    <span class="row-actions">
      <Button
        small
        onClick={() => {
          open.value = one.id
        }}
      >
        View
      </Button>
      <May use="callbacks.resend">
        <ResendButton small callback={one} onResent={resent(one)} />
      </May>
    </span>
  )
  return (
    <Section title="Callbacks">
      <DataTable
        caption="Callbacks"
        list={pageOfRows(callbacks)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Event', cell: ({ contentType, body, sequence }) => `${eventOf(contentType, body)} · ${sequence}` },
          { title: 'State', cell: ({ state }) => <Status of={state} /> },
          { title: 'Last response', cell: lastAnswer },
          { title: 'Address', cell: ({ url }) => url, minor: true },
          { title: 'Created', cell: ({ createdAt }) => <DateTime at={createdAt} seconds /> },
          { title: 'Actions', cell: actions, end: true },
        ]}
        empty={erasedAt === null ? <NoCallbacks /> : <ErasedNotice at={erasedAt} />}
      />
      {callbacks.length > 0 && erasedAt !== null && (
        <p class="faint">Earlier callbacks were erased with the payer’s data.</p>
      )}
      <ElsewhereNow details={{ ...details, callbacks }} />
      {shown && (
        <CallbackDrawer
          callback={shown}
          onResent={resent(shown)}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </Section>
  )
}

const NoCallbacks = (): JSX.Element => (
  <Empty title="No callbacks.">
    <p>Nothing has been reported yet, or the merchant has no notification address.</p>
  </Empty>
)

const ErasedNotice = ({ at }: { readonly at: string }): JSX.Element => (
  <Empty title="The callbacks were erased with the payer’s data.">
    <p>
      Callback bodies contain that data. Erased on <DateTime at={at} />.
    </p>
  </Empty>
)

/** A callback keeps its address: after the merchant's address was corrected, sending again still goes to the old one. */
function ElsewhereNow({ details: { callbacks, payment } }: Pick<PaymentCallbacksProps, 'details'>): JSX.Element | null {
  const merchant = useMerchants().list.find(({ id }) => id === payment.merchantId)
  const now = (payment.test ? merchant?.testNotificationUrl : null) ?? merchant?.notificationUrl
  if (merchant === undefined || callbacks.every(({ url }) => url === now)) return null
  return (
    <p class="faint">
      “Resend” uses the callback’s original address.{' '}
      {now ? (
        <>
          The merchant’s address is now <code>{now}</code>; “View” offers to send there.
        </>
      ) : (
        'The merchant currently has no notification address.'
      )}
    </p>
  )
}
