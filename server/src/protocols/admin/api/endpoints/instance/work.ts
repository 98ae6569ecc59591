/** The caller's long-running work: its progress and its cancellation. */
import { z } from 'zod'
import { cancelWork, claimWork, listWork } from '../../../../../panel/instance/long-work.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { emptyBody, id, instant, minor } from '../../values.ts'

export const shownWork = z.object({
  id,
  kind: z.enum(['capture', 'resend']),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  total: minor,
  done: minor,
  failed: minor,
  /** Only the first failures. */
  failures: z.array(z.object({ subject: z.string(), text: z.string() })).readonly(),
  createdAt: instant,
  endedAt: instant.nullable(),
})

export const workEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/work',
    summary: 'Lists the caller’s background jobs, newest first.',
    access: 'signed-in',
    output: z.object({ work: z.array(shownWork).readonly() }),
    run: async (_, { context, user }) => ({ work: await listWork(context, user.id) }),
  }),
  queryEndpoint({
    path: '/work/:workId',
    summary: 'Returns the progress of a background job of the caller.',
    access: 'signed-in',
    output: shownWork,
    run: ({ params: { workId } }, { context, user }) => claimWork(context, user.id, workId),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/work/:workId',
    summary: 'Cancels a background job; completed steps are not undone.',
    access: 'signed-in',
    body: emptyBody,
    output: shownWork,
    run: async ({ params: { workId } }, { context, user }) => {
      const work = await cancelWork(context, user.id, workId)
      return { answer: work, audit: { action: 'work.cancel', subject: `work ${workId}`, merchantId: null } }
    },
  }),
]
