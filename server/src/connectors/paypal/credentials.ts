/** What PayPal gave the operator: a REST app, and the webhook that belongs to it. */
import { z } from 'zod'
import { field } from '../credentials.ts'

const dashboard = 'developer.paypal.com, Apps & Credentials'

export const credentials = z.object({
  client_id: field(z.string().min(1), {
    title: 'Client ID',
    help: `${dashboard}: of the REST app. Live and sandbox apps have their own.`,
  }),
  client_secret: field(z.string().min(1), {
    title: 'Secret',
    help: `${dashboard}: of the same app. A new secret can be added before the old one is disabled.`,
    secret: true,
  }),
  webhook_id: field(z.string().min(1).optional(), {
    title: 'Webhook ID',
    help: `${dashboard}: of the app's webhook for this MID. Without it no notification is accepted.`,
  }),
  webhook_id_previous: field(z.string().min(1).optional(), {
    title: 'Previous Webhook ID',
    help: 'Accepted as well while a webhook is replaced by another one.',
  }),
  three_ds: field(z.enum(['SCA_WHEN_REQUIRED', 'SCA_ALWAYS']).optional(), {
    title: '3-D Secure',
    help: 'SCA_WHEN_REQUIRED, the default, authenticates the payer where the law or the issuer requires it; SCA_ALWAYS authenticates every payer.',
  }),
  webhook_authority: field(z.string().startsWith('-----BEGIN CERTIFICATE-----').optional(), {
    title: 'Certificate authority of webhooks',
    help: 'Only together with Base URL: the authority that signs webhooks of a stand-in, as PEM text. PayPal itself is known by public authorities.',
    multiline: true,
  }),
  base_url: field(z.url({ protocol: /^https?$/ }).optional(), {
    title: 'Base URL',
    help: 'Empty for PayPal itself. The address of a stand-in or of a proxy in your network.',
  }),
})

export type PaypalCredentials = z.infer<typeof credentials>
