/** The virtual terminal: a card payment by telephone or mail, in three steps: the order, the card, the result. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Page, Section } from '../../kit/page.tsx'
import { Notice } from '../../kit/states.tsx'
import { mode } from '../../session/mode.ts'
import { CardForm } from './card-form.tsx'
import { ChargeResult } from './charge-result.tsx'
import { OrderForm } from './order-form.tsx'
import type { Charge, Opened } from './terminal-steps.ts'

type Step =
  | { readonly of: 'order' }
  | { readonly of: 'card'; readonly opened: Opened; readonly declined: Charge | null }
  | { readonly of: 'result'; readonly opened: Opened; readonly charge: Charge }

export function TerminalPage(): JSX.Element {
  const step = useSignal<Step>({ of: 'order' })
  const startOver = (): void => {
    step.value = { of: 'order' }
  }
  const now = step.value
  return (
    <Page title="Virtual terminal">
      {mode.value === 'test' && <Notice tone="warn">Test mode: no money is moved.</Notice>}
      {now.of === 'order' && (
        <Section title="Order">
          <OrderForm
            onOpened={(opened) => {
              step.value = { of: 'card', opened, declined: null }
            }}
          />
        </Section>
      )}
      {now.of === 'card' && (
        <Section title="Card">
          <CardForm
            // A declined card is not left in the fields.
            key={now.declined?.paymentId ?? now.opened.id}
            opened={now.opened}
            declined={now.declined}
            onCharged={(charge) => {
              const { opened } = now
              step.value = charge.mayTryAgain
                ? { of: 'card', opened, declined: charge }
                : { of: 'result', opened, charge }
            }}
            onCancel={startOver}
          />
        </Section>
      )}
      {now.of === 'result' && <ChargeResult opened={now.opened} charge={now.charge} onNext={startOver} />}
    </Page>
  )
}
