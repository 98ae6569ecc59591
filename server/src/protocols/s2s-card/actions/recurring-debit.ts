/** RECURRING_DEBIT: charges a chain that began with a DEBIT. `auth` is ignored, because a debit never holds. Chapter 10 §7.6. */
import { ignoredParam } from '../../kit/values/params.ts'
import { recurringAction } from '../recurring-charge.ts'

export const recurringDebit = recurringAction('RECURRING_DEBIT', 'debit', ignoredParam(false))
