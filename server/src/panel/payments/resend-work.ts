/** Resends the callbacks of a time range, slice by slice. Chapter 50 §8, "Callbacks". */
import { z } from 'zod'
import { resendSlice } from '../../store/callbacks/callback-resend.ts'
import type { WorkProgress, WorkRow } from '../../store/instance/long-work.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import type { PanelContext } from '../panel-context.ts'

const sliceSize = 200

/** As stored when the work began. */
const requestSchema = z.object({
  merchantId: z.uuid(),
  from: z.coerce.date(),
  to: z.coerce.date(),
  state: z.enum(['failed', 'delivered']),
})

export async function resendStep(
  { pool, clock }: PanelContext,
  { request, cursor }: WorkRow,
  grant: Grant,
): Promise<WorkProgress | null> {
  const range = requestSchema.parse(request)
  if (!reaches(grant, range.merchantId)) return null
  const { resent, last } = await resendSlice(pool, range, clock.now(), { after: cursor, limit: sliceSize })
  return last === null ? null : { done: resent, failures: [], cursor: last }
}
