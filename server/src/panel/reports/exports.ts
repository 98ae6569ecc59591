/**
 * Exports payments as a table. The file is written while it is sent, page by page, so that it may have any size and is not stored; its row
 * shows the progress and allows cancelling.
 */
import { formatAmount } from '#domain/money/money.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { type ExportRow, exportStore } from '../../store/instance/exports.ts'
import type { FoundPayment } from '../../store/payments/payment-search.ts'
import type { Grant } from '../access/permissions.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'
import { countFor, type PaymentQuery, paymentsFor } from '../payments/payments.ts'
import { csvLine } from './csv.ts'

const rowsAtOnce = 1000
const keptDays = 30

interface Exporter {
  readonly userId: string
  readonly grant: Grant
}

/** `sent` is the filter as the client sent it; it is parsed again when the file is downloaded. */
export async function beginExport(
  context: PanelContext,
  { userId, grant }: Exporter,
  filter: PaymentQuery,
  sent: JsonObject,
): Promise<ExportRow> {
  const now = context.clock.now()
  const rowsTotal = await countFor(context, grant, filter)
  const row = { userId, id: context.ids.next(), filter: sent, rowsTotal, createdAt: now }
  await exportStore(context.pool).sweep(new Date(now.getTime() - keptDays * 86_400_000))
  await exportStore(context.pool).add(row)
  return { ...row, state: 'ready', rowsWritten: 0n }
}

export async function exportOf({ pool }: PanelContext, userId: string, id: string): Promise<ExportRow> {
  const row = await exportStore(pool).find(userId, id)
  if (row === null) throw notFound()
  return row
}

export async function cancelExport(context: PanelContext, userId: string, id: string): Promise<void> {
  await exportOf(context, userId, id)
  if (!(await exportStore(context.pool).end(userId, id, 'cancelled', context.clock.now())))
    throw new AdminRefused('conflict', { message: 'The export has already ended.' })
}

/** Once: a download that has begun cannot be begun again. */
export async function claimExport({ pool }: PanelContext, userId: string, id: string): Promise<ExportRow> {
  const row = await exportStore(pool).begin(userId, id)
  if (row === null) throw notFound()
  return row
}

export async function* exportedLines(
  context: PanelContext,
  { userId, grant }: Exporter,
  id: string,
  filter: PaymentQuery,
): AsyncIterable<string> {
  const store = exportStore(context.pool)
  const end = (state: 'done' | 'failed') => store.end(userId, id, state, context.clock.now())
  try {
    yield csvLine(columns.map(([name]) => name))
    for (let before: string | undefined; ; ) {
      const page = await paymentsFor(context, grant, { ...filter, before }, rowsAtOnce)
      if (page.length > 0) yield page.map((payment) => csvLine(columns.map(([, cell]) => cell(payment)))).join('')
      if (!(await store.advance(userId, id, page.length))) return
      if (page.length < rowsAtOnce) break
      before = page.at(-1)?.id
    }
    await end('done')
  } finally {
    // If the client disconnected, the file is incomplete. After a regular end this changes nothing.
    await end('failed')
  }
}

const amount = ({ currency, amountDecimals }: FoundPayment, minor: bigint): string =>
  formatAmount(minor, currency, amountDecimals)

// biome-ignore format: a table is read in columns.
const columns: readonly (readonly [string, (payment: FoundPayment) => Parameters<typeof csvLine>[0][number]])[] = [
  ['id',             (payment) => payment.id],
  ['created_at',     (payment) => payment.createdAt],
  ['merchant_id',    (payment) => payment.merchantId],
  ['protocol',       (payment) => payment.protocol],
  ['action',         (payment) => payment.action],
  ['kind',           (payment) => payment.kind],
  ['status',         (payment) => payment.status],
  ['test',           (payment) => payment.test],
  ['order_id',       (payment) => payment.orderId],
  ['amount',         (payment) => amount(payment, payment.amountMinor)],
  ['captured',       (payment) => amount(payment, payment.kind === 'credit' ? 0n : payment.capturedMinor)],
  ['refunded',       (payment) => amount(payment, payment.refundedMinor)],
  ['charged_back',   (payment) => amount(payment, payment.chargedBackMinor)],
  ['paid_out',       (payment) => amount(payment, payment.kind === 'credit' ? payment.capturedMinor : 0n)],
  ['currency',       (payment) => payment.currency],
  ['card',           (payment) => payment.cardMask],
  ['wallet',         (payment) => payment.wallet],
  ['brand',          (payment) => payment.brand],
  ['payer_email',    (payment) => payment.payerEmail],
  ['decline_reason', (payment) => payment.declineReason],
  ['mid_id',         (payment) => payment.midId],
]
