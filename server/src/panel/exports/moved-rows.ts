/**
 * The rows of a scheduled export of transactions: every movement of money in the period, whichever day its payment is of, so that each is in
 * exactly one file. Merchant by merchant, because the ledger has an index by merchant and time. See decisions/exports#movements.
 */
import type { Pool } from '../../store/database/pool.ts'
import { findPaymentsAmong, listMerchantIds, listMovementsAfter, type Movement } from '../../store/exports/movements.ts'
import { listTransactionsOfPayments } from '../../store/instance/exported-transactions.ts'
import type { PaymentFilter } from '../../store/payments/search/payment-conditions.ts'
import { midNamed, type SearchContext } from '../payments/payments.ts'
import { movementLines } from '../reports/exported-rows.ts'

interface MovementsRequest {
  /** Null for all. */
  readonly merchants: readonly string[] | null
  readonly columns: readonly string[]
  readonly from: Date
  readonly to: Date
  /** Which payments, without their period. */
  readonly filter: PaymentFilter
}

const rowsAtOnce = 1000

export async function* listMovementPages(
  context: SearchContext,
  request: MovementsRequest,
): AsyncIterable<readonly string[]> {
  const merchants = request.merchants ?? (await context.reports.read(listMerchantIds))
  for (const merchantId of merchants)
    for (let after: Movement | undefined; ; ) {
      const place = { after, limit: rowsAtOnce }
      const page = await context.reports.read((on) => listMovementsAfter(on, merchantId, request, place))
      if (page.length > 0)
        yield await context.reports.read((on) => readLines({ ...context, on }, merchantId, page, request))
      if (page.length < rowsAtOnce) break
      after = page.at(-1)
    }
}

async function readLines(
  { on, ...context }: SearchContext & { readonly on: Pool },
  merchantId: string,
  page: readonly Movement[],
  { filter, columns }: MovementsRequest,
): Promise<readonly string[]> {
  const payments = await findPaymentsAmong(on, merchantId, [...new Set(page.map(({ paymentId }) => paymentId))], filter)
  const transactions = await listTransactionsOfPayments(on, [...payments.values()])
  const rows = page.flatMap((movement) => {
    const payment = payments.get(movement.paymentId)
    const ofPayment = transactions.get(movement.paymentId) ?? []
    const transaction = ofPayment.find(({ id }) => id === movement.transactionId)
    if (payment === undefined) return []
    if (transaction === undefined) throw new Error(`Transaction ${movement.transactionId} has entries and no row.`)
    const names = {
      merchantName: context.configuration.merchant(merchantId)?.name ?? null,
      midName: (midId: string | null) => midNamed(context, midId),
    }
    return [{ payment, transaction, movement, transactions: ofPayment, ...names }]
  })
  return movementLines(columns, rows)
}
