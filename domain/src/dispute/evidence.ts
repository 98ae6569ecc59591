/** The files with which a merchant contests a dispute. Chapter 70 §4. */

/** The smaller of its two meanings, because acquirers do not say which one they count by. */
export const megabyte = 1_000_000

export const evidenceBytesAtMost = 5 * megabyte
/** All files of one dispute, so that its bundle can be downloaded at once. */
export const evidenceBytesTogether = 25 * megabyte

export const evidenceTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const
export type EvidenceType = (typeof evidenceTypes)[number]

/** What a file shows; acquirers ask for it by names of their own. */
export const evidenceKinds = ['receipt', 'delivery', 'correspondence', 'policy', 'agreement', 'other'] as const
export type EvidenceKind = (typeof evidenceKinds)[number]

export const evidenceKindTitles: Readonly<Record<EvidenceKind, string>> = {
  receipt: 'Receipt or invoice',
  delivery: 'Proof of delivery or service',
  correspondence: 'Correspondence with the payer',
  policy: 'Refund or cancellation policy',
  agreement: 'Contract or agreement',
  other: 'Other',
}

/** By content, because the name of a file says what its sender likes. Null for anything else. */
export function evidenceTypeOf(bytes: Uint8Array): EvidenceType | null {
  const begins = (...signs: readonly number[]): boolean => signs.every((sign, index) => bytes[index] === sign)
  if (begins(0x25, 0x50, 0x44, 0x46, 0x2d)) return 'application/pdf'
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  return begins(0xff, 0xd8, 0xff) ? 'image/jpeg' : null
}
