/** A pause in its largest whole unit, rounded up: 15 minutes, 6 hours, 3 days. */

// biome-ignore format: a table is read in columns.
const units = [
  ['day',    86_400_000],
  ['hour',   3_600_000],
  ['minute', 60_000],
] as const

export function pauseText(ms: number): string {
  const [unit, unitMs] = units.find(([, size]) => ms >= size) ?? ['minute', 60_000]
  const count = Math.ceil(ms / unitMs)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
