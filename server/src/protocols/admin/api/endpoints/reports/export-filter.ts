/** The filter of an export, by the same schema as the search. What cannot be understood is refused, and never ignored. Chapter 70 §5. */
import { z } from 'zod'
import { readValue } from '../../../../../contracts/value-faults.ts'
import { AdminRefused } from '../../../../../panel/admin-refused.ts'
import { interpretQuery, type PaymentQuery } from '../../../../../panel/payments/payments.ts'
import { paymentFilters } from '../payments/payments.ts'

const filterSchema = z.strictObject(paymentFilters).partial()

export function readExportFilter(sent: unknown): PaymentQuery {
  const reading = readValue(filterSchema, sent)
  if (reading.ok) return reading.value
  const fields = reading.faults.map(({ path, text }) => ({ field: path === '' ? 'filter' : `filter.${path}`, text }))
  throw new AdminRefused('invalid', { fields })
}

/** Refuses a filter with which no search can be made, such as an amount with more decimals than its currency has. */
export function requireExportFilter(context: Parameters<typeof interpretQuery>[0], sent: unknown): void {
  interpretQuery(context, readExportFilter(sent))
}
