/** One payment link: its address and QR code to share, mail, its payments, and how it is cancelled. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { languages } from '#domain/place/language.ts'
import { type Answer, call, wordAt } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge, Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Copyable } from '../../kit/copy-button.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { Empty, ReadResult } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Money } from '../../kit/values/money.tsx'
import { QrCode } from '../../kit/values/qr-code.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'
import { stateTexts, stateTones } from './link-state.ts'

type Details = Answer<'GET /merchants/:merchantId/payment-links/:linkId'>

interface LinkDrawerProps {
  readonly link: Pick<Details, 'id' | 'merchantId'>
  readonly onChanged: () => void
  readonly onClose: () => void
}

export function LinkDrawer({ link, onChanged, onClose }: LinkDrawerProps): JSX.Element {
  const read = useReading('GET /merchants/:merchantId/payment-links/:linkId', {
    params: { merchantId: link.merchantId, linkId: link.id },
  })
  return (
    <Drawer title="Payment link" onClose={onClose}>
      <ReadResult read={read} lines={6}>
        {(details) => (
          <LinkDetails
            details={details}
            onChanged={() => {
              read.reload()
              onChanged()
            }}
          />
        )}
      </ReadResult>
    </Drawer>
  )
}

interface LinkDetailsProps {
  readonly details: Details
  readonly onChanged: () => void
}

function LinkDetails({ details, onChanged }: LinkDetailsProps): JSX.Element {
  const merchants = useMerchants()
  const isCancelling = useSignal(false)
  const { state, url, amountMinor, currency, decimals } = details
  const isOpen = state === 'open'
  return (
    <>
      {isOpen && (
        <div class="link-share">
          <QrCode text={url} label="QR code of the payment link" />
          <Copyable text={url} label="Copy the address" />
        </div>
      )}
      <KeyValues
        rows={[
          ['State', <Badge tone={stateTones[state]}>{stateTexts[state]}</Badge>],
          ['Mode', details.mode],
          ['Description', details.description],
          [
            'Amount',
            amountMinor === null ? (
              `Chosen by the payer, in ${currency}`
            ) : (
              <Money minor={amountMinor} currency={currency} decimals={decimals} />
            ),
          ],
          ['Merchant', merchants.title(details.merchantId)],
          ['Payments', details.uses === 'single' ? 'One' : 'Any number'],
          details.orderNumber !== null && ['Order number', details.orderNumber],
          ['Language', details.language === null ? 'Of the payer’s browser' : languageName(details.language)],
          details.expiresAt !== null && ['Expires', <DateTime at={details.expiresAt} />],
          ['Created', <DateTime at={details.createdAt} />],
          ['Created by', details.createdBy],
        ]}
      />
      {details.metadata !== null && (
        <Section title="Metadata">
          <KeyValues rows={Object.keys(details.metadata).map((name) => [name, wordAt(details.metadata, name)])} />
        </Section>
      )}
      <DataTable
        caption="Payments"
        list={pageOfRows(details.payments)}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Payment',
            cell: ({ id, createdAt }) => (
              <Link to={`/merchants/${details.merchantId}/payments/${id}`}>
                <DateTime at={createdAt} />
              </Link>
            ),
          },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          {
            title: 'Amount',
            end: true,
            cell: (one) => <Money minor={one.amountMinor} currency={one.currency} decimals={one.amountDecimals} />,
          },
        ]}
        empty={<Empty title="Not paid yet." />}
      />
      {isOpen && may('links.write') && (
        <>
          <MailForm details={details} />
          <p>
            <Button
              kind="danger"
              onClick={() => {
                isCancelling.value = true
              }}
            >
              Cancel link
            </Button>
          </p>
        </>
      )}
      {isCancelling.value && (
        <CancelDialog
          details={details}
          onDone={onChanged}
          onClose={() => {
            isCancelling.value = false
          }}
        />
      )}
    </>
  )
}

const languageName = (code: string): string => languages.find((one) => one.code === code)?.name ?? code

const placeOf = ({ merchantId, id }: Details) => ({ merchantId, linkId: id })

function MailForm({ details }: { readonly details: Details }): JSX.Element {
  const form = useForm({
    initial: { to: '' },
    check: ({ to }) => ({ to: to.trim() === '' ? 'Enter the payer’s e-mail address.' : null }),
    send: ({ to }) =>
      call('POST /merchants/:merchantId/payment-links/:linkId/mail', {
        params: placeOf(details),
        body: { to: to.trim() },
      }),
    onDone: () => toast('The link is being sent.'),
    guards: false,
  })
  return (
    <Section title="Send by e-mail">
      <Form form={form} act="Send">
        <TextField label="To" type="email" at={form.at('to')} />
      </Form>
    </Section>
  )
}

interface CancelDialogProps {
  readonly details: Details
  readonly onDone: () => void
  readonly onClose: () => void
}

const CancelDialog = ({ details, onDone, onClose }: CancelDialogProps): JSX.Element => (
  <ConfirmDialog
    title="Cancel link?"
    act="Cancel link"
    danger
    onConfirm={async () => {
      const result = await call('POST /merchants/:merchantId/payment-links/:linkId/cancel', {
        params: placeOf(details),
      })
      if (result.ok) {
        toast('Payment link cancelled.')
        onDone()
      }
      return result
    }}
    onClose={onClose}
  >
    <p>No new payment can be started with this link. A payment already started can still be completed.</p>
  </ConfirmDialog>
)
