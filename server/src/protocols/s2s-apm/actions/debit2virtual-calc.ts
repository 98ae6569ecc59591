/** DEBIT2VIRTUAL_CALC: calculates the commission of a debit; nothing is debited until it is completed. Chapter 20 §12. */
import { debitAction } from '../debit-action.ts'

export const debit2virtualCalc = debitAction('DEBIT2VIRTUAL_CALC')
