/**
 * What acquirers take as evidence, by card network. decisions/disputes#limits-of-evidence has the addresses of the documentation, read on
 * 19 November 2026.
 *
 * A row without a network is of every network that has none, and of payments whose network is not known. Where the acquirer and the network name
 * different sizes, the smaller one counts. Types that this service does not store, such as TIFF, are left out.
 */
import type { CardNetwork } from '#domain/card.ts'
import type { EvidenceRules, PageLimit } from '#domain/dispute/evidence-rules.ts'

type Megabytes = number | null
type Row = readonly [
  network: CardNetwork | null,
  pdf: Megabytes,
  png: Megabytes,
  jpeg: Megabytes,
  together: Megabytes,
  files: number | null,
  pages: PageLimit | null,
]

interface Limits {
  readonly isOnePerKind: boolean
  readonly rows: readonly Row[]
  /** Notes by network; `any` is the note of those without one of their own. */
  readonly notes?: Readonly<Partial<Record<CardNetwork | 'any', string>>>
}

const each = (atMost: number): PageLimit => ({ atMost, of: 'file' })
const inAll = (atMost: number): PageLimit => ({ atMost, of: 'dispute' })

// biome-ignore format: a table is read in columns.
const limits = {
  adyen: {
    isOnePerKind: false,
    rows: [
      // network       PDF   PNG   JPEG  in all  files  pages
      [ null,          2,    null, 10,   null,   null,  null       ],
      [ 'mastercard',  2,    null, 10,   null,   null,  each(19)   ],
      [ 'maestro',     2,    null, 10,   null,   null,  each(19)   ],
      [ 'discover',    2,    null, 3,    null,   null,  null       ],
      [ 'dinersclub',  2,    null, 3,    null,   null,  null       ],
    ],
    notes: {
      any: 'Adyen takes 4 pages for a request for information, and 800 KB per file for a domestic payment in Mexico.',
    },
  },
  stripe: {
    isOnePerKind: true,
    rows: [
      // network       PDF   PNG   JPEG  in all  files  pages
      [ null,          4.5,  4.5,  4.5,  4.5,    null,  inAll(49)  ],
      [ 'mastercard',  4.5,  4.5,  4.5,  4.5,    null,  inAll(19)  ],
      [ 'maestro',     4.5,  4.5,  4.5,  4.5,    null,  inAll(19)  ],
    ],
  },
  checkout: {
    isOnePerKind: true,
    rows: [
      // network       PDF   PNG   JPEG  in all  files  pages
      [ null,          4,    4,    4,    null,   null,  null       ],
      [ 'mastercard',  4,    4,    4,    14.5,   null,  inAll(19)  ],
      [ 'maestro',     4,    4,    4,    14.5,   null,  inAll(19)  ],
      [ 'amex',        4,    null, 4,    25,     5,     each(20)   ],
      [ 'discover',    3,    3,    3,    3,      null,  null       ],
      [ 'dinersclub',  3,    3,    3,    3,      null,  null       ],
    ],
    notes: {
      amex: 'An account in the OptBlue programme of American Express sends up to 1 MB in all, in black and white.',
    },
  },
  paypal: {
    isOnePerKind: false,
    rows: [
      // network       PDF   PNG   JPEG  in all  files  pages
      [ null,          10,   10,   10,   50,     null,  null       ],
    ],
  },
} as const satisfies Readonly<Record<string, Limits>>

type LimitedAcquirer = keyof typeof limits

/** Of a connector: its rules by the network of a dispute. */
export type EvidenceRulesByNetwork = (network: string | null) => EvidenceRules

export const evidenceRulesOf =
  (acquirer: LimitedAcquirer): EvidenceRulesByNetwork =>
  (network) => {
    const { rows } = limits[acquirer]
    const row = rows.find(([own]) => own !== null && own === network) ?? rows[0]
    return rulesOf(row, limits[acquirer])
  }

/** In the order of the table, for documents. */
export const listEvidenceRules = (): readonly (readonly [acquirer: string, rules: readonly EvidenceRules[]])[] =>
  Object.entries(limits).map(([acquirer, of]) => [acquirer, of.rows.map((row) => rulesOf(row, of))])

function rulesOf([network, pdf, png, jpeg, megabytesTogether, filesAtMost, pages]: Row, of: Limits): EvidenceRules {
  const megabytes = {
    ...(pdf !== null && { 'application/pdf': pdf }),
    ...(png !== null && { 'image/png': png }),
    ...(jpeg !== null && { 'image/jpeg': jpeg }),
  }
  const note = (network === null ? undefined : of.notes?.[network]) ?? of.notes?.any ?? null
  return { network, megabytes, megabytesTogether, filesAtMost, isOnePerKind: of.isOnePerKind, pages, note }
}
