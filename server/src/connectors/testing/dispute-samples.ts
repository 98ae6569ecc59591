/** A dispute and its evidence, as the gateway gives them to a connector. */
import type { DisputeDefence, EvidenceDocument } from '../disputes/dispute-answer.ts'

export const disputeCase = { dispute: 'DSP-1', idempotencyKey: '0199-1' }

export const receipt: EvidenceDocument = {
  name: 'receipt.pdf',
  type: 'application/pdf',
  kind: 'receipt',
  bytes: Buffer.from('%PDF-1.7 receipt'),
}

export const delivery: EvidenceDocument = {
  name: 'signed "note".jpg',
  type: 'image/jpeg',
  kind: 'delivery',
  bytes: Buffer.from('ffd8ffe000', 'hex'),
}

export const defence: DisputeDefence = { ...disputeCase, reason: null, documents: [delivery, receipt] }
