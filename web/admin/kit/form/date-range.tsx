/** A range of days, both included, with the most common ranges as buttons. For forms; filters keep their days in the address. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { daysBefore } from '../values/instants.ts'

interface DateRangeValue {
  /** `YYYY-MM-DD`; empty means open-ended. */
  readonly from: string
  readonly to: string
}

interface DateRangeProps extends DateRangeValue {
  readonly onChange: (value: DateRangeValue) => void
  /** Today in the viewer's time zone. */
  readonly today: string
}

// biome-ignore format: a table is read in columns.
const ranges = [
  // words           days back
  ['Today',         0],
  ['Last 7 days',   6],
  ['Last 30 days', 29],
  ['Last 90 days', 89],
] as const

export function DateRange({ from, to, today, onChange }: DateRangeProps): JSX.Element {
  const id = useId()
  return (
    <div class="date-range">
      <span class="date-range-end">
        <label for={`${id}-from`}>From</label>
        <input
          id={`${id}-from`}
          type="date"
          value={from}
          max={to || undefined}
          onChange={({ currentTarget }) => onChange({ from: currentTarget.value, to })}
        />
      </span>
      <span class="date-range-end">
        <label for={`${id}-to`}>To</label>
        <input
          id={`${id}-to`}
          type="date"
          value={to}
          min={from || undefined}
          onChange={({ currentTarget }) => onChange({ from, to: currentTarget.value })}
        />
      </span>
      <div class="segments">
        {ranges.map(([words, back]) => {
          const begin = daysBefore(today, back)
          return (
            <button
              key={words}
              type="button"
              aria-pressed={from === begin && to === today}
              onClick={() => onChange({ from: begin, to: today })}
            >
              {words}
            </button>
          )
        })}
      </div>
    </div>
  )
}
