/**
 * Key pairs generated here, and the request (PKCS#10) that the wallet provider's portal turns into a certificate. Chapter 40 §2, own
 * account, step 3.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { oids } from './asn1/oids.ts'
import { bits, derNull, encode, oid, sequence, setOfOne, utf8, zero } from './asn1/writer.ts'
import { type KeyField, readPrivateKey, type WalletKey } from './processing-key.ts'

const commonName = '2.5.4.3'
/** The request has no attributes, but their field is mandatory. */
const noAttributes = encode(0xa0)

export function generateWalletKey(type: WalletKey['type'], field: KeyField): WalletKey {
  const { privateKey } =
    type === 'EC'
      ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const reading = readPrivateKey(oneLineOf(privateKey), field)
  if (!reading.ok) throw new Error(`A key of type ${type} does not fit the field: ${reading.fault.text}`)
  return reading.key
}

/** In PEM. The subject's name is the Merchant Identifier; the wallet provider adds the rest. */
export function certificateRequest({ type, privateKey, spki }: WalletKey, merchantIdentifier: string): string {
  const subject = sequence(setOfOne(sequence(oid(commonName), utf8(merchantIdentifier))))
  const body = sequence(zero, subject, spki, noAttributes)
  const algorithm = type === 'EC' ? sequence(oid(oids.ecdsaWithSha256)) : sequence(oid(oids.rsaWithSha256), derNull)
  const der = sequence(body, algorithm, bits(sign('sha256', body, privateKey)))
  return pem('CERTIFICATE REQUEST', der)
}

export function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/** The form in which keys are entered and sealed. */
export const oneLineOf = (privateKey: KeyObject): string =>
  privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
