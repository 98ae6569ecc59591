/**
 * The numbers by which a host knows a transaction. They are made from its id and the time it was written, so that a reversal can be built
 * after a crash, when nothing but the record is left.
 */
import { createHash } from 'node:crypto'

interface NumberedTransaction {
  readonly transactionId: string
  readonly createdAt: Date
}

/** `purpose` tells the reversal of a request from the request: they have different numbers. */
export function numbersOf({ transactionId, createdAt }: NumberedTransaction, purpose: 'request' | 'reversal') {
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

/** 000001 to 999999. Two transactions may share one: a reply is matched by the reference as well. */
function traceNumber(text: string): string {
  const digest = createHash('sha256').update(text).digest()
  return String((digest.readUIntBE(0, 6) % 999_999) + 1).padStart(6, '0')
}
