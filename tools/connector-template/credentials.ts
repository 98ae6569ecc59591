/** What the acquirer gives a merchant, by the names of its dashboard. The panel's form shows title and help. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { field } from '#server/connectors/credentials.ts'
import type { Signer } from '#server/connectors/wire-request.ts'

export const credentials = z.object({
  merchant_id: field(z.string().min(1), {
    title: 'Merchant ID',
    help: 'State here where in the acquirer’s dashboard it is found.',
  }),
  api_secret: field(z.string().min(16), {
    title: 'API secret',
    help: 'State here where it is found, and which permissions it needs.',
    secret: true,
  }),
  webhook_secret: field(z.string().min(16).optional(), {
    title: 'Webhook secret',
    help: 'State here where it is found. Without it no notification is accepted.',
    secret: true,
  }),
  base_url: field(z.url({ protocol: /^https?$/ }).optional(), {
    title: 'Base URL',
    help: 'Leave empty. Another address of the API: a proxy of yours, or a stand-in for tests.',
  }),
})

export type AcquirerCredentials = z.infer<typeof credentials>

/** Signs method, path and the exact bytes. An acquirer with a plain key gets `{ authorization: 'Bearer …' }` instead. */
export const sign: Signer<AcquirerCredentials> = ({ method, url, bytes }, { merchant_id, api_secret }) => ({
  'x-merchant': merchant_id,
  'x-signature': createHmac('sha256', api_secret).update(`${method} ${url.pathname}\n`).update(bytes).digest('hex'),
})
