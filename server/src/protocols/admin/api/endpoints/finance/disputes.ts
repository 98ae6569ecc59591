/** Disputes, their deadlines and their evidence. Chapter 70 §4. */
import { z } from 'zod'
import { disputeStages } from '#domain/dispute/dispute.ts'
import { evidenceBytesAtMost } from '#domain/dispute/evidence.ts'
import {
  addEvidence,
  changeDispute,
  disputeOf,
  disputeRates,
  disputesFor,
  evidenceOf,
} from '../../../../../panel/finance/disputes.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { dayInput, doneAnswer, doneOutput, id, instant, minor, pageLimit, textInput } from '../../values.ts'

const answers = ['accepted', 'contested'] as const

const shownDispute = z.object({
  merchantId: id,
  id,
  paymentId: id,
  midId: id,
  midName: z.string().nullable(),
  reference: z.string(),
  reasonCode: z.string(),
  amountMinor: minor,
  currency: z.string(),
  amountDecimals: z.number(),
  network: z.string().nullable(),
  stage: z.enum(disputeStages),
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
  size: z.number(),
  sha256: z.string(),
  addedBy: z.string(),
  addedAt: instant,
  sentAt: instant.nullable(),
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
      disputes: await disputesFor(context, grant, {
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
      rates: z
        .array(
          z.object({
            midId: id,
            midName: z.string().nullable(),
            network: z.string().nullable(),
            disputes: z.number(),
            payments: z.number(),
            share: z.number().nullable(),
            /** At or above the share from which card schemes watch an account. */
            isWatched: z.boolean(),
          }),
        )
        .readonly(),
    }),
    run: async ({ query: { day } }, { context }) => ({
      rates: await disputeRates(context, day ?? context.clock.now().toISOString().slice(0, 10)),
    }),
  }),
  queryEndpoint({
    path,
    summary: 'Returns a dispute with its evidence.',
    access: 'payments.read',
    output: shownDispute.extend({ files: z.array(shownFile).readonly() }),
    run: ({ params: { merchantId, disputeId } }, { context }) => disputeOf(context, merchantId, disputeId),
  }),
  changeEndpoint({
    method: 'PUT',
    path,
    summary:
      'Changes the stage, the answer or the deadline of a dispute; contesting it marks its evidence as sent, and a won one returns its money to the merchant.',
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
    path: `${path}/files`,
    summary: 'Adds evidence: a PDF, PNG or JPEG file of up to 5 MB, in base64. It is stored sealed.',
    access: 'payments.dispute',
    bodyBytes: 2 * evidenceBytesAtMost,
    body: z.strictObject({ name: textInput(200), content: z.base64().min(1) }),
    output: doneOutput,
    run: async ({ params: { merchantId, disputeId }, body }, { context, actor }) => ({
      answer: doneAnswer,
      audit: await addEvidence(context, actor, { merchantId, id: disputeId }, body),
    }),
  }),
  queryEndpoint({
    path: `${path}/files/:fileId`,
    summary: 'Returns a file of evidence in base64.',
    access: 'payments.dispute',
    output: z.object({ name: z.string(), type: z.string(), content: z.string() }),
    run: ({ params: { merchantId, disputeId, fileId } }, { context }) =>
      evidenceOf(context, merchantId, disputeId, fileId),
  }),
]
