/** What Adyen gives a merchant, by the names of its Customer Area. */
import { z } from 'zod'
import { field } from '../credentials.ts'

const hmacKey = z.string().regex(/^[0-9A-Fa-f]{64}$/, 'Give the 64 hexadecimal digits of the key.')

export const adyenCredentials = z.object({
  merchant_account: field(z.string().min(1).max(80), {
    title: 'Merchant account',
    help: 'Customer Area, name of the account at the top left, such as YourCompanyECOM.',
  }),
  api_key: field(z.string().min(20).max(512), {
    title: 'API key',
    help: 'Customer Area, Developers, API credentials, the web service user, Authentication, API key. It needs the role for raw card data.',
    secret: true,
  }),
  live_url_prefix: field(
    z
      .string()
      .regex(/^[A-Za-z0-9]+-[A-Za-z0-9]+$/, 'Give the prefix alone, such as 1797a841fbb37ca7-YourCompany.')
      .optional(),
    {
      title: 'Live URL prefix',
      help: 'Customer Area (live), Developers, API URLs, Prefix. Needed by a live MID; a test MID has none.',
    },
  ),
  hmac_key: field(hmacKey, {
    title: 'HMAC key',
    help: 'Customer Area, Developers, Webhooks, the Standard webhook of this MID, Security, HMAC key. Shown once when it is generated.',
    secret: true,
  }),
  hmac_key_previous: field(hmacKey.optional(), {
    title: 'Previous HMAC key',
    help: 'Only while the HMAC key is being replaced: webhooks signed with either key are accepted.',
    secret: true,
  }),
  base_url: field(z.url({ protocol: /^https?$/ }).optional(), {
    title: 'Base URL',
    help: 'Leave empty. Another address of the Checkout API, with its version: a proxy of yours, or a stand-in for tests.',
  }),
})

export type AdyenCredentials = z.infer<typeof adyenCredentials>
