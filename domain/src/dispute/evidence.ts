/** The files with which a merchant contests a dispute. Chapter 70 §4. */

export const evidenceBytesAtMost = 5 * 1024 * 1024

export type EvidenceType = 'application/pdf' | 'image/png' | 'image/jpeg'

/** By content, because the name of a file says what its sender likes. Null for anything else. */
export function evidenceTypeOf(bytes: Uint8Array): EvidenceType | null {
  const begins = (...signs: readonly number[]): boolean => signs.every((sign, index) => bytes[index] === sign)
  if (begins(0x25, 0x50, 0x44, 0x46, 0x2d)) return 'application/pdf'
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  return begins(0xff, 0xd8, 0xff) ? 'image/jpeg' : null
}
