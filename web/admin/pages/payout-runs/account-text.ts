/** Account numbers as people compare them. */
import { isIban } from '#domain/payout/bank-account.ts'

/** An IBAN in groups of four, as banks print it; any other number as it is. */
export const accountText = (number: string): string => (isIban(number) ? number.replace(/.{4}(?=.)/g, '$& ') : number)
