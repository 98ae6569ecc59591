/**
 * Answers to disputes by the Disputes API v1 (document 1.10, November 2026): evidence goes with its files in one request, which PayPal takes while it
 * waits for the seller.
 */
import { z } from 'zod'
import type { EvidenceKind } from '#domain/dispute/evidence.ts'
import {
  acceptedAnswer,
  type CaseState,
  type DisputeAnswerOutcome,
  type DisputeContract,
  type EvidenceDocument,
  toUnanswered,
} from '../disputes/dispute-answer.ts'
import { evidenceRulesOf } from '../disputes/evidence-limits.ts'
import { partsBody, type WireReply } from '../wire.ts'
import { sentenceOf } from './answer.ts'
import type { PaypalWire } from './orders.ts'

export const disputes: DisputeContract<[wire: PaypalWire]> = {
  evidence: evidenceRulesOf('paypal'),
  contest: async ({ dispute, documents }, wire) => {
    const files = documents.map((document, index) => ({ ...document, name: nameOf(document, index) }))
    const input = { name: 'input', contentType: 'application/json', bytes: jsonOf(evidenceOf(files)) }
    const parts = files.map(({ name, type, bytes }, index) => ({
      name: `file${index + 1}`,
      fileName: name,
      contentType: type,
      bytes,
    }))
    return toAnswer(await wire.post(`${pathOf(dispute)}/provide-evidence`, partsBody([input, ...parts])))
  },
  accept: async ({ dispute }, wire) => {
    const input = { name: 'input', contentType: 'application/json', bytes: jsonOf(acceptance) }
    return toAnswer(await wire.post(`${pathOf(dispute)}/accept-claim`, partsBody([input])))
  },
  ask: async (dispute, wire) => toCaseState(await wire.get(pathOf(dispute)), dispute),
}

const acceptance = { note: 'The seller accepts the claim.', accept_claim_type: 'REFUND' }

const pathOf = (dispute: string): string => `/v1/customer/disputes/${encodeURIComponent(dispute)}`

const jsonOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

const evidenceTypes = {
  receipt: 'PROOF_OF_RECEIPT_COPY',
  delivery: 'DELIVERY_RECEIPT',
  correspondence: 'OTHER',
  policy: 'RETURN_POLICY',
  agreement: 'COPY_OF_CONTRACT',
  other: 'OTHER',
} as const satisfies Readonly<Record<EvidenceKind, string>>

const evidenceOf = (files: readonly Pick<EvidenceDocument, 'name' | 'kind'>[]) => ({
  evidences: files.map(({ name, kind }) => ({
    evidence_type: evidenceTypes[kind],
    documents: [{ name }],
    notes: notes[kind],
  })),
})

const notes: Readonly<Record<EvidenceKind, string>> = {
  receipt: 'Receipt or invoice.',
  delivery: 'Proof of delivery or service.',
  correspondence: 'Correspondence with the buyer.',
  policy: 'Refund or cancellation policy.',
  agreement: 'Contract or agreement.',
  other: 'Further evidence.',
}

const endings = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' } as const

/** PayPal takes letters, digits, spaces, commas and dashes before one dot. The number keeps two files apart. */
function nameOf({ name, type }: EvidenceDocument, index: number): string {
  const stem = name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, 100)
  return `${index + 1}-${stem}.${endings[type]}`
}

function toAnswer(reply: WireReply): DisputeAnswerOutcome {
  return reply.status === 200 || reply.status === 202 ? toTaken(reply) : toUnanswered(reply, sentenceOf(reply))
}

const linksSchema = z.object({ links: z.array(z.unknown()) })

const toTaken = (reply: WireReply): DisputeAnswerOutcome =>
  linksSchema.safeParse(reply.json()).success
    ? acceptedAnswer
    : { result: 'unknown', reason: 'The answer of the acquirer could not be read.' }

const caseStates: Readonly<Record<string, CaseState>> = {
  OPEN: 'open',
  WAITING_FOR_SELLER_RESPONSE: 'open',
  UNDER_REVIEW: 'answered',
  WAITING_FOR_BUYER_RESPONSE: 'answered',
  RESOLVED: 'decided',
}

const disputeSchema = z.object({ dispute_id: z.string(), status: z.string() })

function toCaseState(reply: WireReply, id: string): CaseState {
  const dispute = reply.status === 200 ? disputeSchema.safeParse(reply.json()).data : undefined
  return dispute?.dispute_id === id ? (caseStates[dispute.status] ?? null) : null
}
