/**
 * Work that takes its time, with progress and a way to call it off. Chapter 50 §8, "Long work shows progress".
 *
 * It is done step by step by the process that began it. Each step is written before the next begins, so that calling it off stops it
 * there; when the process dies, whoever looks at the work next takes it up behind the last step. Each step needs the rights that the
 * person has at that moment: who is disabled, or loses a merchant, goes on with nothing that was begun before.
 */
import type { JsonObject } from '../../contracts/records.ts'
import { type WorkKind, type WorkProgress, type WorkRow, workStore } from '../../store/instance/long-work.ts'
import { type Grant, may, type Permission } from '../access/permissions.ts'
import { grantNow } from '../access/users.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { Actor } from '../desk.ts'
import type { Panel } from '../panel.ts'
import { captureStep } from '../payments/bulk-capture.ts'
import { resendStep } from '../payments/resend-work.ts'

const keptDays = 30
const listed = 50

/** One step of a kind of work, with the rights of who began it as they are now; null when nothing is left. */
type WorkStep = (panel: Panel, work: WorkRow, grant: Grant) => Promise<WorkProgress | null>

const kinds: Readonly<Record<WorkKind, { readonly step: WorkStep; readonly needs: Permission }>> = {
  capture: { step: captureStep, needs: 'payments.capture' },
  resend: { step: resendStep, needs: 'callbacks.resend' },
}

export interface WorkWish {
  readonly kind: WorkKind
  readonly total: bigint
  readonly request: JsonObject
}

export async function beginWork(
  panel: Panel,
  { userId, actor }: { readonly userId: string; readonly actor: Actor },
  { kind, total, request }: WorkWish,
): Promise<WorkRow> {
  const createdAt = panel.clock.now()
  const id = panel.ids.next()
  await workStore(panel.pool).sweep(new Date(createdAt.getTime() - keptDays * 86_400_000))
  // Who asked goes with it: each step is noted in that name, whoever takes it up.
  const given = { ...request, actor: { label: actor.label, address: actor.address } }
  await workStore(panel.pool).add({ userId, id, kind, total, createdAt, request: given })
  const work = await found(panel, userId, id)
  void carryOn(panel, work)
  return work
}

export async function workOf(panel: Panel, userId: string, id: string): Promise<WorkRow> {
  const orphaned = await workStore(panel.pool).takeUp(userId, id)
  if (orphaned !== null) void carryOn(panel, orphaned)
  return orphaned ?? found(panel, userId, id)
}

export const worksOf = ({ pool }: Panel, userId: string): Promise<readonly WorkRow[]> =>
  workStore(pool).list(userId, listed)

export async function cancelWork(panel: Panel, userId: string, id: string): Promise<WorkRow> {
  const work = await found(panel, userId, id)
  if (!(await workStore(panel.pool).end(userId, id, 'cancelled', panel.clock.now())))
    throw new AdminRefused('conflict', { message: 'The task has already ended.' })
  return { ...work, state: 'cancelled' }
}

async function found({ pool }: Panel, userId: string, id: string): Promise<WorkRow> {
  const work = await workStore(pool).find(userId, id)
  if (work === null) throw notFound()
  return work
}

async function carryOn(panel: Panel, work: WorkRow): Promise<void> {
  const { pool, clock, log } = panel
  const { step, needs } = kinds[work.kind]
  const end = (state: 'done' | 'failed' | 'cancelled') => workStore(pool).end(work.userId, work.id, state, clock.now())
  try {
    for (let current = work; ; ) {
      const grant = await grantNow(panel, work.userId)
      if (grant === null || !may(grant, needs)) {
        log.warn({ work: work.id }, 'Long work was called off: who began it may not do it any more.')
        await end('cancelled')
        return
      }
      const progress = await step(panel, current, grant)
      if (progress === null) break
      if (!(await workStore(pool).advance(current, progress))) return
      current = { ...current, cursor: progress.cursor }
    }
    await end('done')
  } catch (error) {
    log.error({ err: error, work: work.id }, 'Long work stopped.')
    // A process that is going down leaves its work to whoever looks at it next.
    if (!pool.ending) await end('failed').catch(() => undefined)
  }
}
