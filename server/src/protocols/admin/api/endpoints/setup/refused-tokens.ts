/** "Refused wallet tokens": which check refused a token. Chapter 40 §15. */
import { z } from 'zod'
import { listRefusedTokens, listRefusedTokensFor } from '../../../../../panel/setup/wallets.ts'
import { type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { id, instant, instantInput, pageLimit } from '../../values.ts'
import { checkRecord } from '../../wallet-checks.ts'
import { withoutUndefined } from '../../without-undefined.ts'

const search = {
  orderId: z.string().max(255).optional(),
  requestId: z.string().max(100).optional(),
  since: instantInput.optional(),
  until: instantInput.optional(),
  /** The request id of the last token on the previous page. */
  before: z.string().max(100).optional(),
  limit: pageLimit,
}

const shownToken = z.object({
  requestId: z.string(),
  merchantId: id,
  mode: z.string(),
  orderId: z.string().nullable(),
  protocol: z.string(),
  at: instant,
  record: checkRecord,
})

const output = z.object({ tokens: z.array(shownToken).readonly() })

export const refusedTokenEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/refused-tokens',
    summary: 'Lists refused wallet tokens of the caller’s merchants with the result of each check, newest first.',
    access: 'wallets.read',
    query: { merchantId: z.uuid().optional(), ...search },
    output,
    run: async ({ query }, { context, grant }) => ({
      tokens: await listRefusedTokensFor(context, grant, withoutUndefined(query)),
    }),
  }),
  queryEndpoint({
    path: '/merchants/:merchantId/refused-tokens',
    summary: 'Lists refused wallet tokens with the result of each check, newest first.',
    access: 'wallets.read',
    query: search,
    output,
    run: async ({ params: { merchantId }, query }, { context }) => ({
      tokens: await listRefusedTokens(context, { ...withoutUndefined(query), merchantId }),
    }),
  }),
]
