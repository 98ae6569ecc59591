/**
 * Certificates whose issuer's signature was found good, remembered by fingerprint.
 *
 * A maker signs for years with the same two certificates, and verifying them costs more than the rest of a token. Only
 * what verified is remembered, so nobody can fill the memory with certificates of his own; what depends on the moment
 * (validity, denied serials) is not remembered and is checked for every token.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type Certificate, readCertificate } from './asn1/certificate.ts'
import { oids } from './asn1/oids.ts'

export class KnownCertificates {
  readonly #known = new Map<string, Known>()

  /** The certificate that the bytes hold. Throws `Asn1Error` when they hold none. */
  read(der: Buffer): Certificate {
    // To compare with the few that are known takes a tenth of the time that a hash to look them up by would.
    for (const { certificate } of this.#known.values()) if (certificate.der.equals(der)) return certificate
    return readCertificate(der)
  }

  isSignedBy(certificate: Certificate, issuer: Certificate): boolean {
    if (this.#known.get(certificate.fingerprint)?.issuer === issuer.fingerprint) return true
    if (!signatureVerifies(certificate, this.keyOf(issuer))) return false
    this.#remember({ certificate, key: publicKeyOf(certificate), issuer: issuer.fingerprint })
    return true
  }

  /** Null when the key is of a kind that is not used here. */
  keyOf(certificate: Certificate): KeyObject | null {
    return this.#known.get(certificate.fingerprint)?.key ?? publicKeyOf(certificate)
  }

  #remember(known: Known): void {
    this.#known.set(known.certificate.fingerprint, known)
    if (this.#known.size <= limit) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}

/** Makers have a handful at a time; the bound is for years without a restart. */
const limit = 64

interface Known {
  readonly certificate: Certificate
  /** Null when it is of a kind that is not used here: what that means is for A7 to say, not for the chain. */
  readonly key: KeyObject | null
  /** Fingerprint of the certificate whose key verified this one. */
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
    // OpenSSL explains in many ways that bytes are not a key of its; to us they are all the same.
    return null
  }
}

function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { namedCurve = '', modulusLength = 0 } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'ec') return ['prime256v1', 'secp384r1', 'secp521r1'].includes(namedCurve)
  return asymmetricKeyType === 'rsa' && modulusLength >= 2048 && modulusLength <= 8192
}
