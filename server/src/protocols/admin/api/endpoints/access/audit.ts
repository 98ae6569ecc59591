/** The audit log: who changed or revealed what, and whether the hash chain is intact. */
import { z } from 'zod'
import { exportAudit, listAuditFor, verifyAudit } from '../../../../../panel/audit/audit.ts'
import { downloadEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { id, instant, instantInput, minor, pageLimit } from '../../values.ts'

const entry = z.object({
  seq: minor,
  at: instant,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  merchantId: id.nullable(),
  /** JSON text, exactly as it was hashed. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  address: z.string().nullable(),
  previousHash: z.string(),
  hash: z.string(),
})

const highestEntry = 2n ** 63n - 1n

export const auditEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/audit',
    summary: 'Lists audit log entries, newest first.',
    access: 'audit.read',
    query: {
      actor: z.string().max(254).optional(),
      action: z.string().max(64).optional(),
      subject: z.string().max(200).optional(),
      merchantId: z.uuid().optional(),
      from: instantInput.optional(),
      to: instantInput.optional(),
      before: z.coerce.bigint().max(highestEntry).optional(),
      limit: pageLimit,
    },
    output: z.object({ entries: z.array(entry).readonly() }),
    run: async ({ query: { before, limit, merchantId, ...filter } }, { context, grant }) => ({
      entries: await listAuditFor(context.pool, grant, { ...filter, merchantId }, { before: before ?? null, limit }),
    }),
  }),
  downloadEndpoint({
    path: '/audit/export',
    summary:
      'Downloads the whole audit log, one entry per line; `gatehouse audit verify` verifies it without the database.',
    access: 'audit.verify',
    fileType: 'application/jsonl; charset=utf-8',
    run: async (_, { context, actor }) => ({
      fileName: 'audit.jsonl',
      parts: await exportAudit(context.pool, context.clock, actor),
    }),
  }),
  queryEndpoint({
    path: '/audit/verification',
    summary: 'Verifies the hash chain of the audit log.',
    access: 'audit.verify',
    output: z.object({
      entries: z.number(),
      head: z.string(),
      faults: z.array(z.object({ seq: minor, text: z.string() })).readonly(),
    }),
    run: async (_, { context }) => {
      const { count, head, faults } = await verifyAudit(context.pool)
      return { entries: count, head, faults: faults.slice(0, 100) }
    },
  }),
]
