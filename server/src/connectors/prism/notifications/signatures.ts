/**
 * How acquirers of the family sign their notifications, after their documentation. We verify before the package sees a byte: a body from a stranger
 * must not reach foreign code that payments depend on. decisions/notifications#the-family-prism says why the notifications of other
 * acquirers are not taken.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { hmacKey } from '../../credentials.ts'
import type { NotificationRequest } from '../../notification.ts'
import { verifySignature } from '../../stripe/signature.ts'

/** Why the notification is not the acquirer's; null if it is. */
type Verify = (request: NotificationRequest, secrets: readonly string[]) => string | null

export interface SignedReports {
  /** The credential with which the acquirer signs. */
  readonly secret: string
  readonly title: string
  readonly help: string
  readonly verify: Verify
}

/** A signature older than this may be a repetition by a stranger. */
const toleranceMs = 5 * 60_000

const wrong = 'The signature is missing or wrong.'
const tooOld = 'The signature is too old.'

type Expected = (secret: string, request: NotificationRequest) => Buffer

/** All secrets are always tried, so that the time does not tell which one fits. */
function matches(signature: Buffer, secrets: readonly string[], expected: (secret: string) => Buffer): boolean {
  return secrets
    .map((secret) => expected(secret))
    .map((digest) => digest.length === signature.length && timingSafeEqual(digest, signature))
    .includes(true)
}

const fromHex = (text: string | undefined): Buffer =>
  Buffer.from(/^(?:[0-9a-f]{2})+$/i.test(text ?? '') ? (text ?? '') : '', 'hex')

const signedAs =
  (signatureIn: (headers: NotificationRequest['headers']) => string | undefined, expected: Expected): Verify =>
  (request, secrets) =>
    matches(fromHex(signatureIn(request.headers)), secrets, (secret) => expected(secret, request)) ? null : wrong

const hmac = (algorithm: 'sha256' | 'sha512', secret: string, before: string, body: Buffer): Buffer =>
  createHmac(algorithm, hmacKey(secret, 'utf8')).update(before).update(body).digest()

/** `t=NONCE,s=SIGNATURE` */
const nmiHeader = /^t=(?<nonce>[^,]{1,64}),\s*s=(?<signature>[0-9a-f]{64})$/i
const nmiParts = (headers: NotificationRequest['headers']) => nmiHeader.exec(headers['webhook-signature'] ?? '')?.groups

const verifyRevolut: Verify = ({ headers, body, receivedAt }, secrets) => {
  const time = headers['revolut-request-timestamp'] ?? ''
  // While a secret is rolled, there is a signature for each, separated by commas.
  const signatures = (headers['revolut-signature'] ?? '').split(',').slice(0, 8)
  const isSigned = signatures.some((text) =>
    matches(fromHex(/^\s*v1=(.*)$/.exec(text)?.[1]), secrets, (secret) => hmac('sha256', secret, `v1.${time}.`, body)),
  )
  if (!isSigned || !/^[0-9]{13}$/.test(time)) return wrong
  return Math.abs(receivedAt.getTime() - Number(time)) > toleranceMs ? tooOld : null
}

/** By the package's name of the acquirer. */
export const signedReports: Readonly<Record<string, SignedReports>> = {
  authorizedotnet: {
    secret: 'webhook_secret',
    title: 'Signature key',
    help: 'Merchant Interface, Account, API Credentials and Keys: the signature key. Without it notifications are refused.',
    verify: signedAs(
      (headers) => /^sha512=(.*)$/i.exec(headers['x-anet-signature'] ?? '')?.[1],
      (secret, { body }) => hmac('sha512', secret, '', body),
    ),
  },
  bluesnap: {
    secret: 'webhook_secret',
    title: 'Webhook data security key',
    help: 'Console, Settings, Webhook Settings: the key by which BlueSnap signs. Without it notifications are refused.',
    verify: signedAs(
      (headers) => headers['bls-signature'],
      (secret, { headers, body }) => hmac('sha256', secret, headers['bls-ipn-timestamp'] ?? '', body),
    ),
  },
  nmi: {
    secret: 'webhook_secret',
    title: 'Webhook signing key',
    help: 'Settings, Webhooks: the signing key. Without it notifications are refused.',
    verify: signedAs(
      (headers) => nmiParts(headers)?.signature,
      (secret, { headers, body }) => hmac('sha256', secret, `${nmiParts(headers)?.nonce ?? ''}.`, body),
    ),
  },
  ppro: {
    secret: 'webhook_secret',
    title: 'Webhook secret',
    help: 'As PPRO gave it to you with the webhook subscription. Without it notifications are refused.',
    verify: signedAs(
      (headers) => headers['webhook-signature'],
      (secret, { body }) => createHash('sha256').update(body).update(`.${secret}`).digest(),
    ),
  },
  // The package asks for the secret among the account's credentials.
  revolut: { secret: 'signing_secret', title: '', help: '', verify: verifyRevolut },
  stripe: {
    secret: 'webhook_secret',
    title: 'Signing secret',
    help: 'Dashboard, Developers, Webhooks: the endpoint of this MID, Signing secret. Without it notifications are refused.',
    verify: verifySignature,
  },
}
