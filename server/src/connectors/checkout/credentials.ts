/** What Checkout.com gives a merchant, by the names of its Dashboard. */
import { z } from 'zod'
import type { Mode } from '#domain/merchant.ts'
import { field } from '../credentials.ts'
import type { Hosts } from '../wire-request.ts'

const secretText = z.string().min(8).max(256)

export const checkoutCredentials = z
  .object({
    secret_key: field(secretText.startsWith('sk_', 'A secret key begins with sk_.').optional(), {
      title: 'Secret key',
      help: 'Dashboard, Developers, Keys, Secret key. Leave empty if you enter an access key.',
      secret: true,
    }),
    public_key: field(secretText.startsWith('pk_', 'A public key begins with pk_.').optional(), {
      title: 'Public key',
      help: 'Dashboard, Developers, Keys, Public key. Needed with a secret key if wallet tokens are passed on unopened.',
    }),
    access_key_id: field(z.string().min(1).max(128).optional(), {
      title: 'Access key ID',
      help: 'Dashboard, Developers, Keys, Access keys (OAuth): begins with ack_. Instead of a secret key; scopes gateway, vault, disputes and files.',
    }),
    access_key_secret: field(secretText.optional(), {
      title: 'Access key secret',
      help: 'Shown once when the access key is created.',
      secret: true,
    }),
    processing_channel_id: field(z.string().regex(/^pc_\w{20,40}$/, 'A processing channel begins with pc_.'), {
      title: 'Processing channel ID',
      help: 'Dashboard, Settings, Channels, the channel of this MID: begins with pc_.',
    }),
    url_prefix: field(
      z
        .string()
        .regex(/^(?:pl-)?[a-z0-9]{1,40}$/, 'Give the prefix alone: letters and digits, such as vkuhvk4v.')
        .optional(),
      {
        title: 'Base URL prefix',
        help: 'Dashboard, Developers, Overview, API base URL: the part before .api.checkout.com. Empty: the address without a prefix.',
      },
    ),
    webhook_secret: field(secretText.optional(), {
      title: 'Signature key of the webhook',
      help: 'Dashboard, Developers, Workflows, the webhook of this MID, Signature key. Without it no webhook is accepted.',
      secret: true,
    }),
    webhook_secret_previous: field(secretText.optional(), {
      title: 'Previous signature key',
      help: 'Only while the signature key is being replaced: webhooks signed with either key are accepted.',
      secret: true,
    }),
    three_ds: field(z.enum(['always', 'on-demand', 'never']).optional(), {
      title: '3-D Secure by Checkout.com',
      help: 'Of payments that bring no authentication of their own. always (default); on-demand: when the issuer asks for it; never.',
    }),
    descriptor_city: field(z.string().min(1).max(13).optional(), {
      title: 'City of the billing descriptor',
      help: 'Needed to send the descriptor of the MID. Empty: the descriptor of the processing channel.',
    }),
    currency_account_id: field(
      z
        .string()
        .regex(/^ca_\w{20,40}$/, 'A currency account begins with ca_.')
        .optional(),
      {
        title: 'Currency account of payouts',
        help: 'Dashboard, Balances, the sub-account that pays payouts: begins with ca_. Empty: no payouts.',
      },
    ),
    payout_type: field(
      z
        .string()
        .regex(/^[A-Z]{1,3}[0-9]{0,2}$/, 'Give a funds transfer type such as FD.')
        .optional(),
      { title: 'Funds transfer type of payouts', help: 'As agreed with Checkout.com; default FD, funds disbursement.' },
    ),
    base_url: field(z.url({ protocol: /^https?$/ }).optional(), {
      title: 'Base URL',
      help: 'Leave empty. Another address of the API: a proxy of yours, or a stand-in for tests.',
    }),
  })
  .refine(({ secret_key, access_key_id }) => secret_key !== undefined || access_key_id !== undefined, {
    path: ['secret_key'],
    message: 'Enter a secret key, or an access key with its secret.',
  })
  .refine(({ access_key_id: id, access_key_secret: secret }) => (id === undefined) === (secret === undefined), {
    path: ['access_key_secret'],
    message: 'An access key ID and its secret belong together: enter both or none.',
  })

export type CheckoutCredentials = z.infer<typeof checkoutCredentials>

/** An access key takes precedence: it can be limited to scopes and withdrawn. */
export const usesAccessKey = ({ access_key_id }: CheckoutCredentials): boolean => access_key_id !== undefined

export function checkoutHosts({ url_prefix: prefix }: CheckoutCredentials, mode: Mode): Hosts {
  const account = prefix === undefined ? '' : `${prefix}.`
  const sandbox = mode === 'test' ? 'sandbox.' : ''
  return {
    api: `https://${account}api.${sandbox}checkout.com`,
    access: `https://${account}access.${sandbox}checkout.com`,
  }
}
