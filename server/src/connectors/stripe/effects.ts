/**
 * What Stripe executed for us, to hold against our record after a restore.
 *
 * Charges, captures and released holds are read from its events (https://docs.stripe.com/api/events/list), which it keeps for 30 days: a
 * capture and a cancellation have no object of their own, and an intent may be older than the time that is asked about. A cancellation takes no
 * metadata, so that the idempotency key of its request is our transaction. Refunds are read from their own list, which shows those that failed
 * later as failed. A SetupIntent moves no money. Newest first, as Stripe lists them.
 */

import { z } from 'zod'
import { dayMs } from '#domain/time.ts'
import type { AcquirerEffect, AcquirerEffects, EffectsQuery } from '../connector.ts'
import type { StripeWire } from './credentials.ts'
import { fromStripeAmount } from './currencies.ts'
import { type Intent, readIntent } from './intent.ts'

const eventTypes = [
  'payment_intent.succeeded',
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
] as const

const keptDays = 30
const longest = 100

export async function listEffects({ cursor, since }: EffectsQuery, wire: StripeWire): Promise<AcquirerEffects> {
  if (since !== null && wire.now().getTime() - since.getTime() > keptDays * dayMs)
    throw new Error(`Stripe lists the events of ${keptDays} days.`)
  const [list = '', after = ''] = cursor.split('/')
  const range = since === null ? '' : `&created[gte]=${Math.floor(since.getTime() / 1000)}`
  const page = `${range}${after && `&starting_after=${encodeURIComponent(after)}`}`
  return list === 'refunds' ? await refundPage(page, wire) : await fetchEventPage(page, wire)
}

async function fetchEventPage(page: string, wire: StripeWire): Promise<AcquirerEffects> {
  const types = eventTypes.map((type, index) => `&types[${index}]=${type}`).join('')
  const { data, has_more } = await fetchList(`/v1/events?limit=${longest}${types}${page}`, eventSchema, wire)
  const cursor = has_more ? `events/${data.at(-1)?.id ?? ''}` : 'refunds/'
  return { effects: data.flatMap(effectsOfEvent), cursor, more: true }
}

async function refundPage(page: string, wire: StripeWire): Promise<AcquirerEffects> {
  const { data, has_more } = await fetchList(`/v1/refunds?limit=${longest}${page}`, refundSchema, wire)
  return { effects: data.flatMap(effectsOfRefund), cursor: `refunds/${data.at(-1)?.id ?? ''}`, more: has_more }
}

/** Throws for any other answer, so that nothing is skipped. */
async function fetchList<Item extends { readonly id: string }>(path: string, item: z.ZodType<Item>, wire: StripeWire) {
  const reply = await wire.get(path)
  if (reply.status !== 200) throw new Error(`The acquirer answered ${reply.status} instead of its record.`)
  const list = z.object({ object: z.literal('list'), has_more: z.boolean(), data: z.array(item) }).parse(reply.json())
  if (list.has_more && list.data.length === 0) throw new Error('The list of the acquirer goes on without an entry.')
  return list
}

const eventSchema = z.object({
  id: z.string().min(1),
  object: z.literal('event'),
  type: z.string(),
  created: z.int(),
  request: z.object({ idempotency_key: z.string().nullish() }).nullish(),
  data: z.object({ object: z.unknown() }),
})
type ListedEvent = z.infer<typeof eventSchema>

const heldSchema = z.object({ amount: z.int(), amount_capturable: z.int().optional() })

const ids = z.object({ payment_id: z.uuid(), transaction_id: z.uuid() })

function effectsOfEvent({ type, created, request, data }: ListedEvent): readonly AcquirerEffect[] {
  const intent = readIntent(data.object)
  if (!intent) throw new Error('An event of the acquirer has no readable intent.')
  const ours = ids.safeParse(intent.metadata).data
  // The account also serves payments that are not ours.
  if (!ours) return []
  const { amount, amount_capturable: held = amount } = heldSchema.parse(data.object)
  const charged = {
    paymentId: ours.payment_id,
    orderId: intent.metadata.order_id || null,
    currency: intent.currency,
    reference: intent.id,
    created,
  }
  switch (type) {
    case 'payment_intent.succeeded':
      if (!intent.isCapturedByCommand)
        return effect('sale', ours.transaction_id, { ...charged, amount: intent.amountReceived })
      return effect('capture', intent.metadata.capture_transaction_id, { ...charged, amount: intent.amountReceived })
    case 'payment_intent.amount_capturable_updated':
      return intent.status === 'requires_capture'
        ? effect('authorize', ours.transaction_id, { ...charged, amount: held })
        : []
    case 'payment_intent.canceled':
      return wasHeld(intent) ? effect('reverse', request?.idempotency_key, { ...charged, amount }) : []
    default:
      return []
  }
}

/** Otherwise nothing was held that could be released. */
const wasHeld = ({ isCapturedByCommand, wasTried, error }: Intent): boolean =>
  isCapturedByCommand && wasTried && error === null

const refundSchema = z.object({
  id: z.string().min(1),
  object: z.literal('refund'),
  status: z.string().nullish(),
  amount: z.int(),
  currency: z.string(),
  created: z.int(),
  metadata: z.record(z.string(), z.string()).nullish(),
})

/** One that waits is an effect too: Stripe reports it if it fails. */
function effectsOfRefund({ id, status, metadata, ...refund }: z.infer<typeof refundSchema>): readonly AcquirerEffect[] {
  const ours = ids.safeParse(metadata).data
  if (!ours || status === 'failed' || status === 'canceled') return []
  const kind =
    metadata?.['operation'] === 'void' || metadata?.['operation'] === 'reverse' ? metadata.operation : 'refund'
  return effect(kind, ours.transaction_id, { paymentId: ours.payment_id, orderId: null, reference: id, ...refund })
}

interface Executed {
  readonly paymentId: string
  /** In Stripe's units. */
  readonly amount: number
  readonly currency: string | null
  readonly reference: string
  readonly orderId: string | null
  /** Seconds. */
  readonly created: number
}

/** None without our transaction: what was done in the dashboard, or by the passing of time, is no command of ours. */
function effect(
  kind: AcquirerEffect['kind'],
  transactionId: string | null | undefined,
  { paymentId, amount, currency, reference, orderId, created }: Executed,
): readonly AcquirerEffect[] {
  if (!z.uuid().safeParse(transactionId).success || !transactionId) return []
  const amountMinor = fromStripeAmount(amount, currency ?? '')
  if (amountMinor === null) throw new Error(`The acquirer names ${amount} ${currency}, which has no exact form here.`)
  return [
    {
      transactionId,
      paymentId,
      kind,
      amountMinor,
      currency: (currency ?? '').toUpperCase(),
      reference,
      orderId,
      at: new Date(created * 1000),
    },
  ]
}
