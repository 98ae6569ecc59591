/** Rates and their changes as text. */

export const rateText = (rate: number | null): string =>
  rate === null ? '—' : new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(rate)

/** In percentage points, with its sign; null if one of the periods has no rate. */
export function changeText(now: number | null, before: number | null, locale?: string): string | null {
  if (now === null || before === null) return null
  const format = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', maximumFractionDigits: 1 })
  return `${format.format((now - before) * 100)} pp`
}
