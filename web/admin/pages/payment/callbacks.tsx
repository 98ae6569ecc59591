/** What the merchant was told of this payment, and what it answered. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable, present } from '../../kit/data-table.tsx'
import { DateTime } from '../../kit/date-time.tsx'
import { May } from '../../kit/may.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { eventOf } from '../callbacks/body.ts'
import { type Callback, CallbackDrawer, ResendButton } from '../callbacks/callback-drawer.tsx'
import type { Details } from './details.ts'

export interface PaymentCallbacksProps {
  readonly details: Details
  readonly onResent: () => void
}

export function PaymentCallbacks({ details: { callbacks }, onResent }: PaymentCallbacksProps): JSX.Element {
  const open = useSignal<string | null>(null)
  const shown = callbacks.find(({ id }) => id === open.value)
  const actions = (one: Callback): JSX.Element => (
    <span class="row-actions">
      <Button
        small
        onClick={() => {
          open.value = one.id
        }}
      >
        Look at it
      </Button>
      <May use="callbacks.resend">
        <ResendButton small callback={one} onResent={onResent} />
      </May>
    </span>
  )
  return (
    <Section title="Callbacks">
      <DataTable
        caption="Callbacks of the payment"
        list={present(callbacks)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Event', cell: ({ contentType, body, sequence }) => `${eventOf(contentType, body)} · ${sequence}` },
          { title: 'State', cell: ({ state }) => <Status of={state} /> },
          { title: 'Attempts', cell: ({ attempts }) => attempts.length, end: true },
          { title: 'Made', cell: ({ createdAt }) => <DateTime at={createdAt} seconds /> },
          { title: 'Actions', cell: actions, end: true },
        ]}
        empty={
          <Empty title="The merchant was told nothing.">
            <p>Either nothing happened yet that is told, or it has no notification address.</p>
          </Empty>
        }
      />
      {shown && (
        <CallbackDrawer
          callback={shown}
          onResent={onResent}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </Section>
  )
}
