/** Months as bounds of identifiers, whose first 48 bits are the time. All months are those of UTC. */
import { timeOfId } from '../database/id-bounds.ts'

/** The first moment of the month that begins `ahead` months after the one of `moment`. */
export const monthStart = (moment: Date, ahead = 0): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + ahead, 1))

/** The lowest identifier of a moment: all identifiers of earlier moments are below it, whatever their version. */
export function lowestId(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The end of the name of a part that begins with a month: `2026_12`. */
export const suffixOf = (start: Date): string => start.toISOString().slice(0, 7).replace('-', '_')

export interface Bounds {
  /** Null for the first part. */
  readonly from: Date | null
  /** Null for the last part. */
  readonly to: Date | null
}

/** As a statement that attaches a part names its bounds. */
export const boundText = ({ from, to }: Bounds): string =>
  `for values from (${from ? `'${lowestId(from)}'` : 'minvalue'}) to (${to ? `'${lowestId(to)}'` : 'maxvalue'})`

const shownBounds = /^FOR VALUES FROM \((MINVALUE|'[0-9a-f-]{36}')\) TO \((MAXVALUE|'[0-9a-f-]{36}')\)$/

/** Reads the bounds of a part as the catalogue shows them. */
export function boundsFrom(text: string): Bounds {
  const [, from, to] = shownBounds.exec(text) ?? []
  if (from === undefined || to === undefined)
    throw new Error(`A part of a table has bounds that are not months: ${text}`)
  return { from: momentFrom(from), to: momentFrom(to) }
}

const momentFrom = (text: string): Date | null => (text.startsWith("'") ? timeOfId(text.slice(1, -1)) : null)
