/**
 * A cache of certificates whose issuer's signature was verified, by fingerprint.
 *
 * A wallet provider signs with the same two certificates for years, and verifying them costs more than the rest of a token. Only verified
 * certificates are cached, so an attacker cannot fill the memory. Validity and denied serials depend on the time and are checked for every
 * token.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type Certificate, readCertificate } from './asn1/certificate.ts'
import { oids } from './asn1/oids.ts'

export class KnownCertificates {
  readonly #known = new Map<string, KnownCertificate>()

  /** The certificate in these bytes. Throws `Asn1Error` if there is none. */
  read(der: Buffer): Certificate {
    // Comparing with the few known certificates takes a tenth of the time of hashing for a look-up.
    for (const { certificate } of this.#known.values()) if (certificate.der.equals(der)) return certificate
    return readCertificate(der)
  }

  isSignedBy(certificate: Certificate, issuer: Certificate): boolean {
    if (this.#known.get(certificate.fingerprint)?.issuer === issuer.fingerprint) return true
    if (!signatureVerifies(certificate, this.keyOf(issuer))) return false
    this.#remember({ certificate, key: publicKeyOf(certificate), issuer: issuer.fingerprint })
    return true
  }

  /** Null for an unsupported kind of key. */
  keyOf(certificate: Certificate): KeyObject | null {
    return this.#known.get(certificate.fingerprint)?.key ?? publicKeyOf(certificate)
  }

  #remember(known: KnownCertificate): void {
    this.#known.set(known.certificate.fingerprint, known)
    if (this.#known.size <= limit) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}

/** Providers have a handful at a time; the limit matters only after years without a restart. */
const limit = 64

interface KnownCertificate {
  readonly certificate: Certificate
  /** Null for an unsupported kind of key; check A7 reports that, not the chain. */
  readonly key: KeyObject | null
  /** The fingerprint of the issuing certificate. */
  readonly issuer: string
}

// biome-ignore format: a table is read in columns.
const algorithms: ReadonlyMap<string, readonly [hash: string, keyType: string]> = new Map([
  // signature            hash      key
  [ oids.ecdsaWithSha256, ['sha256', 'ec']  ],
  [ oids.ecdsaWithSha384, ['sha384', 'ec']  ],
  [ oids.ecdsaWithSha512, ['sha512', 'ec']  ],
  [ oids.rsaWithSha256,   ['sha256', 'rsa'] ],
  [ oids.rsaWithSha384,   ['sha384', 'rsa'] ],
  [ oids.rsaWithSha512,   ['sha512', 'rsa'] ],
])

function signatureVerifies(
  { signatureAlgorithm, signedBytes, signature }: Certificate,
  key: KeyObject | null,
): boolean {
  const [digest, keyType] = algorithms.get(signatureAlgorithm) ?? []
  if (key === null || digest === undefined || key.asymmetricKeyType !== keyType) return false
  return verify(digest, signedBytes, key, signature)
}

function publicKeyOf({ spki }: Certificate): KeyObject | null {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    return isStrong(key) ? key : null
  } catch {
    // OpenSSL reports invalid keys in many ways; here they are all the same.
    return null
  }
}

function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { namedCurve = '', modulusLength = 0 } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'ec') return ['prime256v1', 'secp384r1', 'secp521r1'].includes(namedCurve)
  return asymmetricKeyType === 'rsa' && modulusLength >= 2048 && modulusLength <= 8192
}
