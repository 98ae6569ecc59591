/** RECURRING_SALE: charges a chain that began with a SALE. Chapter 10 §7.6. */
import * as format from '../../kit/values/formats.ts'
import { withDefault } from '../../kit/values/params.ts'
import { recurringAction } from '../recurring-charge.ts'

export const recurringSale = recurringAction('RECURRING_SALE', 'sale', withDefault(format.flag, false))
