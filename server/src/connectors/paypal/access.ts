/** Access to PayPal: the OAuth token of the app, and the check of the credentials. */
import { z } from 'zod'
import type { AccessToken } from '../access-token.ts'
import type { CredentialsCheck } from '../connector.ts'
import { formBody, WireFault } from '../wire.ts'
import { issueOf } from './answer.ts'
import type { PaypalCredentials } from './credentials.ts'
import type { PaypalWire } from './orders.ts'

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

export const accessToken: AccessToken<PaypalCredentials> = {
  request: ({ client_id, client_secret }) => ({
    method: 'POST',
    path: '/v1/oauth2/token',
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
    body: formBody({ grant_type: 'client_credentials' }),
  }),
  read: (reply) => {
    const issued = reply.status === 200 ? tokenSchema.safeParse(reply.json()).data : undefined
    return issued ? { token: issued.access_token, validForMs: issued.expires_in * 1000 } : null
  },
  headers: (token) => ({ authorization: `Bearer ${token}` }),
}

/** Reads the webhook, which needs the app's token and names the webhook. */
export async function check(_nothing: null, wire: PaypalWire): Promise<CredentialsCheck> {
  const { webhook_id: id } = wire.credentials
  try {
    const path = '/v1/notifications/webhooks'
    const reply = await wire.get(id === undefined ? path : `${path}/${encodeURIComponent(id)}`)
    if (reply.status === 200) return { kind: 'accepted' }
    const issue = issueOf(reply)
    if (reply.status === 401 || reply.status === 403) return refusedApp
    if (issue !== null && (reply.status === 404 || reply.status === 400))
      return { kind: 'refused', field: 'webhook_id', text: 'The app has no webhook with this Webhook ID.' }
    return { kind: 'no-answer', text: `PayPal answered ${reply.status}.` }
  } catch (fault) {
    if (!(fault instanceof WireFault)) throw fault
    // A token that could not be asked for has a cause; one that PayPal refused has none.
    return !fault.sent && fault.cause === undefined && !fault.isBug
      ? refusedApp
      : { kind: 'no-answer', text: 'PayPal could not be reached.' }
  }
}

const refusedApp: CredentialsCheck = {
  kind: 'refused',
  field: null,
  text: 'PayPal refused Client ID and Secret. Check both, and that the app is a live app for a live MID or a sandbox app for a test MID.',
}
