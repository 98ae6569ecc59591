/** By what CyberSource knows who calls: an HTTP signature over host, date, target, digest and merchant ID. */
import { createHash, createHmac, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { Call } from '../../kit/routes.ts'
import type { Account, AccountName, Accounts } from '../kit/accounts.ts'

export const issue = (name: AccountName): Readonly<Record<string, string>> => ({
  merchantId: `gatehouse_${name}`,
  keyId: randomUUID(),
  sharedSecret: randomBytes(32).toString('base64'),
  webhookKeyId: randomUUID(),
  webhookKey: randomBytes(32).toString('base64'),
  ...encryptionKeys(),
})

let madeKeys: Readonly<Record<string, string>> | undefined

/** The merchant's pair for message-level encryption. Both accounts have the same, since a pair takes long to make. */
function encryptionKeys(): Readonly<Record<string, string>> {
  madeKeys ??= newPair()
  return madeKeys
}

function newPair(): Readonly<Record<string, string>> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKey, privateKey }
}

/** Undefined if the signature is not that of an account. `target` is the path with its query. */
export function accountOf(
  accounts: Accounts,
  { headers, bytes, host = '' }: Call,
  method: string,
  target: string,
): Account | undefined {
  const { keyId, names, signature } = readSignature(headers['signature'] ?? '')
  const account = accounts.bySecret('keyId', keyId)
  const isRightAccount = account?.secrets['merchantId'] === headers['v-c-merchant-id']
  const digest = `SHA-256=${createHash('sha256').update(bytes).digest('base64')}`
  const isWhole = bytes.length === 0 || (names.includes('digest') && headers['digest'] === digest)
  if (!account || !isRightAccount || !isWhole || !needed.every((name) => names.includes(name))) return undefined
  const special: Readonly<Record<string, string>> = { host, 'request-target': `${method} ${target}` }
  const text = names.map((name) => `${name}: ${special[name] ?? headers[name] ?? ''}`).join('\n')
  const wanted = createHmac('sha256', Buffer.from(account.secrets['sharedSecret'] ?? '', 'base64'))
    .update(text)
    .digest('base64')
  return signature === wanted ? account : undefined
}

const needed = ['host', 'v-c-date', 'request-target', 'v-c-merchant-id']

function readSignature(header: string) {
  const parts = new Map(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value] as const),
  )
  const names = (parts.get('headers') ?? '').split(' ')
  return { keyId: parts.get('keyid'), names, signature: parts.get('signature') }
}
