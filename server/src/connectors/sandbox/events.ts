/** Converts the events that the sandbox acquirer reports. Its list covers all MIDs; only the entries of this MID are read. */
import { z } from 'zod'
import { isDay } from '#domain/schedule/day.ts'
import type { AcquirerEvent, AcquirerEvents } from '../connector.ts'
import type { WireReply } from '../wire.ts'

const listSchema = z.object({ events: z.array(z.looseObject({ sequence: z.int().positive(), mid: z.string() })) })

const common = { at: z.iso.datetime(), payment_id: z.uuid(), reference: z.string().min(1) }

const eventSchema = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('chargeback'),
    chargeback: z.int().positive(),
    bank_date: z.string().refine(isDay),
    amount: z.string().regex(/^[0-9]{1,38}$/),
    reason_code: z.string().min(1),
  }),
  z.object({ ...common, kind: z.literal('lapse') }),
  z.object({ ...common, kind: z.literal('decided'), transaction_id: z.uuid() }),
])

/**
 * The entry after which reading continues. A cursor without our mark is from an earlier release, which read the list of chargebacks; then
 * everything is read again, and events that are already recorded count once.
 */
export function sinceOf(cursor: string): number {
  return cursor.startsWith(mark) ? Number(cursor.slice(mark.length)) : 0
}

/** Throws for any other answer, so that no event is skipped and the same query is repeated. */
export function toEvents(
  reply: WireReply,
  { mid, since, longest }: { readonly mid: string; readonly since: number; readonly longest: number },
): AcquirerEvents {
  if (reply.status !== 200) throw new Error(`The acquirer answered ${reply.status} instead of its events.`)
  const { events } = listSchema.parse(reply.json())
  return {
    events: events.filter((entry) => entry.mid === mid).map(toEvent),
    cursor: `${mark}${events.at(-1)?.sequence ?? since}`,
    more: events.length >= longest,
  }
}

const mark = 'events:'

function toEvent(entry: unknown): AcquirerEvent {
  const event = eventSchema.parse(entry)
  const { reference, payment_id: paymentId } = event
  const at = new Date(event.at)
  switch (event.kind) {
    case 'chargeback':
      return {
        kind: 'chargeback',
        reference: String(event.chargeback),
        paymentId,
        amountMinor: BigInt(event.amount),
        at,
        bankDate: event.bank_date,
        reasonCode: event.reason_code,
      }
    case 'lapse':
      return { kind: 'lapse', reference, paymentId, at }
    case 'decided':
      return { kind: 'decided', reference, paymentId, transactionId: event.transaction_id, at }
  }
}
