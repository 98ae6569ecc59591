/** A pause in its largest whole unit, rounded up: 15 minutes, 6 hours, 3 days. */
import { dayMs, hourMs, minuteMs } from '#domain/time.ts'

// biome-ignore format: a table is read in columns.
const units = [
  ['day',    dayMs],
  ['hour',   hourMs],
  ['minute', minuteMs],
] as const

export function pauseText(ms: number): string {
  const [unit, unitMs] = units.find(([, size]) => ms >= size) ?? ['minute', minuteMs]
  const count = Math.ceil(ms / unitMs)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
