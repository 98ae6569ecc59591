/** The result of a command as a message. */
import { memberOf } from '../../api/call.ts'
import { moneyText } from '../../kit/values/money-text.ts'
import type { Payment } from './details.ts'

interface OutcomeMessage {
  readonly text: string
  readonly tone: 'good' | 'bad'
}

export function outcomeOf(result: unknown, payment: Pick<Payment, 'currency' | 'amountDecimals'>): OutcomeMessage {
  const readSaid = (name: string): string | null => {
    const value = memberOf(result, name)
    return typeof value === 'string' ? value : null
  }
  const type = readSaid('type') ?? 'The command'
  if (readSaid('state') === 'fail')
    return { text: `${type} was declined: ${readSaid('declineReason') ?? 'no reason given'}.`, tone: 'bad' }
  const minor = readSaid('amountMinor')
  const { currency, amountDecimals: decimals } = payment
  const amount = minor === null ? '' : ` of ${moneyText({ minor, currency, decimals })}`
  const state = readSaid('state') === 'success' ? 'succeeded' : 'was sent; the outcome is not known yet'
  return { text: `${type}${amount} ${state}. The payment is ${readSaid('status')}.`, tone: 'good' }
}
