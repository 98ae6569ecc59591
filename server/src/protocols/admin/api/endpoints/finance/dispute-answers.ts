/** Answers to disputes, and the bundle for acquirers that take none from programs. Chapter 60 §5. */
import { z } from 'zod'
import { answerDispute, listDefenceReasons, settleAnswer } from '../../../../../panel/finance/dispute-answers.ts'
import { createDisputeBundle } from '../../../../../panel/finance/dispute-bundle.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, textInput } from '../../values.ts'

const path = '/merchants/:merchantId/disputes/:disputeId'

export const disputeAnswerEndpoints: readonly Endpoint[] = [
  changeEndpoint({
    method: 'POST',
    path: `${path}/answer`,
    summary:
      'Accepts or contests a dispute. It is sent to the acquirer if its API takes answers, unless `byHand` says that people answer in its portal.',
    access: 'payments.dispute',
    body: z.strictObject({
      answer: z.enum(['accepted', 'contested']),
      reason: textInput(100).nullable().default(null),
      byHand: z.boolean().default(false),
    }),
    output: doneOutput,
    run: async ({ params: { merchantId, disputeId }, body }, { context, actor }) => ({
      answer: doneAnswer,
      audit: await answerDispute(context, actor, { merchantId, id: disputeId }, body),
    }),
  }),
  changeEndpoint({
    method: 'PUT',
    path: `${path}/answer`,
    summary: 'Records whether an answer with an unknown result reached the acquirer.',
    access: 'payments.dispute',
    body: z.strictObject({ hasArrived: z.boolean() }),
    output: doneOutput,
    run: async ({ params: { merchantId, disputeId }, body: { hasArrived } }, { context }) => ({
      answer: doneAnswer,
      audit: await settleAnswer(context, { merchantId, id: disputeId }, hasArrived),
    }),
  }),
  queryEndpoint({
    path: `${path}/reasons`,
    summary: 'Asks the acquirer on which grounds the dispute can be contested; empty if it wants none.',
    access: 'payments.dispute',
    output: z.object({
      reasons: z
        .array(
          z.object({
            code: z.string(),
            required: z.array(z.string()).readonly(),
            optional: z.array(z.string()).readonly(),
          }),
        )
        .readonly(),
    }),
    run: async ({ params: { merchantId, disputeId } }, { context }) => ({
      reasons: await listDefenceReasons(context, { merchantId, id: disputeId }),
    }),
  }),
  queryEndpoint({
    path: `${path}/bundle`,
    summary: 'Returns a ZIP archive, in base64, with a cover sheet and all evidence.',
    access: 'payments.read',
    output: z.object({ name: z.string(), content: z.string() }),
    run: ({ params: { merchantId, disputeId } }, { context }) => createDisputeBundle(context, merchantId, disputeId),
  }),
]
