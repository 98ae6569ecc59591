/**
 * Translates the acquirer's answers into outcomes.
 *
 * Only explicit answers count as an approval, a decline or "never arrived"; everything else is unknown, because money may have moved.
 */
import { z } from 'zod'
import type { DeclineClass } from '#domain/payment/payment.ts'
import type { Answer, CredentialsCheck, Outcome } from '#server/connectors/connector.ts'
import type { WireReply } from '#server/connectors/wire.ts'

/** The answer to a command. */
export function toOutcome(reply: WireReply): Outcome {
  const { status } = reply
  const parsed = chargeSchema.safeParse(reply.json())
  if (status !== 200 || !parsed.success) {
    return { result: 'unknown', reason: `The acquirer answered ${status}.`, facts: {} }
  }
  const { reference, approval_code, reason } = parsed.data
  const facts = { reference, ...(approval_code && { approvalCode: approval_code }) }
  switch (parsed.data.status) {
    case 'approved':
      return { result: 'approved', facts }
    case 'declined':
      return { result: 'declined', reason: reason ?? 'Declined', declineClass: declineClassOf(reason), facts }
    case 'processing':
      return { result: 'unknown', reason: 'The acquirer has not decided yet.', facts }
  }
}

/** The answer to a status query. */
export function toAnswer(reply: WireReply): Answer {
  const unheard = reply.status === 404 && notFoundSchema.safeParse(reply.json()).success
  return unheard ? { result: 'never-arrived' } : toOutcome(reply)
}

/** The answer to a harmless question. */
export function toCheck({ status }: WireReply): CredentialsCheck {
  if (status === 200) return { kind: 'accepted' }
  if (status === 401) return { kind: 'refused', field: 'api_secret', text: 'The acquirer refuses the API secret.' }
  return { kind: 'no-answer', text: `The acquirer answered ${status}.` }
}

const chargeSchema = z.object({
  status: z.enum(['approved', 'declined', 'processing']),
  reference: z.string(),
  approval_code: z.string().optional(),
  reason: z.string().optional(),
})

/** The acquirer's own error, so that the 404 of a proxy does not count. */
const notFoundSchema = z.object({ error: z.literal('charge_not_found') })

// biome-ignore format: a table is read in columns.
const declineClasses: ReadonlyMap<string, DeclineClass> = new Map([
  // the acquirer's reason    ours
  [ 'insufficient_funds',     'soft'  ],
  [ 'stolen_card',            'hard'  ],
  [ 'suspected_fraud',        'fraud' ],
])

function declineClassOf(reason: string | undefined): DeclineClass {
  return declineClasses.get(reason ?? '') ?? 'unknown'
}
