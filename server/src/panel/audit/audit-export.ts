/** The audit log as a file: one JSON entry per line, verifiable without the database. */
import { z } from 'zod'
import type { AuditEntry } from './audit-chain.ts'

export const lineOf = ({ seq, ...entry }: AuditEntry): string => JSON.stringify({ seq: String(seq), ...entry })

const line = z.strictObject({
  seq: z
    .string()
    .regex(/^[0-9]{1,18}$/)
    .transform(BigInt),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  merchantId: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  address: z.string().nullable(),
  previousHash: z.string(),
  hash: z.string(),
})

/** Null if the line is not an entry. */
export function entryIn(text: string): AuditEntry | null {
  try {
    return line.parse(JSON.parse(text))
  } catch {
    return null
  }
}
