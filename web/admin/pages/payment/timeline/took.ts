/** How long something took, in the suitable unit. */
export function tookText(from: string, to: string): string {
  const milliseconds = Math.max(0, Date.parse(to) - Date.parse(from))
  const format = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
  if (milliseconds < 1000) return `${milliseconds} ms`
  if (milliseconds < 120_000) return `${format.format(milliseconds / 1000)} s`
  if (milliseconds < 7_200_000) return `${format.format(milliseconds / 60_000)} min`
  return `${format.format(milliseconds / 3_600_000)} h`
}
