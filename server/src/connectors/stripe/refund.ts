/** A refund as Stripe shows it. */
import { z } from 'zod'

const refundSchema = z
  .object({
    id: z.string().min(1),
    object: z.literal('refund'),
    status: z.string().nullish(),
    metadata: z.record(z.string(), z.string()).nullish(),
    failure_reason: z.string().nullish(),
    destination_details: z
      .object({
        card: z.object({ reference: z.string().nullish(), reference_type: z.string().nullish() }).nullish(),
      })
      .nullish(),
  })
  .transform(({ id, status, metadata, failure_reason, destination_details }) => {
    const { reference, reference_type } = destination_details?.card ?? {}
    return {
      id,
      status: status ?? '',
      metadata: metadata ?? {},
      failureReason: failureReasons[failure_reason ?? ''] ?? 'The refund failed',
      // Known some days after the refund.
      arn: reference_type === 'acquirer_reference_number' && reference ? reference : null,
    }
  })

export type Refund = z.infer<typeof refundSchema>

/** Null if it is none. */
export const readRefund = (value: unknown): Refund | null => refundSchema.safeParse(value).data ?? null

/** https://docs.stripe.com/refunds#failed-refunds */
const failureReasons: Readonly<Record<string, string>> = {
  charge_for_pending_refund_disputed: 'The payer disputed the payment meanwhile',
  declined: 'The refund was declined',
  expired_or_canceled_card: 'The card has expired or was cancelled',
  insufficient_funds: 'The balance at the acquirer does not cover the refund',
  lost_or_stolen_card: 'The card was lost or stolen',
  merchant_request: 'The refund was cancelled at the acquirer',
  unknown: 'The refund failed',
}
