/** Captures many holds one after another: a list of payments, or all that match a filter. Chapter 50 §8, "Capture queue". */

import { z } from 'zod'
import { firstId } from '#domain/uuid.ts'
import type { WorkFailure, WorkProgress, WorkRow } from '../../store/instance/long-work.ts'
import { type HoldFilter, listWaitingHolds } from '../../store/payments/holds.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import type { Actor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { captureOneOfMany } from './payment-commands.ts'

interface PaymentKey {
  readonly merchantId: string
  readonly paymentId: string
}

const moment = z.coerce.date().optional()

/** As stored when the work began. */
const requestSchema = z.object({
  actor: z.object({ label: z.string(), address: z.string().nullable() }),
  payments: z.array(z.object({ merchantId: z.uuid(), paymentId: z.uuid() })).optional(),
  filter: z
    .object({
      merchantIds: z.array(z.uuid()).nullable(),
      midId: z.uuid().optional(),
      currency: z.string().optional(),
      from: moment,
      to: moment,
      test: z.boolean().optional(),
      planned: z.boolean().optional(),
    })
    .optional(),
})

/** One payment per step: its capture is written before the next begins. */
export async function captureStep(
  context: PanelContext,
  { request, cursor }: WorkRow,
  grant: Grant,
): Promise<WorkProgress | null> {
  const { payments, filter, actor } = requestSchema.parse(request)
  const next = filter
    ? await findNextHold(context, withinGrant(grant, filter), cursor)
    : nextNamed(payments ?? [], cursor)
  if (next === null) return null
  const isReached = reaches(grant, next.place.merchantId)
  const failures = isReached ? await capturePayment(context, actor, next.place) : noPayment(next.place)
  return { done: 1, failures, cursor: next.cursor }
}

interface Next {
  readonly place: PaymentKey
  readonly cursor: string
}

function nextNamed(payments: readonly PaymentKey[], cursor: string): Next | null {
  const index = Number(cursor)
  const place = payments[index]
  return place ? { place, cursor: String(index + 1) } : null
}

/** Restricts the filter to merchants that the user still has. */
const withinGrant = (grant: Grant, { merchantIds, ...filter }: HoldFilter): HoldFilter => ({
  ...filter,
  merchantIds:
    grant.merchants === 'all' ? merchantIds : (merchantIds ?? [...grant.merchants]).filter((id) => reaches(grant, id)),
})

async function findNextHold({ pool }: PanelContext, filter: HoldFilter, cursor: string): Promise<Next | null> {
  const [hold] = await listWaitingHolds(pool, filter, cursor === '' ? firstId : cursor, 1)
  return hold ? { place: { merchantId: hold.merchantId, paymentId: hold.id }, cursor: hold.id } : null
}

/** A refusal is recorded as a failure, and the work continues. */
async function capturePayment(
  context: PanelContext,
  actor: Actor,
  { merchantId, paymentId }: PaymentKey,
): Promise<readonly WorkFailure[]> {
  const payment = await context.operations.find(merchantId, paymentId)
  const fail = (text: string): readonly WorkFailure[] => [{ subject: `${merchantId} ${paymentId}`, text }]
  if (payment === null) return noPayment({ merchantId, paymentId })
  const { refused, state, declineReason } = await captureOneOfMany(context, { payment, actor })
  if (typeof refused === 'string') return fail(refused)
  return state === 'fail' ? fail(typeof declineReason === 'string' ? declineReason : 'The acquirer declined.') : []
}

const noPayment = ({ merchantId, paymentId }: PaymentKey): readonly WorkFailure[] => [
  { subject: `${merchantId} ${paymentId}`, text: 'Payment not found.' },
]
