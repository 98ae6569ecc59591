/** What browsers reported about violations of the pages' content security policy. */
import { z } from 'zod'
import { listPolicyReportsFor } from '../../../../../panel/instance/policy-reports.ts'
import { type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { instant } from '../../values.ts'

export const policyReportEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/policy-reports',
    summary: 'Lists violations of the content security policy of payers’ pages that browsers reported, newest first.',
    access: 'system.read',
    output: z.object({
      reports: z
        .array(
          z.object({
            rule: z.string(),
            blocked: z.string(),
            page: z.string(),
            source: z.string(),
            reports: z.number(),
            firstAt: instant,
            lastAt: instant,
          }),
        )
        .readonly(),
    }),
    run: async (_, { context }) => ({ reports: await listPolicyReportsFor(context) }),
  }),
]
