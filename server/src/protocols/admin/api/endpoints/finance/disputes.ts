/** Disputes, their deadlines and their evidence. Chapter 70 §4. */

import { z } from 'zod'
import { disputeStages } from '#domain/dispute/dispute.ts'
import { evidenceBytesAtMost, evidenceKinds, evidenceTypes } from '#domain/dispute/evidence.ts'
import { utcDay } from '#domain/time.ts'
import { askDisputeDecision, disputeDecisions } from '../../../../../panel/finance/dispute-decision.ts'
import {
  addEvidence,
  changeDispute,
  listDisputesFor,
  readDisputeRates,
  readEvidence,
  removeEvidence,
  requireDispute,
} from '../../../../../panel/finance/disputes.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { dayInput, doneAnswer, doneOutput, emptyBody, id, instant, minor, pageLimit, textInput } from '../../values.ts'

const answers = ['accepted', 'contested'] as const

const shownDispute = z.object({
  merchantId: id,
  id,
  paymentId: id,
  /** Null once the payment was removed with its month. */
  orderId: z.string().nullable(),
  midId: id,
  midName: z.string().nullable(),
  reference: z.string(),
  /** The acquirer's own of the dispute. */
  caseReference: z.string().nullable(),
  reasonCode: z.string(),
  amountMinor: minor,
  currency: z.string(),
  amountDecimals: z.number(),
  network: z.string().nullable(),
  stage: z.enum(disputeStages),
  /** Its money was taken; until then it is an inquiry. */
  isChargedBack: z.boolean(),
  answer: z.enum(answers).nullable(),
  answeredAt: instant.nullable(),
  dueOn: z.string().nullable(),
  returnedMinor: minor,
  returnedAt: instant.nullable(),
  openedAt: instant,
})

const shownFile = z.object({
  id,
  name: z.string(),
  type: z.string(),
  kind: z.enum(evidenceKinds),
  size: z.number(),
  sha256: z.string(),
  addedBy: z.string(),
  addedAt: instant,
  sentAt: instant.nullable(),
})

const shownAnswer = z.object({
  id,
  answer: z.enum(answers),
  /** `hand`: outside of this service. */
  way: z.enum(['acquirer', 'hand']),
  state: z.enum(['waiting', 'sending', 'taken', 'refused', 'unknown']),
  reason: z.string().nullable(),
  note: z.string().nullable(),
  requestedBy: z.string(),
  requestedAt: instant,
  sentAt: instant.nullable(),
  endedAt: instant.nullable(),
})

const path = '/merchants/:merchantId/disputes/:disputeId'

export const disputeEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/disputes',
    summary: 'Lists disputes, newest first; the next page starts before the last id.',
    access: 'payments.read',
    query: {
      merchantId: z.uuid().optional(),
      stage: z.enum(disputeStages).optional(),
      open: z.enum(['true', 'false']).default('true'),
      before: z.uuid().optional(),
      limit: pageLimit,
    },
    output: z.object({ disputes: z.array(shownDispute).readonly() }),
    run: async ({ query: { merchantId, stage, open, before, limit } }, { context, grant }) => ({
      disputes: await listDisputesFor(context, grant, {
        merchantId: merchantId ?? null,
        stage: stage ?? null,
        openOnly: open === 'true' && stage === undefined,
        before: before ?? null,
        limit,
      }),
    }),
  }),
  queryEndpoint({
    path: '/disputes/rates',
    summary: 'Returns the disputes of a month per MID and network, and their share of the payments.',
    access: 'settlements.read',
    query: { day: dayInput.optional() },
    output: z.object({
      /** The share of payments from which card schemes watch an account. */
      watchedShare: z.number(),
      rates: z
        .array(
          z.object({
            midId: id,
            midName: z.string().nullable(),
            network: z.string().nullable(),
            disputes: z.number(),
            payments: z.number(),
            share: z.number().nullable(),
            /** At or above `watchedShare`, or without any payment. */
            isWatched: z.boolean(),
          }),
        )
        .readonly(),
    }),
    run: ({ query: { day } }, { context }) => readDisputeRates(context, day ?? utcDay(context.clock.now())),
  }),
  queryEndpoint({
    path,
    summary: 'Returns a dispute with its evidence and what was sent when.',
    access: 'payments.read',
    output: shownDispute.extend({
      acquirer: z.string(),
      /** Answers are sent to the acquirer; otherwise people answer in its portal. */
      isSent: z.boolean(),
      /** The acquirer reports who wins. */
      reportsDecisions: z.boolean(),
      /** The request of a decision that waits for a second person. */
      decisionRequestId: id.nullable(),
      needsReason: z.boolean(),
      /** The files that can be added as evidence. */
      taken: z.object({
        types: z.array(z.object({ type: z.enum(evidenceTypes), megabytes: z.number() })).readonly(),
        megabytesTogether: z.number().nullable(),
        filesAtMost: z.number().nullable(),
        isOnePerKind: z.boolean(),
        /** Not checked: people count them. */
        pages: z.object({ atMost: z.number(), of: z.enum(['dispute', 'file']) }).nullable(),
        /** A limit that the dispute does not show, as a sentence. */
        note: z.string().nullable(),
      }),
      files: z.array(shownFile).readonly(),
      answers: z.array(shownAnswer).readonly(),
    }),
    run: ({ params: { merchantId, disputeId } }, { context }) => requireDispute(context, merchantId, disputeId),
  }),
  changeEndpoint({
    method: 'PUT',
    path,
    summary:
      'Records the stage, the deadline, or an answer that was given outside of this service, with which the evidence is marked as sent. Whether a chargeback is won or lost is a decision of two people.',
    access: 'payments.dispute',
    body: z.strictObject({
      stage: z.enum(disputeStages),
      answer: z.enum(answers).nullable(),
      dueOn: dayInput.nullable(),
    }),
    output: doneOutput,
    run: async ({ params: { merchantId, disputeId }, body }, { context }) => ({
      answer: doneAnswer,
      audit: await changeDispute(context, merchantId, disputeId, body),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/decision`,
    summary:
      'Asks a second person to record that a chargeback was won, which returns its money to the merchant, or lost. Where the acquirer reports decisions, only if its report is missing.',
    access: 'payments.decide',
    body: z.strictObject({
      decision: z.enum(disputeDecisions),
      reason: textInput(500),
      evidence: textInput(2000),
      isReportMissing: z.boolean().default(false),
    }),
    output: z.object({ approvalId: id }),
    run: async ({ params: { merchantId, disputeId }, body }, { context, user, actor }) => {
      const approval = await askDisputeDecision(context, { user, actor }, { merchantId, id: disputeId }, body)
      return { answer: { approvalId: approval.id }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/files`,
    summary:
      'Adds evidence: a PDF, PNG or JPEG file of up to 5 MB and what the acquirer takes, in base64. It is stored sealed.',
    access: 'payments.dispute',
    bodyBytes: 2 * evidenceBytesAtMost,
    body: z.strictObject({
      name: textInput(200),
      content: z.base64().min(1),
      kind: z.enum(evidenceKinds).default('other'),
    }),
    output: doneOutput,
    run: async ({ params: { merchantId, disputeId }, body }, { context, actor }) => ({
      answer: doneAnswer,
      audit: await addEvidence(context, actor, { merchantId, id: disputeId }, body),
    }),
  }),
  queryEndpoint({
    path: `${path}/files/:fileId`,
    summary: 'Returns a file of evidence in base64.',
    access: 'payments.read',
    output: z.object({ name: z.string(), type: z.string(), content: z.string() }),
    run: ({ params: { merchantId, disputeId, fileId } }, { context }) =>
      readEvidence(context, merchantId, disputeId, fileId),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: `${path}/files/:fileId`,
    summary: 'Removes a file of evidence that was not sent.',
    access: 'payments.dispute',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { merchantId, disputeId, fileId } }, { context }) => ({
      answer: doneAnswer,
      audit: await removeEvidence(context, { merchantId, id: disputeId }, fileId),
    }),
  }),
]
