/** One callback: what was sent, the answer of each attempt, and sending it again. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { May } from '../../kit/may.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Link } from '../../router/link.tsx'
import { mode } from '../../session/mode.ts'
import { attemptText } from './attempt-text.ts'
import { eventOf, fieldsOf } from './body.ts'

/** The type is the same in every list of callbacks. */
export type Callback = Answer<'GET /merchants/:merchantId/callbacks'>['callbacks'][number]
type Attempt = Callback['attempts'][number]

interface CallbackDrawerProps {
  readonly callback: Callback
  readonly onResent: () => void
  readonly onClose: () => void
}

export function CallbackDrawer({ callback, onResent, onClose }: CallbackDrawerProps): JSX.Element {
  const { merchantId, paymentId, contentType, body } = callback
  return (
    <Drawer title={titleOf(callback)} onClose={onClose}>
      <KeyValues
        rows={[
          ['State', <Status of={callback.state} />],
          ['Address', callback.url],
          ['Created', <DateTime at={callback.createdAt} seconds />],
          callback.nextAt !== null && ['Next attempt', <DateTime at={callback.nextAt} seconds />],
          callback.endedAt !== null && ['Ended', <DateTime at={callback.endedAt} seconds />],
          [
            'Payment',
            <Link to={`/merchants/${merchantId}/payments/${paymentId}`}>
              <code>{paymentId}</code>
            </Link>,
          ],
        ]}
      />
      <May use="callbacks.resend">
        <div>
          <ResendButton callback={callback} onResent={onResent} />
          <ResendElsewhere callback={callback} onResent={onResent} />
        </div>
      </May>
      <h3>Attempts</h3>
      <Attempts attempts={callback.attempts} />
      <div class="section-head">
        <h3>Body</h3>
        <CopyButton text={body} label="Copy the body as it was sent" />
      </div>
      <p class="faint">{contentType}</p>
      <dl class="body-fields">
        {fieldsOf(contentType, body).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Drawer>
  )
}

export const titleOf = ({ sequence, contentType, body }: Callback): string =>
  `${eventOf(contentType, body) ?? 'Callback'} · no. ${sequence} of its payment`

export function lastAnswer({ attempts }: Pick<Callback, 'attempts'>): string {
  const last = attempts.at(-1)
  if (!last) return 'Not sent yet'
  const answer = attemptText(last)
  return attempts.length === 1 ? answer : `${answer} (${attempts.length} attempts)`
}

interface ResendButtonProps {
  readonly callback: Callback
  readonly onResent: () => void
  readonly small?: boolean
  /** The merchant's address of today, if it is another one and the callback is to go there. */
  readonly elsewhere?: string
}

/** Also used in the rows of lists. */
export function ResendButton({ callback, onResent, small = false, elsewhere }: ResendButtonProps): JSX.Element {
  const busy = useSignal(false)
  const resend = async (): Promise<void> => {
    busy.value = true
    const params = { merchantId: callback.merchantId, callbackId: callback.id }
    const target = elsewhere === undefined ? ('original' as const) : ('current' as const)
    const result = await call('POST /merchants/:merchantId/callbacks/:callbackId/resend', { params, body: { target } })
    busy.value = false
    if (!result.ok) return toastFault(result.fault)
    toast(
      result.value.result === 'in-flight'
        ? 'The callback is being delivered now.'
        : `The callback is being sent again to ${elsewhere ?? `${callback.url}, its original address`}.`,
    )
    onResent()
  }
  return (
    <Button small={small} icon="callback" busy={busy.value} onClick={() => void resend()}>
      {elsewhere === undefined ? 'Resend' : 'Resend to the current address'}
    </Button>
  )
}

/** A callback keeps its address. If the merchant has another one since, it can be sent there. */
function ResendElsewhere({ callback, onResent }: ResendButtonProps): JSX.Element {
  const merchant = useMerchants().list.find(({ id }) => id === callback.merchantId)
  const elsewhere = (mode.value === 'test' ? merchant?.testNotificationUrl : null) ?? merchant?.notificationUrl
  if (!elsewhere || elsewhere === callback.url)
    return <p class="faint">The callback is sent to the address above, which was set when it was created.</p>
  return (
    <>
      <ResendButton callback={callback} onResent={onResent} elsewhere={elsewhere} />
      <p class="faint">
        “Resend” uses the address above, which was set when the callback was created. The merchant’s address is now{' '}
        <code>{elsewhere}</code>.
      </p>
    </>
  )
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }): JSX.Element {
  return (
    <DataTable
      caption="Attempts"
      list={pageOfRows(attempts)}
      keyOf={({ attempt, at }) => `${attempt} ${at}`}
      columns={[
        { title: 'Attempt', cell: ({ attempt }) => attempt },
        { title: 'When', cell: ({ at }) => <DateTime at={at} seconds /> },
        { title: 'Result', cell: resultOf },
        {
          title: 'Duration',
          cell: ({ durationMs }) => `${new Intl.NumberFormat().format(durationMs)} ms`,
          end: true,
          whole: true,
        },
      ]}
      empty={<Empty title="Not sent yet." />}
    />
  )
}

const resultOf = (attempt: Attempt): JSX.Element => {
  const { acknowledged, answer, fault } = attempt
  return (
    <span class="fate">
      <Status of={acknowledged ? 'delivered' : 'failed'} />
      <span>{fault ?? `${attemptText(attempt)}, response “${(answer ?? '').slice(0, 200)}”`}</span>
    </span>
  )
}
