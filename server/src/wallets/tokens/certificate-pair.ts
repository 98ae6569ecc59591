/** Certificates as merchants enter them, and whether they belong to the key and the merchant (Chapter 40 §3, §4.2). */

import { createHash } from 'node:crypto'
import { utcDay } from '#domain/time.ts'
import { Asn1Error } from './asn1/asn1-error.ts'
import { type Certificate, extensionText, readCertificate } from './asn1/certificate.ts'
import { oids } from './asn1/oids.ts'
import { type EntryFault, entryFault, type FaultId } from './entry-fault.ts'
import { readOneLine, trimEntry } from './key-text.ts'
import { pemBlocks } from './pem.ts'
import { privateNumbers } from './private-numbers.ts'
import type { WalletKey } from './processing-key.ts'

type CertificateReading =
  | { readonly ok: true; readonly certificate: Certificate }
  | { readonly ok: false; readonly fault: EntryFault }

export interface PairTerms {
  readonly certificate: Certificate
  readonly key: Pick<WalletKey, 'spki'>
  readonly role: 'identity' | 'processing'
  readonly merchantIdentifier: string
  readonly now: Date
}

export function readCertificateText(entered: string): CertificateReading {
  const text = trimEntry(entered)
  if (text === '') return refuseEntry('K1')
  if (text.length > maxLength) return refuseEntry('K2')
  if (text.includes('-----BEGIN')) return fromPem(text)
  const line = readOneLine(text)
  return line.ok ? fromDer(line.der) : line
}

/** The first fault of the pair, or null. */
export function pairFault({ certificate, key, role, merchantIdentifier, now }: PairTerms): EntryFault | null {
  if (!certificate.spki.equals(key.spki)) return entryFault('K9')
  if (now > certificate.validUntil) return entryFault('K10expired', utcDay(certificate.validUntil))
  if (now < certificate.validFrom) return entryFault('K10notYet', utcDay(certificate.validFrom))
  const issuedFor = otherMerchant(certificate, role, merchantIdentifier)
  return issuedFor === null ? null : entryFault('K11', issuedFor)
}

const maxLength = 32_768

function fromPem(text: string): CertificateReading {
  const blocks = pemBlocks(text)
  if (blocks === null) return refuseEntry('K3')
  if (blocks.some(({ label }) => label.endsWith('PRIVATE KEY'))) return refuseEntry('K5reverse')
  const [block, ...more] = blocks.filter(({ label }) => label === 'CERTIFICATE')
  if (more.length > 0) return refuseEntry('K6')
  return block === undefined ? refuseEntry('K2') : fromDer(block.bytes)
}

function fromDer(der: Buffer): CertificateReading {
  try {
    return { ok: true, certificate: readCertificate(der) }
  } catch (error) {
    if (!(error instanceof Asn1Error)) throw error
    return refuseEntry(privateNumbers(der).ok ? 'K5reverse' : 'K3')
  }
}

/**
 * The other merchant that the certificate names, or null. An identity certificate may omit its merchant. A processing certificate may not:
 * it proves the identifier that decryption uses.
 */
function otherMerchant(certificate: Certificate, role: PairTerms['role'], merchantIdentifier: string): string | null {
  const { subjectUserId: userId, extensions } = certificate
  const extension = extensions.get(oids.merchantIdentifier)
  const hash = extension === undefined ? null : extensionText(extension).toLowerCase()
  const expected = createHash('sha256').update(merchantIdentifier).digest('hex')
  if (userId !== null && userId !== merchantIdentifier) return userId
  if (hash !== null && hash !== expected) return 'another merchant identifier'
  return hash === null && role === 'processing' ? 'no merchant identifier' : null
}

function refuseEntry(id: FaultId): CertificateReading {
  return { ok: false, fault: entryFault(id) }
}
