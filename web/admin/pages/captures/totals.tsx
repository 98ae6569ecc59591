/** The number of waiting holds and their totals. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import type { Read } from '../../api/use-reading.ts'
import { ReadResult } from '../../kit/states.tsx'
import { moneyText } from '../../kit/values/money-text.ts'

export type Total = Answer<'GET /captures/totals'>['totals'][number]

export function Totals({ read }: { readonly read: Read<Answer<'GET /captures/totals'>> }): JSX.Element {
  return (
    <ReadResult read={read} lines={1}>
      {({ totals }) =>
        totals.length > 0 && (
          <ul class="figures">
            {totals.map((total) => (
              <li key={total.currency}>
                <span class="figure">{sumText(total)}</span>
                <span class="faint">{holdsText(total.holds)}</span>
              </li>
            ))}
          </ul>
        )
      }
    </ReadResult>
  )
}

export const sumText = ({ amountMinor, currency, decimals }: Omit<Total, 'holds'>): string =>
  moneyText({ minor: amountMinor, currency, decimals })

export const holdsText = (holds: number): string =>
  `${new Intl.NumberFormat().format(holds)} ${holds === 1 ? 'hold' : 'holds'}`
