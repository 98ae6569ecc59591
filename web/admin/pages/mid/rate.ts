/** An approval rate as text. */
import { countText } from '../../kit/values/count-text.ts'

interface Rate {
  readonly approved: number
  readonly declined: number
  /** Null if there was no result yet. */
  readonly rate: number | null
}

export function rateText(rate: Rate | undefined): string {
  if (rate === undefined || rate.rate === null) return '—'
  return `${percentText(rate.rate)} of ${countText(rate.approved + rate.declined)}`
}

export const percentText = (share: number): string =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(share)
