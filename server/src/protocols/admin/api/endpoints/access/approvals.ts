/** Requests that wait for approval by a second person. */
import { z } from 'zod'
import { collectPassword } from '../../../../../panel/access/password-reveal.ts'
import {
  approvalKinds,
  decideApproval,
  listApprovalsFor,
  requireDecidableApproval,
  requireVisibleApproval,
} from '../../../../../panel/approvals/approvals.ts'
import { approve } from '../../../../../panel/approvals/approved.ts'
import { dismissApproval } from '../../../../../panel/approvals/dismissal.ts'
import { addName, addNames, countWaiting } from '../../../../../panel/approvals/waiting-approvals.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { anything, emptyBody, id, instant, pageLimit } from '../../values.ts'

const states = ['waiting', 'approved', 'done', 'refused', 'withdrawn', 'failed'] as const

export const shownApproval = z.object({
  id,
  kind: z.enum(approvalKinds),
  merchantId: id.nullable(),
  subject: z.string(),
  request: anything,
  reason: z.string(),
  askedBy: id,
  askedByName: z.string(),
  askedAt: instant,
  expiresAt: instant,
  state: z.enum(states),
  decidedBy: id.nullable(),
  decidedByName: z.string().nullable(),
  decidedAt: instant.nullable(),
  note: z.string().nullable(),
  result: anything,
  dismissedByName: z.string().nullable(),
  /** Approved and not completed, because its process has ended: approve it again to carry it out, or dismiss it. */
  isLeft: z.boolean(),
  /** Of one that was left: later requests about the same, the newest first. What they did is not to be done again. */
  laterRequests: z.array(z.object({ id, state: z.enum(states), askedAt: instant, askedByName: z.string() })).readonly(),
  /** Of one that waits: why the caller is no second person for the one who asked, and until when. */
  obstacle: z.object({ text: z.string(), until: instant }).nullable(),
})

const decisionBody = z.strictObject({ note: z.string().trim().max(500).nullable().default(null) })

export const approvalEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/approvals',
    summary:
      'Lists requests that need a second person, newest first; of the state "left" those that were approved and not completed.',
    access: 'approvals.read',
    query: { state: z.enum([...states, 'left']).optional(), before: z.uuid().optional(), limit: pageLimit },
    output: z.object({ approvals: z.array(shownApproval).readonly() }),
    run: async ({ query: { state, before, limit } }, { context, grant, user }) => ({
      approvals: await addNames(
        context,
        await listApprovalsFor(context, grant, { state: state ?? null, before, limit }),
        user,
      ),
    }),
  }),
  queryEndpoint({
    path: '/approvals/waiting',
    summary: 'Counts the requests that wait for a decision of the caller.',
    access: 'approvals.decide',
    output: z.object({ count: z.number() }),
    run: async (_, { context, grant, user }) => ({ count: await countWaiting(context, grant, user) }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/approvals/:approvalId/approve',
    summary:
      'Approves and executes another user’s request. One that was approved and left (`isLeft`) is executed; nothing happens twice.',
    access: 'approvals.decide',
    body: decisionBody,
    output: shownApproval,
    run: async ({ params: { approvalId }, body }, { context, grant, user, actor }) => {
      const approval = await requireDecidableApproval(context, grant, approvalId)
      const answer = await approve(context, { user, actor }, approval, body.note)
      return { answer: await addName(context, answer, user), audit: 'written' }
    },
  }),
  ...(['refuse', 'withdraw'] as const).map((verb) =>
    changeEndpoint({
      method: 'POST',
      path: `/approvals/:approvalId/${verb}`,
      summary: verb === 'refuse' ? 'Rejects another user’s request.' : 'Withdraws the caller’s own request.',
      access: verb === 'refuse' ? 'approvals.decide' : 'approvals.read',
      body: decisionBody,
      output: shownApproval,
      run: async ({ params: { approvalId }, body }, { context, grant, user, actor }) => {
        await (verb === 'refuse' ? requireDecidableApproval : requireVisibleApproval)(context, grant, approvalId)
        const state = verb === 'refuse' ? 'refused' : 'withdrawn'
        const answer = await decideApproval(context, { user, actor }, approvalId, { state, note: body.note })
        return { answer: await addName(context, answer, user), audit: 'written' }
      },
    }),
  ),
  changeEndpoint({
    method: 'POST',
    path: '/approvals/:approvalId/dismiss',
    summary:
      'Ends a request that was approved and left (`isLeft`) as failed, so that it is never executed; a payout run is cancelled. Refused if its action was begun.',
    access: 'approvals.decide',
    body: z.strictObject({ reason: z.string().trim().min(1).max(500) }),
    output: shownApproval,
    run: async ({ params: { approvalId }, body }, { context, grant, user, actor }) => {
      const approval = await requireDecidableApproval(context, grant, approvalId)
      const answer = await dismissApproval(context, { user, actor }, approval, body.reason)
      return { answer: await addName(context, answer, user), audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/approvals/:approvalId/password',
    summary: 'Shows the password once after another user approved the request.',
    access: 'merchants.secrets',
    stepUp: true,
    body: emptyBody,
    output: z.object({ password: z.string() }),
    run: async ({ params: { approvalId } }, { context, grant, user, actor }) => {
      const approval = await requireVisibleApproval(context, grant, approvalId)
      const password = await collectPassword(context, { user, actor }, approval)
      return { answer: { password: password.reveal() }, audit: 'written' }
    },
  }),
]
