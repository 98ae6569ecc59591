/**
 * The numbers by which a host knows a transaction. They are made from its id and the time it was written, so that a reversal can be built
 * after a crash, when nothing but the record is left. Two transactions of one second may derive the same number; the second one to reserve
 * it uses the next one that it derives (decisions/certainty#trace-numbers).
 */
import { hash } from 'node:crypto'

export interface NumberedTransaction {
  readonly transactionId: string
  readonly createdAt: Date
}

/** At 1,000 requests a second on one terminal, all numbers of a transaction are taken once in 10^24 times. */
const attempts = ['', ' 2', ' 3', ' 4', ' 5', ' 6', ' 7', ' 8'] as const
type Attempt = (typeof attempts)[number]
export type RequestPurpose = `request${Attempt}`
/** A reversal has other numbers than its request. */
export type Purpose = RequestPurpose | `reversal${Attempt}`

/** In the order in which they are tried. */
export const requestPurposes: readonly RequestPurpose[] = attempts.map((attempt) => `request${attempt}` as const)
export const reversalPurposes: readonly Purpose[] = attempts.map((attempt) => `reversal${attempt}` as const)

/** Returns the number that no two requests on one terminal may share. */
export function reservedNumber(transaction: NumberedTransaction, purpose: Purpose): string {
  const { localDateTime, stan } = numbersOf(transaction, purpose)
  return `${localDateTime} ${stan}`
}

export function numbersOf({ transactionId, createdAt }: NumberedTransaction, purpose: Purpose) {
  const [date = '', time = ''] = createdAt.toISOString().split('T')
  const [year, month, day] = [date.slice(2, 4), date.slice(5, 7), date.slice(8, 10)]
  const clock = time.slice(0, 8).replaceAll(':', '')
  return {
    stan: traceNumber(purpose === 'request' ? transactionId : `${purpose} ${transactionId}`),
    transmitted: `${month}${day}${clock}`,
    localTime: clock,
    localDate: `${month}${day}`,
    localDateTime: `${year}${month}${day}${clock}`,
  }
}

/** Twelve characters: the end of the id, as `merchantReference` writes it. */
export const retrievalReference = (transactionId: string): string => transactionId.slice(-12)

/** 000001 to 999999: hosts take 000000 for no number. */
function traceNumber(text: string): string {
  const digest = hash('sha256', text, 'hex')
  return String((Number.parseInt(digest.slice(0, 12), 16) % 999_999) + 1).padStart(6, '0')
}
