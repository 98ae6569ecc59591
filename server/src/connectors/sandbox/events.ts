/** What the sandbox acquirer reports by itself, in our words. Its list is one for all MIDs, and only our entries are looked into. */
import { z } from 'zod'
import { isDay } from '#domain/day.ts'
import type { AcquirerEvent, AcquirerEvents } from '../connector.ts'
import type { WireReply } from '../wire.ts'

const listSchema = z.object({ chargebacks: z.array(z.looseObject({ sequence: z.int().positive(), mid: z.string() })) })

const chargebackSchema = z.object({
  sequence: z.int(),
  at: z.iso.datetime(),
  bank_date: z.string().refine(isDay),
  payment_id: z.uuid(),
  amount: z.string().regex(/^[0-9]{1,18}$/),
  reason_code: z.string().min(1),
})

/** Throws on anything that is not the list: nothing is passed over, the same question is asked again. */
export function toEvents(
  { status, body }: WireReply,
  { mid, since, longest }: { readonly mid: string; readonly since: string; readonly longest: number },
): AcquirerEvents {
  if (status !== 200) throw new Error(`The acquirer answered ${status} instead of its chargebacks.`)
  const { chargebacks } = listSchema.parse(body)
  return {
    events: chargebacks.filter((entry) => entry.mid === mid).map(toChargeback),
    cursor: String(chargebacks.at(-1)?.sequence ?? since),
    more: chargebacks.length >= longest,
  }
}

function toChargeback(entry: unknown): AcquirerEvent {
  const { sequence, at, bank_date, payment_id, amount, reason_code } = chargebackSchema.parse(entry)
  return {
    kind: 'chargeback',
    reference: String(sequence),
    paymentId: payment_id,
    amountMinor: BigInt(amount),
    at: new Date(at),
    bankDate: bank_date,
    reasonCode: reason_code,
  }
}
