/** Sends the file of a scheduled export to an HTTPS target: signed as callbacks are, and never into our own network. Chapter 70 §5. */
import { exportFileName } from '#domain/export/export-file-name.ts'
import { exportLimits } from '#domain/export/export-limits.ts'
import { callbackHeaders } from '#domain/signature/callback-headers.ts'
import type { DueRun, ExportSender } from '../../contracts/exports/export-ports.ts'
import type { AddressRules } from '../../network/address-guard.ts'
import { callbackClient } from '../callbacks/callback-client.ts'

export function exportSender(addresses: AddressRules, version: string): ExportSender {
  const client = callbackClient({ addresses, timeoutMs: exportLimits.waitMs, connections: 1 })
  return {
    async send(run, { content }, at) {
      if (run.https === null) return 'The export has no address.'
      const { httpStatus, fault } = await client.post(
        run.https.url.reveal(),
        headersOf(run, content, { at, version }),
        content,
      )
      if (fault !== null) return fault
      return httpStatus !== null && httpStatus >= 200 && httpStatus <= 299 ? null : `The answer was HTTP ${httpStatus}.`
    },
    close: () => client.close(),
  }
}

/** Each file stands alone: its receiver has no sequence to look for. */
function headersOf(run: DueRun, body: Buffer, { at, version }: { readonly at: Date; readonly version: string }) {
  const secrets = run.https === null ? [] : [run.https.secret.reveal()]
  const { 'webhook-sequence': _, ...signature } = callbackHeaders({ id: run.id, sequence: 0, body, secrets, at })
  return {
    ...signature,
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${exportFileName(run.kind, run.period)}"`,
    'idempotency-key': keyOf(run),
    'user-agent': `Gatehouse/${version}`,
  }
}

/** Names schedule and period, the same on every attempt; a repetition that a person asked for has its number. */
const keyOf = ({ scheduleId, period, repetition }: DueRun): string =>
  repetition === 0 ? `${scheduleId}:${period}` : `${scheduleId}:${period}:${repetition}`
