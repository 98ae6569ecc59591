/**
 * Answers to disputes: files are uploaded, named as evidence, and then submitted, which Checkout.com takes once
 * (https://api-reference.checkout.com, Disputes and Files, November 2026).
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
import { jsonBody, partsBody, type Wire, type WireReply } from '../wire.ts'
import type { CheckoutCredentials } from './credentials.ts'

type CheckoutWire = Wire<CheckoutCredentials>

export const disputes: DisputeContract<[wire: CheckoutWire]> = {
  evidence: evidenceRulesOf('checkout'),
  contest,
  accept: async ({ dispute }, wire) => toAnswer(await wire.send({ method: 'POST', path: `${pathOf(dispute)}/accept` })),
  ask: async (dispute, wire) => toCaseState(await wire.get(pathOf(dispute)), dispute),
}

const pathOf = (dispute: string): string => `/disputes/${encodeURIComponent(dispute)}`

const evidenceFields = {
  receipt: 'invoice_or_receipt_file',
  delivery: 'proof_of_delivery_or_service_file',
  correspondence: 'customer_communication_file',
  policy: 'refund_or_cancellation_policy_file',
  agreement: 'recurring_transaction_agreement_file',
  other: 'additional_evidence_file',
} as const satisfies Readonly<Record<EvidenceKind, string>>

async function contest({ dispute, documents }: DisputeDefence, wire: CheckoutWire): Promise<DisputeAnswerOutcome> {
  const evidence: Record<string, string> = {}
  for (const document of documents) {
    const reply = await prepare(() => upload(document, wire))
    const id = reply.status === 200 || reply.status === 201 ? fileSchema.safeParse(reply.json()).data?.id : undefined
    if (id === undefined) return toUnanswered(reply, wordIn(reply), { isPreparation: true })
    evidence[evidenceFields[document.kind]] = id
  }
  const path = `${pathOf(dispute)}/evidence`
  const named = await prepare(() => wire.send({ method: 'PUT', path, body: jsonBody(evidence) }))
  if (named.status !== 204) return toUnanswered(named, wordIn(named), { isPreparation: true })
  return toAnswer(await wire.send({ method: 'POST', path }))
}

const fileSchema = z.object({ id: z.string().min(1) })

const upload = ({ name, type, bytes }: EvidenceDocument, wire: CheckoutWire): Promise<WireReply> =>
  wire.post(
    '/files',
    partsBody([
      { name: 'purpose', bytes: Buffer.from('dispute_evidence') },
      { name: 'file', fileName: name, contentType: type, bytes },
    ]),
  )

const toAnswer = (reply: WireReply): DisputeAnswerOutcome =>
  reply.status === 204 ? acceptedAnswer : toUnanswered(reply, wordIn(reply))

const errorSchema = z.object({ error_type: z.string(), error_codes: z.array(z.string()).default([]) })

/** Answers without a body, 403 and 404 among them, name the request that they refused. */
function wordIn(reply: WireReply): string | null {
  const error = errorSchema.safeParse(reply.json()).data
  if (error) return [error.error_type, ...error.error_codes].join(', ')
  return reply.bytes.length === 0 && reply.headers['cko-request-id'] !== undefined ? `status ${reply.status}` : null
}

const caseStates: Readonly<Record<string, CaseState>> = {
  evidence_required: 'open',
  evidence_submitted: 'answered',
  evidence_under_review: 'answered',
  evidence_acknowledged_by_scheme: 'answered',
  arbitration_under_review: 'answered',
  arbitration_sent_to_scheme: 'answered',
  accepted: 'decided',
  canceled: 'decided',
  expired: 'decided',
  lost: 'decided',
  arbitration_lost: 'decided',
  resolved: 'decided',
  won: 'decided',
  arbitration_won: 'decided',
}

const disputeSchema = z.object({ id: z.string(), status: z.string() })

function toCaseState(reply: WireReply, id: string): CaseState {
  const dispute = reply.status === 200 ? disputeSchema.safeParse(reply.json()).data : undefined
  return dispute?.id === id ? (caseStates[dispute.status] ?? null) : null
}
