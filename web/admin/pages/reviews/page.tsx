/** Payments that a rule holds for review, and the decision about each. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { usePages } from '../../api/use-pages.ts'
import { Button } from '../../kit/button.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import { mode } from '../../session/mode.ts'
import { may } from '../../session/session.ts'

type Review = Answer<'GET /reviews'>['reviews'][number]
type Decision = 'accepted' | 'rejected'

const pageSize = 50

export function ReviewsPage(): JSX.Element {
  const merchants = useMerchants()
  const deciding = useSignal<{ readonly review: Review; readonly decision: Decision } | null>(null)
  const list = usePages(
    'GET /reviews',
    { query: { test: mode.value === 'test' ? 'true' : 'false', limit: pageSize } },
    {
      rows: ({ reviews }) => reviews,
      next: ({ reviews }) => (reviews.length < pageSize ? null : { after: reviews.at(-1)?.id }),
    },
  )
  const decide = (review: Review, decision: Decision) => () => {
    deciding.value = { review, decision }
  }
  return (
    <Page title="Reviews">
      <DataTable
        caption="Payments in review"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Order',
            cell: ({ merchantId, id, orderId }) => (
              <Link to={`/merchants/${merchantId}/payments/${id}`}>{orderId}</Link>
            ),
            cut: ({ orderId }) => orderId,
          },
          {
            title: 'Held',
            end: true,
            cell: (one) => <Money minor={one.authorisedMinor} currency={one.currency} decimals={one.amountDecimals} />,
          },
          { title: 'Reason', cell: ({ reason }) => reason, cut: ({ reason }) => reason },
          { title: 'Rule', cell: ({ rule }) => rule, cut: ({ rule }) => rule, minor: true },
          { title: 'Merchant', cell: ({ merchantId }) => merchants.title(merchantId) },
          { title: 'Payer', cell: ({ payerEmail }) => payerEmail ?? '—', minor: true },
          { title: 'Since', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          {
            title: 'Actions',
            end: true,
            cell: (one) =>
              may('payments.decide') && (
                <>
                  <Button small onClick={decide(one, 'accepted')}>
                    Accept
                  </Button>{' '}
                  <Button small onClick={decide(one, 'rejected')}>
                    Reject
                  </Button>
                </>
              ),
          },
        ]}
        empty={
          <Empty title={`No ${mode.value} payments are in review.`}>
            <p>A routing rule with the action “Hold for review” brings payments here.</p>
          </Empty>
        }
      />
      {deciding.value && (
        <DecisionDialog
          {...deciding.value}
          onDone={list.reload}
          onClose={() => {
            deciding.value = null
          }}
        />
      )}
    </Page>
  )
}

interface DecisionDialogProps {
  readonly review: Review
  readonly decision: Decision
  readonly onDone: () => void
  readonly onClose: () => void
}

function DecisionDialog({ review, decision, onDone, onClose }: DecisionDialogProps): JSX.Element {
  const isAccepted = decision === 'accepted'
  return (
    <ConfirmDialog
      title={isAccepted ? 'Accept payment?' : 'Reject payment?'}
      act={isAccepted ? 'Accept' : 'Reject'}
      danger={!isAccepted}
      reason="required"
      onConfirm={async (reason) => {
        const result = await call('POST /merchants/:merchantId/payments/:paymentId/review', {
          params: { merchantId: review.merchantId, paymentId: review.id },
          body: { decision, reason },
        })
        if (result.ok) {
          toast(isAccepted ? 'Payment accepted.' : 'Payment rejected.')
          onDone()
        }
        return result
      }}
      onClose={onClose}
    >
      <p>
        {isAccepted
          ? 'The held amount is captured, unless the merchant asked for a hold only.'
          : 'The held amount is released. The payer is not charged.'}
      </p>
    </ConfirmDialog>
  )
}
