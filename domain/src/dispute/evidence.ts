/** The files with which a merchant contests a dispute. Chapter 70 §4. */

const megabyte = 1024 * 1024

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

/** What an acquirer takes as evidence. */
export interface EvidenceRules {
  /** The largest file of each type, in megabytes; a type that is absent is not taken. */
  readonly megabytes: Readonly<Partial<Record<EvidenceType, number>>>
  /** Of all files together. */
  readonly megabytesTogether?: number
  /** It has one place for each kind. */
  readonly isOnePerKind: boolean
}

/** What is taken where people answer by hand: as much as this service stores. */
const ownRules: EvidenceRules = {
  megabytes: { 'application/pdf': 5, 'image/png': 5, 'image/jpeg': 5 },
  isOnePerKind: false,
}

interface AcceptedEvidence {
  /** What a person may choose, with the size up to which both the acquirer and this service take it. */
  readonly types: readonly { readonly type: EvidenceType; readonly megabytes: number }[]
  readonly megabytesTogether: number | null
}

/** Null if the acquirer takes no answers from programs. */
export function acceptedEvidence(rules: EvidenceRules | null): AcceptedEvidence {
  const { megabytes, megabytesTogether } = rules ?? ownRules
  const own = evidenceBytesAtMost / megabyte
  const types = evidenceTypes.flatMap((type) => {
    const most = megabytes[type]
    return most === undefined ? [] : [{ type, megabytes: Math.min(most, own) }]
  })
  return { types, megabytesTogether: megabytesTogether ?? null }
}

/** Types of the same size are named together: `PDF of up to 2 MB, JPEG of up to 5 MB.` */
export function evidenceHint({ types, megabytesTogether: together }: AcceptedEvidence): string {
  const sizes = [...new Set(types.map(({ megabytes }) => megabytes))]
  const parts = sizes.map((size) => {
    const words = types.filter(({ megabytes }) => megabytes === size).map(({ type }) => wordOf(type))
    return `${words.join(' or ').replace(' or ', words.length > 2 ? ', ' : ' or ')} of up to ${size} MB`
  })
  const isBounded = together !== null && types.length > 0 && together * megabyte < evidenceBytesTogether
  return `${parts.join(', ')}${isBounded ? `; ${together} MB in all` : ''}.`
}

interface JudgedFile {
  readonly name: string
  readonly type: EvidenceType
  readonly kind: EvidenceKind
  readonly size: number
}

/** Why the acquirer does not take these files, in words that say what to do; null if it does. */
export function evidenceFault(files: readonly JudgedFile[], rules: EvidenceRules, acquirer: string): string | null {
  const unfit = files.map((file) => fileFault(file, rules, acquirer)).find((fault) => fault !== null)
  if (unfit !== undefined) return unfit
  const { megabytesTogether: together } = rules
  if (together !== undefined && files.reduce((sum, { size }) => sum + size, 0) > together * megabyte)
    return `${acquirer} takes up to ${together} MB in all. Use smaller files.`
  const second = files.find(({ kind }, index) => files.slice(0, index).some((earlier) => earlier.kind === kind))
  if (second && rules.isOnePerKind)
    return `${acquirer} takes one file of each kind, and there is already one of the kind “${evidenceKindTitles[second.kind]}”. Choose another kind for ${second.name}, or combine the files.`
  return null
}

function fileFault({ name, type, size }: JudgedFile, { megabytes }: EvidenceRules, acquirer: string): string | null {
  const most = megabytes[type]
  if (most === undefined) {
    const taken = evidenceTypes.filter((one) => megabytes[one] !== undefined).map(wordOf)
    return `${acquirer} takes ${taken.join(' and ')} files. Convert ${name}.`
  }
  return size > most * megabyte
    ? `${acquirer} takes ${wordOf(type)} files of up to ${most} MB. Make ${name} smaller.`
    : null
}

const wordOf = (type: EvidenceType): string => type.slice(type.indexOf('/') + 1).toUpperCase()
