/**
 * Answers to disputes: files are uploaded first, then all evidence is submitted by one request, which Stripe takes once
 * (https://docs.stripe.com/api/disputes/update, https://docs.stripe.com/disputes/api, November 2026).
 */
import { z } from 'zod'
import type { EvidenceKind } from '#domain/dispute/evidence.ts'
import {
  acceptedAnswer,
  type CaseState,
  type DisputeAnswerOutcome,
  type DisputeContract,
  type DisputeDefence,
  type EvidenceDocument,
  prepare,
  toUnanswered,
} from '../disputes/dispute-answer.ts'
import { evidenceRulesOf } from '../disputes/evidence-limits.ts'
import { formBody, partsBody, type WireReply } from '../wire.ts'
import type { StripeWire } from './credentials.ts'
import { readDispute } from './dispute.ts'

export const disputes: DisputeContract<[wire: StripeWire]> = {
  evidence: evidenceRulesOf('stripe'),
  contest,
  accept: async ({ dispute, idempotencyKey }, wire) => {
    const reply = await wire.post(`${pathOf(dispute)}/close`, formBody({}), { idempotencyKey })
    return toAnswer(reply, dispute)
  },
  ask: async (dispute, wire) => toCaseState(await wire.get(pathOf(dispute)), dispute),
}

const pathOf = (dispute: string): string => `/v1/disputes/${encodeURIComponent(dispute)}`

const evidenceFields = {
  receipt: 'receipt',
  delivery: 'shipping_documentation',
  correspondence: 'customer_communication',
  policy: 'refund_policy',
  agreement: 'customer_signature',
  other: 'uncategorized_file',
} as const satisfies Readonly<Record<EvidenceKind, string>>

async function contest(
  { dispute, idempotencyKey, documents }: DisputeDefence,
  wire: StripeWire,
): Promise<DisputeAnswerOutcome> {
  const evidence: Record<string, string> = {}
  for (const document of documents) {
    const reply = await prepare(() => upload(document, wire))
    const id = reply.status === 200 ? fileSchema.safeParse(reply.json()).data?.id : undefined
    if (id === undefined) return toUnanswered(reply, wordIn(reply), { isPreparation: true })
    evidence[evidenceFields[document.kind]] = id
  }
  const reply = await wire.post(pathOf(dispute), formBody(submissionOf(evidence)), { idempotencyKey })
  return toAnswer(reply, dispute)
}

const fileSchema = z.object({ id: z.string().min(1), object: z.literal('file') })

const upload = ({ name, type, bytes }: EvidenceDocument, wire: StripeWire): Promise<WireReply> =>
  wire.post(
    '/v1/files',
    partsBody([
      { name: 'purpose', bytes: Buffer.from('dispute_evidence') },
      { name: 'file', fileName: name, contentType: type, bytes },
    ]),
    { host: 'files' },
  )

/** `submit` sends it to the issuer; evidence that is only stored can still be changed. */
const submissionOf = (evidence: Readonly<Record<string, string>>) => ({ evidence, submit: true })

function toAnswer(reply: WireReply, dispute: string): DisputeAnswerOutcome {
  if (reply.status !== 200) return toUnanswered(reply, wordIn(reply))
  const caseState = toCaseState(reply, dispute)
  return caseState === 'answered' || caseState === 'decided'
    ? acceptedAnswer
    : { result: 'unknown', reason: 'The answer of the acquirer could not be read.' }
}

const errorSchema = z.object({
  error: z.object({
    type: z.literal('invalid_request_error'),
    code: z.string().nullish(),
    message: z.string().nullish(),
  }),
})

const wordIn = (reply: WireReply): string | null => {
  const error = errorSchema.safeParse(reply.json()).data?.error
  return error ? (error.message ?? error.code ?? 'invalid request') : null
}

const caseStates: Readonly<Record<string, CaseState>> = {
  needs_response: 'open',
  warning_needs_response: 'open',
  under_review: 'answered',
  warning_under_review: 'answered',
  won: 'decided',
  lost: 'decided',
  warning_closed: 'decided',
}

function toCaseState(reply: WireReply, id: string): CaseState {
  const dispute = reply.status === 200 ? readDispute(reply.json()) : null
  return dispute?.id === id ? (caseStates[dispute.status] ?? null) : null
}
