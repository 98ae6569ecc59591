/** The parts of a whole: a bar, a figure and a percentage for each. The text carries the information; the bars help to compare. */
import type { JSX } from 'preact'
import { Link } from '../../router/link.tsx'

export interface Share {
  readonly label: string
  readonly value: number
  /** Shown instead of the number. */
  readonly text?: string
  /** The address of the list of just these. */
  readonly to?: string | undefined
}

interface ShareBarsProps {
  readonly label: string
  readonly shares: readonly Share[]
  /** False: no percentage, because the text already contains one. */
  readonly percent?: boolean
  /** What a full bar stands for; by default the sum of the parts. */
  readonly full?: number
}

export function ShareBars(props: ShareBarsProps): JSX.Element {
  const whole = props.full ?? props.shares.reduce((sum, { value }) => sum + value, 0)
  const numbers = new Intl.NumberFormat()
  const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <ul class="shares" aria-label={props.label}>
      {props.shares.map(({ label, value, text, to }) => (
        <li key={label}>
          <span class="share-label">{to === undefined ? label : <Link to={to}>{label}</Link>}</span>
          <span class="share-value">
            {text ?? numbers.format(value)}{' '}
            {props.percent !== false && <span class="faint">{percent.format(whole === 0 ? 0 : value / whole)}</span>}
          </span>
          <span class="share-bar" aria-hidden="true">
            <span style={{ width: `${whole === 0 ? 0 : (100 * value) / whole}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
