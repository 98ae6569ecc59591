/** What an operator enters to connect a Stripe account. */
import { z } from 'zod'
import { field } from '../credentials.ts'
import type { Wire } from '../wire.ts'

export const credentials = z.object({
  secret_key: field(
    z.string().regex(/^[sr]k_(test|live)_[A-Za-z0-9_]+$/, 'Must be a secret or restricted key: sk_… or rk_….'),
    {
      title: 'Secret key',
      help: 'Dashboard, Developers, API keys. A restricted key needs write access to PaymentIntents, SetupIntents, Charges and Refunds, Customers and Tokens, and read access to Balance and Events.',
      secret: true,
    },
  ),
  webhook_secret: field(z.string().regex(/^whsec_\S+$/, 'Must be a signing secret: whsec_….'), {
    title: 'Signing secret',
    help: 'Dashboard, Developers, Webhooks: the endpoint of this MID, Signing secret.',
    secret: true,
  }).optional(),
  webhook_secret_previous: field(z.string().regex(/^whsec_\S+$/, 'Must be a signing secret: whsec_….'), {
    title: 'Previous signing secret',
    help: 'While the signing secret is being rolled: the one that ends. Empty otherwise.',
    secret: true,
  }).optional(),
  account_id: field(z.string().regex(/^acct_\S+$/, 'Must be an account: acct_….'), {
    title: 'Connected account',
    help: 'Only for a platform that charges on behalf of a connected account: its ID.',
  }).optional(),
  base_url: field(z.url({ protocol: /^https?$/ }), {
    title: 'Address',
    help: 'Only for a stand-in or a proxy: replaces https://api.stripe.com.',
  }).optional(),
})

export type StripeWire = Wire<z.infer<typeof credentials>>
