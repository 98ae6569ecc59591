/** DEBIT2VIRTUAL: debits a customer's account in one step, the commission on top. Chapter 20 §12. */
import { debitAction } from '../debit-action.ts'

export const debit2virtual = debitAction('DEBIT2VIRTUAL')
