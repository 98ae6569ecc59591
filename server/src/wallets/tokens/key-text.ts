/** Reads the text of a key field down to one DER SEQUENCE (Chapter 40 §4.1, steps 1 to 3). */
import { Asn1Error } from './asn1/asn1-error.ts'
import { readElement, tags } from './asn1/element.ts'
import { type EntryFault, entryFault, type FaultId } from './entry-fault.ts'
import { type PemBlock, pemBlocks } from './pem.ts'
import { base64Bytes } from './text-bytes.ts'

type KeyText =
  | { readonly ok: true; readonly der: Buffer; readonly notes: readonly string[] }
  | { readonly ok: false; readonly fault: EntryFault }

export function keyText(entered: string): KeyText {
  const text = trimEntry(entered)
  if (text === '') return refuseEntry('K1')
  if (text.length > maxLength) return refuseEntry('K2')
  return text.includes('-----BEGIN') ? fromPem(text) : readOneLine(text)
}

/** Removes a byte order mark and surrounding white space. */
export function trimEntry(entered: string): string {
  return entered.replace(/^\uFEFF/, '').trim()
}

/** The bytes of the one-line form, or the fault. Certificates may be entered in it too. */
export function readOneLine(text: string): KeyText {
  const line = text.replace(/\s+/g, '')
  // A SEQUENCE begins with 0x30, which is M in base64. Other text in the same alphabet is not a key, rather than a damaged one.
  if (!/^M[A-Za-z0-9+/]*={0,2}$/.test(line)) return refuseEntry('K2')
  const der = base64Bytes(line)
  if (der === null || !isSequence(der)) return refuseEntry('K3')
  return { ok: true, der, notes: line === text ? [] : ['White space was removed.'] }
}

/** A key of 8192 bits takes seven thousand characters. */
const maxLength = 16_384

const privateLabels = ['PRIVATE KEY', 'EC PRIVATE KEY', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY']
const publicLabels = ['CERTIFICATE', 'PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE REQUEST', 'TRUSTED CERTIFICATE']

function fromPem(text: string): KeyText {
  const blocks = pemBlocks(text)?.filter(({ label }) => label !== 'EC PARAMETERS')
  if (blocks === undefined) return refuseEntry('K3')
  if (blocks.some(({ label }) => publicLabels.includes(label))) return refuseEntry('K5')
  const [block, ...more] = blocks.filter(({ label }) => privateLabels.includes(label))
  if (more.length > 0) return refuseEntry('K6')
  if (block === undefined || blocks.length > 1) return refuseEntry('K2')
  return fromBlock(block)
}

function fromBlock({ label, bytes, encrypted }: PemBlock): KeyText {
  if (encrypted || label === 'ENCRYPTED PRIVATE KEY') return refuseEntry('K4')
  return isSequence(bytes) ? { ok: true, der: bytes, notes: [] } : refuseEntry('K3')
}

function isSequence(der: Buffer): boolean {
  try {
    return readElement(der, 'DER').tag === tags.sequence
  } catch (error) {
    if (error instanceof Asn1Error) return false
    throw error
  }
}

function refuseEntry(id: FaultId): KeyText {
  return { ok: false, fault: entryFault(id) }
}
