/** The progress of a long task, with a button to cancel it. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { Button } from './button.tsx'

interface ProgressProps {
  readonly label: string
  readonly done: number
  /** Null while unknown. */
  readonly total: number | null
  /** Of both numbers, in the user's language. */
  readonly unit?: 'megabyte'
  readonly onCancel?: (() => void) | undefined
}

export function Progress({ label, done, total, unit, onCancel }: ProgressProps): JSX.Element {
  const id = useId()
  const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
  const amounts =
    unit === undefined ? numbers : new Intl.NumberFormat(undefined, { style: 'unit', unit, maximumFractionDigits: 0 })
  return (
    <div class="progress">
      <label for={id}>{label}</label>
      {total === null ? <progress id={id} /> : <progress id={id} value={done} max={Math.max(total, 1)} />}
      <span class="faint" role="status">
        {numbers.format(done)}
        {total === null ? '' : ` of ${amounts.format(total)}`}
      </span>
      {onCancel && (
        <Button small onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  )
}
