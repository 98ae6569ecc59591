/** The result of a command as a message. */
import { memberOf } from '../../api/call.ts'
import { moneyText } from '../../kit/values/money-text.ts'
import type { Payment } from './details.ts'

interface OutcomeMessage {
  readonly text: string
  readonly tone: 'good' | 'bad'
}

export function outcomeOf(result: unknown, payment: Pick<Payment, 'currency' | 'amountDecimals'>): OutcomeMessage {
  const said = (name: string): string | null => {
    const value = memberOf(result, name)
    return typeof value === 'string' ? value : null
  }
  const type = said('type') ?? 'The command'
  if (said('state') === 'fail')
    return { text: `${type} was declined: ${said('declineReason') ?? 'no reason given'}.`, tone: 'bad' }
  const minor = said('amountMinor')
  const { currency, amountDecimals: decimals } = payment
  const amount = minor === null ? '' : ` of ${moneyText({ minor, currency, decimals })}`
  const state = said('state') === 'success' ? 'succeeded' : 'was sent; the outcome is not known yet'
  return { text: `${type}${amount} ${state}. The payment is ${said('status')}.`, tone: 'good' }
}
