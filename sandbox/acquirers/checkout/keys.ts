/** By what Checkout.com knows who calls: permanent keys, and the access tokens that an access key is exchanged for. */
import { createHmac, randomBytes } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'
import type { Account, AccountName, Accounts } from '../kit/accounts.ts'
import { newId } from './payment.ts'

export const issue = (name: AccountName): Readonly<Record<string, string>> => {
  const environment = name === 'live' ? '' : 'sbox_'
  const [accessKeyId, accessKeySecret] = [newId('ack'), randomBytes(32).toString('base64url')]
  return {
    secretKey: newId(`sk_${environment}k`),
    publicKey: newId(`pk_${environment}k`),
    accessKeyId,
    accessKeySecret,
    // The same for as long as the access key lives: nothing here depends on when a token ends.
    accessToken: createHmac('sha256', accessKeySecret).update(accessKeyId).digest('base64url'),
    channel: newId('pc'),
    currencyAccount: newId('ca'),
    signatureKey: randomBytes(24).toString('hex'),
  }
}

/** `public` is enough for tokens, which a browser may make. */
export function accountOf(accounts: Accounts, { headers }: Call, needed: 'secret' | 'public'): Account | undefined {
  const [, token] = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '') ?? []
  const permanent = accounts.bySecret(needed === 'secret' ? 'secretKey' : 'publicKey', token)
  return permanent ?? accounts.bySecret('accessToken', token)
}

/** `POST /connect/token`, the exchange of an access key for a token. */
export function exchangeKey(accounts: Accounts, { body }: Call): Reply {
  const { grant_type: grant, client_id: id, client_secret: secret } = isObject(body) ? body : {}
  const account = accounts.bySecret('accessKeyId', String(id))
  if (grant !== 'client_credentials' || account?.secrets['accessKeySecret'] !== secret)
    return { status: 400, body: { error: 'invalid_client' } }
  const token = account?.secrets['accessToken']
  return {
    status: 200,
    body: { access_token: token, expires_in: 14_400, token_type: 'Bearer', scope: 'gateway vault' },
  }
}
