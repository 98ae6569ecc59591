/**
 * Exports payments or their transactions as a table. The file is written while it is sent, page by page, so that it may have any size and
 * is not stored; its row shows the progress and allows cancelling.
 */
import { dayMs } from '#domain/time.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { type ExportKind, type ExportRow, exportStore } from '../../store/instance/exports.ts'
import { type Grant, may } from '../access/permissions.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'
import { countFor, findPaymentsFor, type PaymentQuery } from '../payments/payments.ts'
import { fileHead, readFileRows } from './exported-rows.ts'

export { exportKinds } from '../../store/instance/exports.ts'

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
  { kind, sent }: { readonly kind: ExportKind; readonly sent: JsonObject },
): Promise<ExportRow> {
  const now = context.clock.now()
  const rowsTotal = await countFor(context, grant, filter)
  const row = { userId, id: context.ids.next(), kind, filter: sent, rowsTotal, createdAt: now }
  await exportStore(context.pool).sweep(new Date(now.getTime() - keptDays * dayMs))
  await exportStore(context.pool).add(row)
  return { ...row, state: 'ready', rowsWritten: 0n }
}

export async function requireExport({ pool }: PanelContext, userId: string, id: string): Promise<ExportRow> {
  const row = await exportStore(pool).find(userId, id)
  if (row === null) throw notFound()
  return row
}

export async function cancelExport(context: PanelContext, userId: string, id: string): Promise<void> {
  await requireExport(context, userId, id)
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
  { id, kind }: Pick<ExportRow, 'id' | 'kind'>,
  filter: PaymentQuery,
): AsyncIterable<string> {
  const store = exportStore(context.pool)
  const end = (state: 'done' | 'failed') => store.end(userId, id, state, context.clock.now())
  try {
    const shape = { kind, withAcquirerFees: may(grant, 'settlements.read') }
    yield fileHead(shape)
    for (let before: string | undefined; ; ) {
      const page = await findPaymentsFor(context, grant, { ...filter, before }, rowsAtOnce)
      if (page.length > 0) yield (await readFileRows(context, shape, page)).join('')
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
