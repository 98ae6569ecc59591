/** What CyberSource gives a merchant, by the names of its Business Center. */
import { z } from 'zod'
import type { Mode } from '#domain/merchant.ts'
import { field } from '../credentials.ts'
import type { Wire } from '../wire.ts'
import type { Hosts } from '../wire-request.ts'

/** The same platform is sold under several names, each with addresses of its own. */
// biome-ignore format: a table is read in columns.
const platforms = {
  // name              live                                             test
  'cybersource':     [ 'api.cybersource.com',                           'apitest.cybersource.com' ],
  'india':           [ 'api.in.cybersource.com',                        'apitest.cybersource.com' ],
  'visa-acceptance': [ 'api.visaacceptance.com',                        'apitest.visaacceptance.com' ],
  'bank-of-america': [ 'api.merchant-services.bankofamerica.com',       'apitest.merchant-services.bankofamerica.com' ],
  'smartpay-fuse':   [ 'api.smartpayfuse.barclaycard',                  'api.smartpayfuse-test.barclaycard' ],
} as const satisfies Readonly<Record<string, readonly [live: string, test: string]>>

const base64 = z.base64('Copy the whole value, as it was shown.').min(20).max(512)
const keyId = z.string().regex(/^[\w-]{8,64}$/, 'Copy the whole value, as it was shown.')

export const cybersourceCredentials = z
  .object({
    host: field(z.enum(['cybersource', 'india', 'visa-acceptance', 'bank-of-america', 'smartpay-fuse']).optional(), {
      title: 'Platform',
      help: 'Under which name you have the account: cybersource (default), india, visa-acceptance, bank-of-america, smartpay-fuse (Barclaycard).',
    }),
    merchant_id: field(z.string().regex(/^\w{1,30}$/, 'Letters, digits and underscores only.'), {
      title: 'Merchant ID (organization ID)',
      help: 'Business Center, at the top right, or Account Management, Merchant Management. Not the number that your bank gave you.',
    }),
    key_id: field(keyId, {
      title: 'Key (REST shared secret)',
      help: 'Business Center, Payment Configuration, Key Management, Generate Key, REST – Shared Secret: the value called Key.',
    }),
    shared_secret: field(base64, {
      title: 'Shared secret key',
      help: 'Shown once when the key is generated. A key ends after three years.',
      secret: true,
    }),
    webhook_key_id: field(keyId.optional(), {
      title: 'Key ID of the digital signature key',
      help: 'keyId in the answer to the request that created the key of the webhook subscription.',
    }),
    webhook_key: field(base64.optional(), {
      title: 'Digital signature key',
      help: 'key in the same answer. Without it no notification is accepted.',
      secret: true,
    }),
    webhook_key_id_previous: field(keyId.optional(), {
      title: 'Previous key ID',
      help: 'Only while the digital signature key is being replaced: notifications signed with either key are accepted.',
    }),
    webhook_key_previous: field(base64.optional(), {
      title: 'Previous digital signature key',
      help: 'Belongs to the previous key ID.',
      secret: true,
    }),
    webhook_private_key: field(
      z.string().startsWith('-----BEGIN', 'Paste the whole PEM text.').max(10_000).optional(),
      {
        title: 'Private key of message-level encryption',
        help: 'PEM. Payment events arrive encrypted for the certificate that you uploaded; this is its private key.',
        secret: true,
        multiline: true,
      },
    ),
    base_url: field(z.url({ protocol: /^https?$/ }).optional(), {
      title: 'Base URL',
      help: 'Leave empty. Another address of the API: a proxy of yours, or a stand-in for tests.',
    }),
  })
  .refine(({ webhook_key_id: id, webhook_key: key }) => (id === undefined) === (key === undefined), {
    path: ['webhook_key'],
    message: 'A digital signature key and its ID belong together: enter both or none.',
  })
  .refine(({ webhook_key_id_previous: id, webhook_key_previous: key }) => (id === undefined) === (key === undefined), {
    path: ['webhook_key_previous'],
    message: 'A digital signature key and its ID belong together: enter both or none.',
  })

export type CybersourceCredentials = z.infer<typeof cybersourceCredentials>
export type CybersourceWire = Wire<CybersourceCredentials>

export function cybersourceHosts({ host = 'cybersource' }: CybersourceCredentials, mode: Mode): Hosts {
  const [live, test] = platforms[host]
  return { api: `https://${mode === 'test' ? test : live}` }
}
