/** Erases the payer's data of a payment, after showing what would be removed and what would stay. Chapter 50 §5, "per-payer erasure". */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Answer, call, type Result } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { FaultView } from '../../kit/fault-view.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { May } from '../../kit/may.tsx'
import { Skeleton } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'

type Erasure = Answer<'POST /merchants/:merchantId/payers/erase'>

interface Payer {
  readonly merchantId: string
  readonly email: string
}

const erase = ({ merchantId, email }: Payer, dryRun: boolean): Promise<Result<Erasure>> =>
  call('POST /merchants/:merchantId/payers/erase', { params: { merchantId }, body: { email, dryRun } })

export function ErasePayer({ payer, onDone }: { readonly payer: Payer; readonly onDone: () => void }): JSX.Element {
  const asking = useSignal(false)
  return (
    <May use="payers.erase">
      <Button
        small
        kind="danger"
        onClick={() => {
          asking.value = true
        }}
      >
        Erase payer data
      </Button>
      {asking.value && (
        <ErasePayerDialog
          payer={payer}
          onDone={onDone}
          onClose={() => {
            asking.value = false
          }}
        />
      )}
    </May>
  )
}

interface ErasePayerDialogProps {
  readonly payer: Payer
  readonly onDone: () => void
  readonly onClose: () => void
}

function ErasePayerDialog({ payer, onDone, onClose }: ErasePayerDialogProps): JSX.Element {
  const rehearsal = useSignal<Result<Erasure> | null>(null)
  useEffect(() => {
    void erase(payer, true).then((result) => {
      rehearsal.value = result
    })
  }, [payer.merchantId, payer.email])
  return (
    <ConfirmDialog
      title="Erase payer data?"
      act="Erase permanently"
      danger
      isReady={rehearsal.value?.ok === true}
      onConfirm={async () => {
        const result = await erase(payer, false)
        if (result.ok) {
          const { kept } = result.value
          toast(
            kept.length === 0
              ? `Data of ${payer.email} erased.`
              : `Data of ${payer.email} erased, except ${kept.length} items still in use. Erase again when they are no longer needed.`,
          )
          onDone()
        }
        return result
      }}
      onClose={onClose}
    >
      <p>
        Names, addresses, card numbers, saved cards and callbacks of <strong>{payer.email}</strong> at this merchant are
        erased permanently. Amounts, transactions and the masked card number remain.
      </p>
      <Rehearsal of={rehearsal.value} />
    </ConfirmDialog>
  )
}

function Rehearsal({ of }: { readonly of: Result<Erasure> | null }): JSX.Element {
  if (of === null) return <Skeleton lines={5} />
  if (!of.ok) return <FaultView fault={of.fault} />
  const { payments, callbacks, sessions, cards, savedCards, savedFilters, kept } = of.value
  return (
    <>
      <KeyValues
        rows={[
          ['Payments', payments],
          ['Callbacks', callbacks],
          ['Checkout sessions', sessions],
          ['Card numbers', cards],
          ['Saved cards', savedCards],
          ['Saved filters', savedFilters],
        ]}
      />
      {kept.length > 0 && (
        <>
          <p>These items are still in use. Erase again when they are no longer needed:</p>
          <ul>
            {kept.map(({ what, id, reason }) => (
              <li key={id}>
                {what} <code>{id}</code>: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
