/** Health, jobs, keys, and the test clock of a sandbox. */
import { z } from 'zod'
import { listNotificationsByMid } from '../../../../../panel/instance/notifications.ts'
import { countDueJobs, moveClock, readHealth, readKeys } from '../../../../../panel/instance/system.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { id, instant } from '../../values.ts'

export const systemEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/system/health',
    summary: 'Returns the release, its schema, the clock and the pending work.',
    access: 'system.read',
    output: z.object({
      release: z.string(),
      mode: z.enum(['sandbox', 'live']),
      schema: z.object({ applied: z.number(), known: z.number() }),
      callbacks: z.object({
        waiting: z.number(),
        late: z.number(),
        oldestLateAt: instant.nullable(),
        failed: z.number(),
        blockedUrls: z.number(),
      }),
      /** Those of the list Unresolved: people have to decide them. */
      unknownOutcomes: z.number(),
      outcomesBeingAsked: z.number(),
      /** MIDs whose acquirer has sent no notification for longer than usual. */
      silentMids: z.array(z.string()).readonly(),
      now: instant,
      machineTime: instant,
    }),
    run: (_, { context }) => readHealth(context),
  }),
  queryEndpoint({
    path: '/system/findings',
    summary: 'Lists problems of a live instance with their remedies; a sandbox has none.',
    access: 'system.read',
    output: z.object({
      findings: z
        .array(
          z.object({
            id: z.string(),
            severity: z.enum(['red', 'amber']),
            sentence: z.string(),
            remedy: z.string(),
          }),
        )
        .readonly(),
    }),
    run: async (_, { context }) => ({ findings: await context.listFindings() }),
  }),
  queryEndpoint({
    path: '/system/jobs',
    summary: 'Returns the amount of due work by kind.',
    access: 'system.read',
    output: z.object({
      jobs: z
        .array(z.object({ job: z.string(), waiting: z.number(), due: z.number(), oldestDueAt: instant.nullable() }))
        .readonly(),
    }),
    run: async (_, { context }) => ({ jobs: await countDueJobs(context) }),
  }),
  queryEndpoint({
    path: '/system/notifications',
    summary: 'Returns the last notification of each MID’s acquirer, and whether they have stopped.',
    access: 'system.read',
    output: z.object({
      mids: z
        .array(
          z.object({
            midId: id,
            midName: z.string(),
            connector: z.string(),
            enabled: z.boolean(),
            lastAt: instant.nullable(),
            /** A longer pause is not usual; null while too few have come to know. */
            expectedWithinMs: z.number().nullable(),
            isSilent: z.boolean(),
            /** Events that are tried again, and events that fitted no transaction. */
            waiting: z.number(),
            failed: z.number(),
            /** In the last seven days: notifications whose sender could not be verified. */
            refused: z.number(),
            refusedAt: instant.nullable(),
            refusedReason: z.string().nullable(),
          }),
        )
        .readonly(),
    }),
    run: async (_, { context }) => ({ mids: await listNotificationsByMid(context) }),
  }),
  queryEndpoint({
    path: '/system/keys',
    summary: 'Lists key-encryption keys with the number of data keys that each wraps.',
    access: 'system.read',
    output: z.object({ keys: z.array(z.object({ id: z.string(), wraps: z.number() })).readonly() }),
    run: async (_, { context }) => ({ keys: await readKeys(context) }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/system/clock',
    summary: 'Moves the test clock of a sandbox forward.',
    access: 'clock.write',
    body: z.strictObject({ byMs: z.number().int().min(1) }),
    output: z.object({ now: instant }),
    run: async ({ body: { byMs } }, { context }) => {
      const now = await moveClock(context, byMs)
      return {
        answer: { now },
        audit: { action: 'clock.move', subject: 'clock', merchantId: null, after: { byMs, now } },
      }
    },
  }),
]
