/** Resends the callbacks of a time range, slice by slice, one merchant after the other. Chapter 50 §8, "Callbacks". */
import { z } from 'zod'
import { resendSlice } from '../../store/callbacks/callback-resend.ts'
import type { WorkProgress, WorkRow } from '../../store/instance/long-work.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import type { PanelContext } from '../panel-context.ts'
import { addressFor, resendTargets } from './resend-target.ts'

const sliceSize = 200

/** As stored when the work began. Work of an earlier release names one merchant and no target. */
const requestSchema = z.object({
  merchantIds: z.array(z.uuid()).default([]),
  merchantId: z.uuid().optional(),
  from: z.coerce.date(),
  to: z.coerce.date(),
  state: z.enum(['failed', 'delivered']),
  target: z.enum(resendTargets).default('original'),
})

export async function resendStep(
  { pool, clock, configuration }: PanelContext,
  { request, cursor }: WorkRow,
  grant: Grant,
): Promise<WorkProgress | null> {
  const { merchantIds, merchantId, target, ...range } = requestSchema.parse(request)
  const merchants = merchantId === undefined ? merchantIds : [merchantId]
  const [current = '', after = ''] = cursor.includes(' ') ? cursor.split(' ') : [merchants[0], cursor]
  for (const id of merchants.slice(merchants.indexOf(current))) {
    if (!reaches(grant, id)) continue
    const address = addressFor(configuration.merchant(id), target)
    const slice = { after: id === current ? after : '', limit: sliceSize, address }
    const { resent, last } = await resendSlice(pool, { ...range, merchantId: id }, clock.now(), slice)
    if (last !== null) return { done: resent, failures: [], cursor: `${id} ${last}` }
  }
  return null
}
