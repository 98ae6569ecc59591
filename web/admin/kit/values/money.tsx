import type { JSX } from 'preact'
import { moneyText, type Sum } from './money-text.ts'

export function Money(props: Sum): JSX.Element {
  return <span class="money">{moneyText(props)}</span>
}
