/** An entry of the audit log, as the API returns it. */
import type { Answer } from '../../api/call.ts'

export type AuditEntry = Answer<'GET /audit'>['entries'][number]
