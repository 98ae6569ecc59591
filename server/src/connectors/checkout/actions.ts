/** The actions of a payment, as `GET /payments/{id}/actions` lists them: how captures, refunds and reversals ended. */
import { z } from 'zod'
import type { AcquirerFacts, Answer } from '../connector.ts'
import type { WireReply } from '../wire.ts'
import { unknown } from './answer.ts'
import { declineClassOf, declineReasonOf } from './declines.ts'

const fact = z.string().min(1).max(500).optional().catch(undefined)

const actionsSchema = z.array(
  z.object({
    id: z.string().min(1).max(100),
    reference: z.string().nullish(),
    approved: z.boolean().nullish(),
    response_code: fact,
    response_summary: fact,
    processing: z
      .object({ acquirer_reference_number: fact, retrieval_reference_number: fact })
      .optional()
      .catch(undefined),
  }),
)

type Action = z.infer<typeof actionsSchema>[number]

/** `id` is Checkout.com's, known once it took the action. A reversal may be several actions of one reference: a refund and a void. */
export function toActionAnswer(
  reply: WireReply,
  { id, reference }: { readonly id: string | null; readonly reference: string },
): Answer {
  const parsed = reply.status === 200 ? actionsSchema.safeParse(reply.json()) : undefined
  if (!parsed) return unknown(`The acquirer answered ${reply.status}.`)
  if (!parsed.success) return unknown('The answer of the acquirer could not be read.')
  const found = parsed.data.filter((action) => action.id === id || action.reference === reference)
  const declined = found.find(({ approved }) => approved === false)
  if (declined && found.length > 1) return unknown('The acquirer executed a part of it.')
  if (declined) return toDecline(declined)
  const last = found.find(({ approved }) => typeof approved !== 'boolean') ?? found[0]
  if (last?.approved) return { result: 'approved', facts: factsOf(last) }
  if (last) return { result: 'waiting', facts: factsOf(last) }
  // Taken, and not executed yet: the list shows what was executed.
  return id === null ? { result: 'never-arrived' } : { result: 'waiting', facts: { reference: id } }
}

const toDecline = (action: Action): Answer => ({
  result: 'declined',
  reason: declineReasonOf(action.response_code, action.response_summary),
  declineClass: declineClassOf(action.response_code),
  facts: factsOf(action),
})

const factsOf = ({ id, processing }: Action): AcquirerFacts => ({
  reference: id,
  ...(processing?.acquirer_reference_number && { arn: processing.acquirer_reference_number }),
  ...(processing?.retrieval_reference_number && { rrn: processing.retrieval_reference_number }),
})
