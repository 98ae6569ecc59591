/** What an acquirer takes as evidence: why it would refuse files, and what people read before they add one. Chapter 70 §4. */
import type { CardNetwork } from '../card.ts'
import { networkName } from '../network-names.ts'
import {
  type EvidenceKind,
  type EvidenceType,
  evidenceBytesAtMost,
  evidenceBytesTogether,
  evidenceKindTitles,
  evidenceTypes,
  megabyte,
} from './evidence.ts'

/** Of files of all types: people count the pages, because a page count that is guessed would refuse good evidence. */
export interface PageLimit {
  readonly atMost: number
  readonly of: 'dispute' | 'file'
}

/** In disputes of one card network. */
export interface EvidenceRules {
  /** Whose own limits these are; null if they are those of every other network. */
  readonly network: CardNetwork | null
  /** The largest file of each type, in megabytes; a type that is absent is not taken. */
  readonly megabytes: Readonly<Partial<Record<EvidenceType, number>>>
  /** Of all files together. */
  readonly megabytesTogether: number | null
  readonly filesAtMost: number | null
  /** It has one place for each kind. */
  readonly isOnePerKind: boolean
  readonly pages: PageLimit | null
  /** A limit that depends on more than the dispute shows, as a sentence for people. */
  readonly note: string | null
}

/** What is taken where people answer by hand: as much as this service stores. */
const ownRules: EvidenceRules = {
  network: null,
  megabytes: { 'application/pdf': 5, 'image/png': 5, 'image/jpeg': 5 },
  megabytesTogether: null,
  filesAtMost: null,
  isOnePerKind: false,
  pages: null,
  note: null,
}

interface AcceptedEvidence extends Omit<EvidenceRules, 'network' | 'megabytes'> {
  /** What a person may choose, with the size up to which both the acquirer and this service take it. */
  readonly types: readonly { readonly type: EvidenceType; readonly megabytes: number }[]
}

/** Null if the acquirer takes no answers from programs. */
export function acceptedEvidence(rules: EvidenceRules | null): AcceptedEvidence {
  const { megabytes, megabytesTogether, filesAtMost, isOnePerKind, pages, note } = rules ?? ownRules
  const own = evidenceBytesAtMost / megabyte
  const types = evidenceTypes.flatMap((type) => {
    const most = megabytes[type]
    return most === undefined ? [] : [{ type, megabytes: Math.min(most, own) }]
  })
  return { types, megabytesTogether, filesAtMost, isOnePerKind, pages, note }
}

/** Types of the same size are named together: `PDF of up to 2 MB, JPEG of up to 5 MB.` */
export function evidenceHint({ types, isOnePerKind, pages, note, ...all }: AcceptedEvidence): string {
  const sizes = [...new Set(types.map(({ megabytes }) => megabytes))]
  const parts = sizes.map((size) => {
    const words = types.filter(({ megabytes }) => megabytes === size).map(({ type }) => typeName(type))
    return `${words.join(' or ').replace(' or ', words.length > 2 ? ', ' : ' or ')} of up to ${size} MB`
  })
  const together = all.megabytesTogether ?? Number.POSITIVE_INFINITY
  const inAll = [
    ...(types.length > 0 && together * megabyte < evidenceBytesTogether ? [`${together} MB`] : []),
    ...(all.filesAtMost === null ? [] : [`${all.filesAtMost} files`]),
  ]
  return [
    `${parts.join(', ')}${inAll.length > 0 ? `; ${inAll.join(' and ')} in all` : ''}.`,
    ...(isOnePerKind ? ['One file of each kind.'] : []),
    ...(pages === null ? [] : [`Up to ${pagesText(pages)}; count them, because they are not checked here.`]),
    ...(note === null ? [] : [note]),
  ].join(' ')
}

/** `19 pages in all`. */
export const pagesText = ({ atMost, of }: PageLimit): string =>
  `${atMost} pages ${of === 'file' ? 'per file' : 'in all'}`

interface JudgedFile {
  readonly name: string
  readonly type: EvidenceType
  readonly kind: EvidenceKind
  readonly size: number
}

/** Why the acquirer does not take these files, in words that say what to do; null if it does. */
export function evidenceFault(files: readonly JudgedFile[], rules: EvidenceRules, acquirer: string): string | null {
  const { megabytesTogether: together, filesAtMost, network } = rules
  const taker = network === null ? acquirer : `For ${networkName(network)}, ${acquirer}`
  const unfit = files.map((file) => fileFault(file, rules, taker)).find((fault) => fault !== null)
  if (unfit !== undefined) return unfit
  if (together !== null && files.reduce((sum, { size }) => sum + size, 0) > together * megabyte)
    return `${taker} takes up to ${together} MB in all. Use smaller files.`
  if (filesAtMost !== null && files.length > filesAtMost)
    return `${taker} takes up to ${filesAtMost} files. Combine some of them.`
  const second = files.find(({ kind }, index) => files.slice(0, index).some((earlier) => earlier.kind === kind))
  if (second && rules.isOnePerKind)
    return `${acquirer} takes one file of each kind, and there is already one of the kind “${evidenceKindTitles[second.kind]}”. Choose another kind for ${second.name}, or combine the files.`
  return null
}

function fileFault({ name, type, size }: JudgedFile, { megabytes }: EvidenceRules, taker: string): string | null {
  const most = megabytes[type]
  if (most === undefined) {
    const taken = evidenceTypes.filter((one) => megabytes[one] !== undefined).map(typeName)
    return `${taker} takes ${taken.join(' and ')} files. Convert ${name}.`
  }
  return size > most * megabyte
    ? `${taker} takes ${typeName(type)} files of up to ${most} MB. Make ${name} smaller.`
    : null
}

const typeName = (type: EvidenceType): string => type.slice(type.indexOf('/') + 1).toUpperCase()
