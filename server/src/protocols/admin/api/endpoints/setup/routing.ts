/** Routing rules: drafts, simulation, replay, publishing, history and roll-back, and the explanation of a payment's routing. */
import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import { protocols } from '#domain/merchant.ts'
import { wallets } from '#domain/mid.ts'
import { addName } from '../../../../../panel/approvals/waiting-approvals.ts'
import { requirePayment } from '../../../../../panel/payments/payment-commands.ts'
import { explainedPayment } from '../../../../../panel/payments/payment-explanation.ts'
import { replayedActions } from '../../../../../panel/setup/replay-effects.ts'
import * as routing from '../../../../../panel/setup/routing.ts'
import { replayStep } from '../../../../../panel/setup/routing-replay.ts'
import { jsonInput, ruleInput, shownRule } from '../../documented.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import {
  anything,
  countInput,
  doneAnswer,
  doneOutput,
  emptyBody,
  id,
  instant,
  instantInput,
  minor,
  minorInput,
  textInput,
} from '../../values.ts'
import { shownApproval } from '../access/approvals.ts'

const shownPublished = z.object({
  merchantId: id.nullable(),
  version: z.number(),
  rules: z.array(shownRule).readonly(),
  note: z.string(),
  restores: z.number().nullable(),
  draftedBy: z.string(),
  publishedBy: z.string(),
  publishedAt: instant,
})

const shownDraft = z.object({
  merchantId: id.nullable(),
  revision: z.number(),
  rules: z.array(shownRule).readonly(),
  note: z.string(),
  changedBy: z.string(),
  changedAt: instant,
})

const shownSet = z.object({
  /** `global`, or the merchant's id. */
  ruleSet: z.string(),
  merchantId: id.nullable(),
  published: shownPublished.nullable(),
  draft: shownDraft.nullable(),
})

const shownDecision = z.object({
  result: z.enum(['routed', 'declined', 'refused']),
  midName: z.string().nullable(),
  threeDs: z.enum(['require', 'skip']).nullable(),
  maximumAttempts: z.number(),
  recovery: z.string().nullable(),
  explanation: anything,
  sentences: z.array(z.string()).readonly(),
})

const ruleSetInput = z.union([z.literal('global'), z.uuid()])
const revision = countInput.min(1)
const noteInput = z.string().trim().max(500).default('')

/** The rules to use instead of the published ones. */
const rulesChoice = {
  ruleSet: ruleSetInput.default('global'),
  rules: z.union([z.enum(['published', 'draft']), z.array(ruleInput).max(limits.routing.rules)]).default('published'),
}

const word = textInput(64).nullable().default(null)

const hypothetical = z.strictObject({
  merchantId: z.uuid(),
  mode: z.enum(['live', 'test']).default('live'),
  protocol: z.enum(protocols).default('S2S_CARD'),
  kind: z.enum(['sale', 'debit', 'credit', 'transfer']).default('sale'),
  auth: z.boolean().default(false),
  recurring: z.enum(['none', 'init', 'charge']).default('none'),
  initiator: z.enum(['cardholder', 'merchant']).default('cardholder'),
  channel: z.string().max(limits.length.channelId).nullable().default(null),
  currency: z.string().regex(/^[A-Z0-9]{3,10}$/),
  amountMinor: minorInput,
  bin: z
    .string()
    .regex(/^[0-9]{6,8}$/, 'Enter six to eight digits, never the full number.')
    .nullable()
    .default(null),
  network: word,
  issuerCountry: word,
  funding: word,
  panType: z.enum(['DPAN', 'FPAN']).nullable().default(null),
  wallet: z.enum(wallets).nullable().default(null),
  brand: word,
  payerCountry: word,
  motoType: word,
  customData: z.record(z.string(), jsonInput).nullable().default(null),
  payerEmail: textInput(255).nullable().default(null),
  payerIp: textInput(45).nullable().default(null),
  payerPhone: textInput(32).nullable().default(null),
  saveCard: z.boolean().default(false),
  at: instantInput.nullable().default(null),
  seed: textInput(64).default('simulation'),
})

/** Risk lists as they were at each payment, or as they are now. */
const lists = z.enum(['then', 'now']).default('then')

const shownChange = z.object({
  paymentId: id,
  merchantId: id,
  orderId: z.string(),
  createdAt: instant,
  amountMinor: minor,
  currency: z.string(),
  status: z.string(),
  wentTo: z.string().nullable(),
  wouldGoTo: z.string().nullable(),
  result: z.enum(['routed', 'declined', 'refused']),
  /** What the draft changes; with `applies` false it no longer does what the published rules do. */
  effects: z.array(z.object({ action: z.enum(replayedActions), applies: z.boolean() })).readonly(),
  byTheDraft: z.boolean(),
  sentences: z.array(z.string()).readonly(),
})

export const routingEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/routing/sets',
    summary: 'Lists rule sets, the general one and those of single merchants, with their drafts.',
    access: 'routing.read',
    output: z.object({ sets: z.array(shownSet).readonly() }),
    run: async (_, { context }) => ({ sets: await routing.listRuleSets(context) }),
  }),
  queryEndpoint({
    path: '/routing/sets/:ruleSet',
    summary: 'Returns the published version of a rule set and its draft.',
    access: 'routing.read',
    output: shownSet,
    run: ({ params: { ruleSet } }, { context }) => routing.findRuleSet(context, ruleSet),
  }),
  queryEndpoint({
    path: '/routing/sets/:ruleSet/versions',
    summary: 'Lists the published versions of a rule set, newest first.',
    access: 'routing.read',
    query: {
      before: z.coerce.number().pipe(countInput.min(1)).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    },
    output: z.object({ versions: z.array(shownPublished).readonly() }),
    run: async ({ params: { ruleSet }, query: { before, limit } }, { context }) => ({
      versions: await routing.listVersions(context, ruleSet, before ?? null, limit),
    }),
  }),
  queryEndpoint({
    path: '/routing/sets/:ruleSet/versions/:ruleVersion',
    summary: 'Returns one version of a rule set.',
    access: 'routing.read',
    output: shownPublished,
    run: ({ params: { ruleSet, ruleVersion } }, { context }) =>
      routing.readVersion(context, ruleSet, Number(ruleVersion)),
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/routing/sets/:ruleSet/draft',
    summary: 'Replaces the draft of a rule set; the revision must be the one that was read, 0 for the first draft.',
    access: 'routing.write',
    body: z.strictObject({ rules: z.array(ruleInput), note: noteInput, revision: countInput.min(0) }),
    output: shownDraft,
    run: async ({ params: { ruleSet }, body }, { context, actor }) => {
      const { draft, audit } = await routing.storeDraft(context, actor, ruleSet, body)
      return { answer: draft, audit }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/routing/sets/:ruleSet/draft',
    summary: 'Deletes a draft.',
    access: 'routing.write',
    query: { revision: z.coerce.number().pipe(revision) },
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { ruleSet }, query }, { context }) => ({
      answer: doneAnswer,
      audit: await routing.dropDraft(context, ruleSet, query.revision),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/routing/validate',
    summary: 'Validates unsaved rules and returns all errors.',
    access: 'routing.read',
    body: z.strictObject({ rules: jsonInput }),
    output: z.object({ faults: z.array(z.object({ field: z.string(), text: z.string() })).readonly() }),
    run: async ({ body: { rules } }, { context }) => ({
      answer: { faults: routing.checkRules(context, rules) },
      audit: 'none',
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/routing/simulate',
    summary: 'Simulates the routing of a payment and explains the result; nothing is stored.',
    access: 'routing.read',
    body: z.strictObject({ ...rulesChoice, payment: hypothetical }),
    output: shownDecision,
    run: async ({ body: { payment, ruleSet, rules } }, { context }) => ({
      answer: await routing.simulateFor(context, payment, { ruleSet, rules }),
      audit: 'none',
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/routing/replay',
    summary:
      'Runs one step of a replay and returns recent payments that the draft would route differently. Continue with `before` = `next`.',
    access: 'routing.read',
    body: z.strictObject({
      ...rulesChoice,
      rules: rulesChoice.rules.unwrap().default('draft'),
      days: z.int().min(1).max(limits.routing.replayDays),
      before: z.uuid().nullable().default(null),
      lists,
    }),
    output: z.object({
      total: z.number().nullable(),
      examined: z.number(),
      changed: z.array(shownChange).readonly(),
      next: id.nullable(),
      /** Null if no rule asks for lists. */
      lists: z.enum(['then', 'now']).nullable(),
      countsVelocity: z.boolean(),
    }),
    run: async ({ body }, { context }) => ({
      answer: await replayStep(context, body),
      audit: 'none',
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/routing/sets/:ruleSet/publish',
    summary: 'Requests approval to publish the current draft.',
    access: 'routing.write',
    body: z.strictObject({ revision, reason: textInput(500) }),
    // The id as other requests for approval return it, too.
    output: shownApproval.extend({ approvalId: id }),
    run: async ({ params: { ruleSet }, body }, { context, user, actor }) => {
      const approval = await addName(context, await routing.askToPublish(context, { user, actor }, ruleSet, body), user)
      return { answer: { ...approval, approvalId: approval.id }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/routing/sets/:ruleSet/roll-back',
    summary: 'Publishes an earlier version again, at once.',
    access: 'routing.write',
    body: z.strictObject({ version: countInput.min(1), reason: textInput(500) }),
    output: shownPublished,
    run: async ({ params: { ruleSet }, body }, { context, actor }) => {
      const set = await routing.rollBackTo(context, actor, routing.merchantOfSet(ruleSet), body)
      await context.configuration.refresh()
      return { answer: set, audit: 'written' }
    },
  }),
  queryEndpoint({
    path: '/merchants/:merchantId/payments/:paymentId/routing',
    summary: 'Explains the routing of a payment, and why no further attempt followed.',
    access: 'payments.read',
    output: z.object({
      explanation: anything,
      /** Why no further attempt followed; null if one followed, or if none was needed. */
      ending: z.object({ reason: z.string(), sentence: z.string(), stored: anything }).nullable(),
      sentences: z.array(z.string()).readonly(),
    }),
    run: async ({ params: { merchantId, paymentId } }, { context }) =>
      explainedPayment(await requirePayment(context, merchantId, paymentId)),
  }),
]
