/** Circuit breakers and approval rates of MIDs. Chapter 50 §4. */
import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import { listHealthOfMids, overrideBreaker, requireHealthOfMid } from '../../../../../panel/setup/mid-health.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { id, instant } from '../../values.ts'

const rate = { approved: z.number(), declined: z.number(), rate: z.number().nullable() }
const shownHealth = z.object({
  midId: id,
  name: z.string(),
  health: z.enum(['closed', 'open', 'half-open']),
  since: instant.nullable(),
  override: z.enum(['open', 'closed']).nullable(),
  exchanges: z.object({ attempts: z.number(), failed: z.number(), failureRate: z.number().nullable() }),
  approval: z.object({
    ...rate,
    cells: z
      .array(
        z.object({ network: z.string().nullable(), country: z.string().nullable(), currency: z.string(), ...rate }),
      )
      .readonly(),
  }),
})

const usualMinutes = 60
/** The period of the approval rates. */
const minutes = z.coerce.number().int().min(1).max(limits.midHealth.windowMinutes).default(usualMinutes)

export const midHealthEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/mid-health',
    summary: 'Returns circuit breakers and recent approval rates of all MIDs, by network, issuer country and currency.',
    access: 'mids.read',
    query: { minutes },
    output: z.object({ mids: z.array(shownHealth).readonly() }),
    run: async ({ query }, { context }) => ({ mids: await listHealthOfMids(context, query.minutes) }),
  }),
  queryEndpoint({
    path: '/mids/:midId/health',
    summary: 'Returns the circuit breaker and the recent approval rates of a MID.',
    access: 'mids.read',
    query: { minutes },
    output: shownHealth,
    run: ({ params: { midId }, query }, { context }) => requireHealthOfMid(context, midId, query.minutes),
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/mids/:midId/health',
    summary:
      'Sets the circuit breaker of a MID manually: open blocks payments, closed allows them whatever fails, null closes it and restores automatic control.',
    access: 'mids.write',
    body: z.strictObject({ override: z.enum(['open', 'closed']).nullable() }),
    output: shownHealth,
    run: async ({ params: { midId }, body: { override } }, { context }) => {
      const { shown, audit } = await overrideBreaker(context, midId, override, usualMinutes)
      return { answer: shown, audit }
    },
  }),
]
