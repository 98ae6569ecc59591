import type { Actor } from '../context.ts'

/** Who is named in the audit log for what workers do with scheduled exports. */
export const exportWorker: Actor = { label: 'scheduled exports', address: null }
