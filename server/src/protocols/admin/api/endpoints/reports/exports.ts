/** Payments as a CSV file of any size, with its progress and cancellation. */

import { z } from 'zod'
import { exportFileName } from '#domain/export/export-file-name.ts'
import { utcDay } from '#domain/time.ts'
import {
  beginExport,
  cancelExport,
  claimExport,
  exportedLines,
  exportKinds,
  requireExport,
} from '../../../../../panel/reports/exports.ts'
import { type Caller, changeEndpoint, downloadEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emptyBody, id, instant, minor } from '../../values.ts'
import { readExportFilter } from './export-filter.ts'

const shownExport = z.object({
  id,
  kind: z.enum(exportKinds),
  state: z.enum(['ready', 'running', 'done', 'cancelled', 'failed']),
  rowsTotal: minor,
  rowsWritten: minor,
  createdAt: instant,
})

export const exportEndpoints: readonly Endpoint[] = [
  changeEndpoint({
    method: 'POST',
    path: '/exports',
    summary: 'Starts an export of the payments that match the filters.',
    access: 'payments.export',
    body: z.strictObject({
      /** `transactions`: a row for each transaction of the payments. */
      kind: z.enum(exportKinds).default('payments'),
      filter: z.record(z.string().max(64), z.string().max(255)),
    }),
    output: shownExport,
    run: async ({ body }, caller) => {
      const { kind, filter: sent } = body
      const row = await beginExport(caller.context, exporterOf(caller), readExportFilter(sent), { kind, sent })
      const subject = `export ${row.id}`
      const audit = { action: 'payment.export', subject, merchantId: null, after: { ...body, rows: row.rowsTotal } }
      return { answer: row, audit }
    },
  }),
  queryEndpoint({
    path: '/exports/:exportId',
    summary: 'Returns the progress of one of the caller’s exports.',
    access: 'payments.export',
    output: shownExport,
    run: ({ params: { exportId } }, { context, user }) => requireExport(context, user.id, exportId),
  }),
  downloadEndpoint({
    path: '/exports/:exportId/content',
    summary: 'Downloads the file of an export, once.',
    access: 'payments.export',
    fileType: 'text/csv; charset=utf-8',
    run: async ({ params: { exportId } }, caller) => {
      const row = await claimExport(caller.context, caller.user.id, exportId)
      const parts = exportedLines(caller.context, exporterOf(caller), row, readExportFilter(row.filter))
      return { fileName: exportFileName(row.kind, utcDay(row.createdAt)), parts }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/exports/:exportId',
    summary: 'Cancels an export.',
    access: 'payments.export',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { exportId } }, { context, user }) => {
      await cancelExport(context, user.id, exportId)
      return {
        answer: doneAnswer,
        audit: { action: 'payment.cancel-export', subject: `export ${exportId}`, merchantId: null },
      }
    },
  }),
]

const exporterOf = ({ user, grant }: Caller) => ({ userId: user.id, grant })
