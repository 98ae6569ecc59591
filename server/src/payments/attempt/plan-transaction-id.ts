/** The identifier of a plan's charge. It is derived from the plan and its date, so that after a restore the acquirer recognises a date that it has charged already. */
import { derivedId } from '../exchange/derived-id.ts'

export const planTransactionId = (subscriptionId: string, date: string, paymentsMade: number): string =>
  derivedId(`plan ${subscriptionId} ${date} ${paymentsMade}`)
