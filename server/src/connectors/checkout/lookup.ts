/** Finds out what became of a transaction: by Checkout.com's id of it, otherwise by our reference. */
import { z } from 'zod'
import type { Answer, FollowUp, Outcome, SentTransaction, StatusQuery } from '../connector.ts'
import { enquire } from '../exchange.ts'
import { merchantReference } from '../merchant-reference.ts'
import { notExecuted } from '../outcome.ts'
import type { Wire, WireReply } from '../wire.ts'
import { toActionAnswer } from './actions.ts'
import { notAllowed, outcomeOf, unknown } from './answer.ts'
import type { CheckoutCredentials } from './credentials.ts'
import { checkoutAmounts } from './currencies.ts'
import { paymentSchema } from './payment.ts'

type CheckoutWire = Wire<CheckoutCredentials>

const laterSteps: ReadonlySet<string> = new Set(['capture', 'refund', 'reverse', 'void'])

export async function findOutcome(query: StatusQuery, wire: CheckoutWire): Promise<Answer> {
  const { first } = query
  if (!laterSteps.has(query.operation)) return findPayment(query, wire)
  const found = first.reference ?? (await findId({ ...query, transactionId: first.transactionId }, wire))
  if (typeof found !== 'string') return found
  const reply = await wire.get(`/payments/${encodeURIComponent(found)}/actions`)
  return toActionAnswer(reply, { id: query.reference, reference: merchantReference(query) })
}

async function findPayment(query: StatusQuery, wire: CheckoutWire): Promise<Answer> {
  const found = query.reference ?? (await findId(query, wire))
  if (typeof found !== 'string') return found
  const reply = await wire.get(`/payments/${encodeURIComponent(found)}`)
  const parsed = reply.status === 200 ? paymentSchema.safeParse(reply.json()) : undefined
  if (!parsed) return unknown(`The acquirer answered ${reply.status}.`)
  if (!parsed.success) return unknown('The answer of the acquirer could not be read.')
  return outcomeOf(parsed.data, {
    reference: merchantReference(query),
    amount: checkoutAmounts.toAcquirer(query.amountMinor, query.currency),
    id: found,
  })
}

/** Longer than a request waits at Checkout.com, and than its lists lag behind. */
export const settledMs = 120_000

/**
 * A reversal was refused because the payment does not allow it. Its key is not documented as one that is honoured, so that it may be the
 * repetition of a reversal that was executed: the actions tell, once they are complete.
 */
export async function findRefusedReversal(followUp: FollowUp, id: string, wire: CheckoutWire): Promise<Outcome> {
  // A question that did not leave says nothing about the reversal, which did.
  const answer = await enquire(async () => {
    const reply = await wire.get(`/payments/${encodeURIComponent(id)}/actions`)
    return toActionAnswer(reply, { id: null, reference: merchantReference(followUp) })
  }, raise)
  if (answer.result !== 'never-arrived' && answer.result !== 'cannot-be-asked') return answer
  const isSettled = wire.now().getTime() - followUp.createdAt.getTime() > settledMs
  return isSettled ? notExecuted(notAllowed) : unknown('The acquirer does not allow the reversal, or has executed it.')
}

const raise = (fault: unknown): never => {
  throw fault
}

const listSchema = z.object({
  data: z.array(z.object({ id: z.string().min(1), reference: z.string().nullish(), approved: z.boolean().nullish() })),
})

/** A reference should have one payment; if there are several, prefer one that moved money. */
async function findId(query: SentTransaction, wire: CheckoutWire): Promise<string | Answer> {
  const reference = merchantReference(query)
  const reply = await wire.get(`/payments?reference=${encodeURIComponent(reference)}&limit=100`)
  const list = readList(reply)
  if (!list) return unknown(`The acquirer answered ${reply.status} instead of its payments.`)
  const own = list.filter((payment) => payment.reference === reference)
  const found = own.find(({ approved }) => approved) ?? own[0]
  return found?.id ?? { result: 'never-arrived' }
}

const readList = (reply: WireReply) =>
  reply.status === 200 ? (listSchema.safeParse(reply.json()).data?.data ?? null) : null
