/** Converts the sandbox acquirer's record of executed transactions. Its list covers all MIDs. */
import { z } from 'zod'
import type { AcquirerEffect, AcquirerEffects } from '../connector.ts'
import type { WireReply } from '../wire.ts'

const kinds = ['sale', 'authorize', 'debit', 'credit', 'transfer', 'capture', 'refund', 'reverse', 'void'] as const

const listSchema = z.object({
  entries: z.array(z.looseObject({ sequence: z.int().positive(), mid: z.string(), type: z.string() })),
})
const effectSchema = z.object({
  at: z.iso.datetime(),
  type: z.enum(kinds),
  transaction_id: z.uuid(),
  payment_id: z.uuid(),
  reference: z.string(),
  order_id: z.string().optional(),
  amount: z.string().regex(/^[0-9]{1,38}$/),
  currency: z.string(),
})

/** Chargebacks and lapsed holds are reported as events. */
const isEffect = ({ type }: { readonly type: string }): boolean => kinds.some((kind) => kind === type)

export const effectsSince = (cursor: string): number => (cursor === '' ? 0 : Number(cursor))

/** Throws for any other answer, so that no entry is skipped. */
export function toEffects(
  reply: WireReply,
  { mid, since, longest }: { readonly mid: string; readonly since: number; readonly longest: number },
): AcquirerEffects {
  if (reply.status !== 200) throw new Error(`The acquirer answered ${reply.status} instead of its record.`)
  const { entries } = listSchema.parse(reply.json())
  return {
    effects: entries.filter((entry) => entry.mid === mid && isEffect(entry)).map(toEffect),
    cursor: String(entries.at(-1)?.sequence ?? since),
    more: entries.length >= longest,
  }
}

function toEffect(entry: unknown): AcquirerEffect {
  const { type, at, transaction_id, payment_id, reference, order_id, amount, currency } = effectSchema.parse(entry)
  return {
    transactionId: transaction_id,
    paymentId: payment_id,
    kind: type,
    amountMinor: BigInt(amount),
    currency,
    reference,
    orderId: order_id ?? null,
    at: new Date(at),
  }
}
