/** Refused requests of merchants' servers, for those who integrate: which check refused a request, and what its hash covers. */
import { z } from 'zod'
import { checkSteps } from '#domain/request-checks.ts'
import { listRefusedRequestsFor } from '../../../../../panel/payments/refused-requests.ts'
import { type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { id, instant, pageLimit } from '../../values.ts'

const step = z.enum(checkSteps)

const hashExplanation = z.object({
  formula: z.string(),
  values: z.array(z.object({ name: z.string(), value: z.string().nullable() })).readonly(),
  text: z.string(),
  mistake: z.string().nullable(),
})

const shownRequest = z.object({
  id,
  merchantId: id,
  mode: z.enum(['live', 'test']),
  requestId: z.string(),
  protocol: z.string().nullable(),
  action: z.string().nullable(),
  orderId: z.string().nullable(),
  paymentId: id.nullable(),
  at: instant,
  checks: z
    .array(z.object({ step, title: z.string(), result: z.enum(['passed', 'refused', 'not checked']) }))
    .readonly(),
  refusal: z.object({
    http: z.number(),
    code: z.number(),
    message: z.string(),
    violations: z.array(z.object({ param: z.string().nullable(), text: z.string() })).readonly(),
    /** Only for a wrong hash. */
    hash: hashExplanation.nullable(),
  }),
})

export const refusedRequestEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/refused-requests',
    summary: 'Lists refused requests of the caller’s merchants with the result of each check, newest first.',
    access: 'payments.read',
    query: {
      merchantId: z.uuid().optional(),
      mode: z.enum(['live', 'test']).optional(),
      orderId: z.string().max(255).optional(),
      requestId: z.string().max(100).optional(),
      paymentId: z.uuid().optional(),
      /** The id of the last request on the previous page. */
      before: z.uuid().optional(),
      limit: pageLimit,
    },
    output: z.object({ requests: z.array(shownRequest).readonly() }),
    run: async ({ query }, { context, grant }) => ({ requests: await listRefusedRequestsFor(context, grant, query) }),
  }),
]
