/** The actions on a payment: only those that the server offers in its state, and only to users with the permission. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Permission } from '../../api/api-types.ts'
import { Button, type ButtonKind } from '../../kit/button.tsx'
import { may } from '../../session/session.ts'
import { ChargebackDialog } from './chargeback-dialog.tsx'
import { CaptureDialog, RetryDialog, VoidDialog } from './command-dialogs.tsx'
import type { CommandProps, PaymentActionsProps } from './command-props.ts'
import { type Details, isRelease } from './details.ts'
import { RefundDialog } from './refund-dialog.tsx'

type Name = 'capture' | 'refund' | 'void' | 'retry' | 'chargeback'

interface Action {
  readonly name: Name
  readonly permission: Permission
  readonly kind: ButtonKind
  readonly words: (details: Details) => string
  readonly dialog: (props: CommandProps) => JSX.Element
}

// biome-ignore format: a table is read in columns.
const actions: readonly Action[] = [
  { name: 'capture',    permission: 'payments.capture', kind: 'primary', words: () => 'Capture',         dialog: CaptureDialog },
  { name: 'refund',     permission: 'payments.refund',  kind: 'plain',   words: refundWords,             dialog: RefundDialog },
  { name: 'void',       permission: 'payments.refund',  kind: 'plain',   words: () => 'Void',            dialog: VoidDialog },
  { name: 'retry',      permission: 'payments.retry',   kind: 'plain',   words: () => 'Retry',           dialog: RetryDialog },
  { name: 'chargeback', permission: 'payments.dispute', kind: 'danger',  words: () => 'Record chargeback', dialog: ChargebackDialog },
]

export function PaymentActions({ details, onDone }: PaymentActionsProps): JSX.Element {
  const open = useSignal<Name | null>(null)
  const close = (): void => {
    open.value = null
  }
  const offered = actions.filter(({ name, permission }) => details.offers[name] && may(permission))
  const Chosen = offered.find(({ name }) => name === open.value)?.dialog
  return (
    <>
      {offered.map(({ name, kind, words }) => (
        <Button
          key={name}
          kind={kind}
          onClick={() => {
            open.value = name
          }}
        >
          {words(details)}
        </Button>
      ))}
      {Chosen && <Chosen details={details} onDone={onDone} onClose={close} />}
    </>
  )
}

function refundWords({ payment }: Details): string {
  return isRelease(payment) ? 'Release hold' : 'Refund'
}
