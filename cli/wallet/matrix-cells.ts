/** The negative cases of Chapter 40 §19.2 for all protocols, flows and versions, with the accepted and the configuration cases. */
import { z } from 'zod'

export type MatrixProtocol = 's2s-card' | 's2s-apm'
type MatrixFlow = 'card' | 'virtual'

export const versions = ['EC_v1', 'RSA_v1', 'ECv2', 'ECv1'] as const
export type Version = (typeof versions)[number]

export const walletOfVersion = (version: Version): 'walletapay' | 'walletbpay' =>
  version === 'EC_v1' || version === 'RSA_v1' ? 'walletapay' : 'walletbpay'

/** A row as the simulator sends it. */
export const faultRow = z.object({
  number: z.number(),
  fault: z.string(),
  versions: z.array(z.enum(versions)),
  checks: z.partialRecord(z.enum(versions), z.string()),
  card: z.union([z.number(), z.literal('passes')]),
  virtual: z.union([z.number(), z.literal('passes')]),
  run: z.string(),
})
export type FaultRow = z.infer<typeof faultRow>

export interface Cell {
  /** The number of the row in the chapter; 0 for cases listed without a number. */
  readonly number: number
  readonly name: string
  readonly protocol: MatrixProtocol
  readonly flow: MatrixFlow
  readonly version: Version
  /** The error code, or `passes`. */
  readonly expected: number | 'passes'
  /** The check that refuses the token; null if none does. */
  readonly check: string | null
  readonly way: Delivery
}

/** How the token is minted and sent; kinds that are no fault leave the token genuine. */
type Delivery =
  | { readonly kind: 'once' | 'twice' | 'elsewhere first' | 'parallel' | 'before'; readonly fault: string }
  | { readonly kind: 'rewritten'; readonly rewrite: (token: string) => string }
  | { readonly kind: 'as other merchant' | 'by formula 1' }

/** Rows that cannot be tested by sending a token to a running instance. */
export const needsOwnInstance = ({ run }: FaultRow): boolean => !(run in kinds)

export function cellsOf(rows: readonly FaultRow[]): readonly Cell[] {
  const faults = rows.filter((row) => !needsOwnInstance(row))
  return routes
    .flatMap(({ protocol, flow }) => [
      ...faults.flatMap((row) => row.versions.map((version) => faultCell(row, version, protocol, flow))),
      ...acceptedCases.flatMap(({ name, of, way }) =>
        of.map((version) => ({ ...passingCell, name, protocol, flow, version, way }) satisfies Cell),
      ),
    ])
    .concat(configurationCells())
}

/** S2S CARD has no virtual flow (Chapter 40 §9). */
const routes = [
  { protocol: 's2s-card', flow: 'card' },
  { protocol: 's2s-apm', flow: 'card' },
  { protocol: 's2s-apm', flow: 'virtual' },
] as const

const passingCell = { number: 0, expected: 'passes', check: null } as const

// biome-ignore format: a table is read in columns.
const kinds: Readonly<Record<string, 'once' | 'twice' | 'elsewhere first' | 'parallel' | 'before'>> = {
  // the simulator's word   ours
  'once':                   'once',
  'twice':                  'twice',
  'second merchant':        'elsewhere first',
  'parallel':               'parallel',
  'before':                 'before',
}

function faultCell(row: FaultRow, version: Version, protocol: MatrixProtocol, flow: MatrixFlow): Cell {
  const { number, fault: name } = row
  const expected = flow === 'card' ? row.card : row.virtual
  const check = expected === 'passes' ? null : (row.checks[version] ?? null)
  return {
    number,
    name,
    protocol,
    flow,
    version,
    expected,
    check,
    way: { kind: kinds[row.run] ?? 'once', fault: name },
  }
}

const walletA = ['EC_v1', 'RSA_v1'] as const

/** Chapter 40 §19.2, "accepted cases that must stay accepted", as far as they depend on the token's text. */
const acceptedCases: readonly { readonly name: string; readonly of: readonly Version[]; readonly way: Delivery }[] = [
  { name: 'genuine', of: versions, way: { kind: 'once', fault: 'none' } },
  {
    name: 're-serialised',
    of: versions,
    way: { kind: 'rewritten', rewrite: (token) => JSON.stringify(JSON.parse(token), null, 2) },
  },
  {
    name: 'outer member added',
    of: walletA,
    way: { kind: 'rewritten', rewrite: (token) => token.replace(/^\{/, '{"more":1,') },
  },
  { name: 'upper-case outer id', of: walletA, way: { kind: 'rewritten', rewrite: upperCaseId } },
]

function upperCaseId(token: string): string {
  return token.replace(
    /("transactionIdentifier":")([0-9a-f]+)/,
    (_, name: string, id: string) => name + id.toUpperCase(),
  )
}

/** Chapter 40 §19.2, configuration cases on S2S CARD. */
function configurationCells(): readonly Cell[] {
  const card = { ...passingCell, protocol: 's2s-card' } as const
  return versions.flatMap((version): readonly Cell[] => [
    { ...card, name: 'no key', flow: 'virtual', version, expected: 250002, way: { kind: 'once', fault: 'none' } },
    {
      ...card,
      name: 'MID without the wallet',
      flow: 'card',
      version,
      expected: 204018,
      way: { kind: 'as other merchant' },
    },
    { ...card, name: 'Formula 1', flow: 'card', version, expected: 100000, way: { kind: 'by formula 1' } },
  ])
}
