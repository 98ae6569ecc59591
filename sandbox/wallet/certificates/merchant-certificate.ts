/** Certificates for test merchants: the identity with which they request sessions, and the one of their processing key. */
import type { KeyObject } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import { publicKeyOf, sha256 } from '../key-pair.ts'
import { type CertifiedKey, extension, issue, maySign, nameOf, pem } from './certificate.ts'
import { leafLife } from './chain.ts'
import { oid, sequence, utf8 } from './der.ts'
import { oids } from './oids.ts'

export interface CertificateRequest {
  readonly kind: 'identity' | 'processing'
  readonly merchantIdentifier: string
  readonly spki: Buffer
}

export function issueToMerchant(request: CertificateRequest, issuer: CertifiedKey, now: Date): string {
  const { kind, merchantIdentifier, spki } = request
  const title = kind === 'identity' ? 'Merchant Identity' : 'Payment Processing'
  const plan = {
    subject: nameOf(`${title}: ${merchantIdentifier}`, merchantIdentifier),
    ...leafLife(now),
    extensions: [...maySign, ...usesOf(kind), extension(oids.merchantIdentifier, utf8(hashOf(merchantIdentifier)))],
  }
  return pem(issue(plan, { spki }, issuer))
}

/** A text instead of a request is an error message. */
export function readCertificateRequest(body: unknown): CertificateRequest | string {
  if (!isObject(body)) return 'The body is not a JSON object.'
  const { kind, merchant_identifier: merchantIdentifier, spki } = body
  if (kind !== 'identity' && kind !== 'processing') return 'kind: Use identity or processing.'
  if (typeof merchantIdentifier !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(merchantIdentifier)) {
    return 'merchant_identifier: Use 1 to 255 characters without spaces.'
  }
  const bytes = typeof spki === 'string' ? Buffer.from(spki, 'base64') : Buffer.alloc(0)
  const key = publicKeyOf(bytes)
  if (key === null || !isUsual(key)) return 'spki: The public key must be EC P-256 or RSA of 2048 to 4096 bits, base64.'
  return { kind, merchantIdentifier, spki: key.export({ format: 'der', type: 'spki' }) }
}

export const hashOf = (merchantIdentifier: string): string => sha256(merchantIdentifier).toString('hex')

function usesOf(kind: CertificateRequest['kind']): readonly Buffer[] {
  if (kind === 'processing') return []
  return [extension(oids.extendedKeyUsage, sequence(oid(oids.clientAuthentication)))]
}

function isUsual({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { namedCurve, modulusLength = 0 } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'ec') return namedCurve === 'prime256v1'
  return asymmetricKeyType === 'rsa' && modulusLength >= 2048 && modulusLength <= 4096
}
