/** The progress of a long task, with a button to cancel it. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { Button } from './button.tsx'

interface ProgressProps {
  readonly label: string
  readonly done: number
  /** Null while unknown. */
  readonly total: number | null
  readonly onCancel?: (() => void) | undefined
}

export function Progress({ label, done, total, onCancel }: ProgressProps): JSX.Element {
  const id = useId()
  const numbers = new Intl.NumberFormat()
  return (
    <div class="progress">
      <label for={id}>{label}</label>
      {total === null ? <progress id={id} /> : <progress id={id} value={done} max={Math.max(total, 1)} />}
      <span class="faint" role="status">
        {numbers.format(done)}
        {total === null ? '' : ` of ${numbers.format(total)}`}
      </span>
      {onCancel && (
        <Button small onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  )
}
