/**
 * The numbers by which a host knows a transaction. They are made from its id and the time it was written, so that a reversal can be built
 * after a crash, when nothing but the record is left. Two transactions of one second may get the same numbers; the second one to reserve
 * them is not sent (decision 0090).
 */
import { createHash } from 'node:crypto'

export interface NumberedTransaction {
  readonly transactionId: string
  readonly createdAt: Date
}

/** A reversal has other numbers than its request. Its own may be taken as well; then it has those of the next attempt. */
export type Purpose = 'request' | `reversal${'' | ' 2' | ' 3' | ' 4'}`

export const reversalPurposes: readonly Purpose[] = ['reversal', 'reversal 2', 'reversal 3', 'reversal 4']

/** What two requests on one terminal must not have in common. */
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
  const digest = createHash('sha256').update(text).digest()
  return String((digest.readUIntBE(0, 6) % 999_999) + 1).padStart(6, '0')
}
