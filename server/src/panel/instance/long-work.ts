/**
 * Long-running work with progress and cancellation. Chapter 50 §8, "Long work shows progress".
 *
 * The process that began it runs it step by step. Each step is written before the next begins, so that a cancellation stops it there. If
 * the process dies, the next request for the work continues it after the last step. Each step is checked against the user's current rights:
 * a user who was disabled, or lost a merchant, continues nothing.
 */
import { dayMs } from '#domain/time.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { type WorkKind, type WorkProgress, type WorkRow, workStore } from '../../store/instance/long-work.ts'
import { type Grant, may, type Permission } from '../access/permissions.ts'
import { readGrant } from '../access/users.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { Actor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { captureStep } from '../payments/bulk-capture.ts'
import { resendStep } from '../payments/resend-work.ts'

const keptDays = 30
const listLimit = 50

/** One step of a kind of work, with its user's current rights; null if nothing is left. */
type WorkStep = (context: PanelContext, work: WorkRow, grant: Grant) => Promise<WorkProgress | null>

const kinds: Readonly<Record<WorkKind, { readonly step: WorkStep; readonly needs: Permission }>> = {
  capture: { step: captureStep, needs: 'payments.capture' },
  resend: { step: resendStep, needs: 'callbacks.resend' },
}

export interface WorkRequest {
  readonly kind: WorkKind
  readonly total: bigint
  readonly request: JsonObject
}

export async function beginWork(
  context: PanelContext,
  { userId, actor }: { readonly userId: string; readonly actor: Actor },
  { kind, total, request }: WorkRequest,
): Promise<WorkRow> {
  const createdAt = context.clock.now()
  const id = context.ids.next()
  await workStore(context.pool).sweep(new Date(createdAt.getTime() - keptDays * dayMs))
  // The actor is stored with the work: each step is logged under that name, whichever process runs it.
  const storedRequest = { ...request, actor: { label: actor.label, address: actor.address } }
  await workStore(context.pool).add({ userId, id, kind, total, createdAt, request: storedRequest })
  const work = await requireWork(context, userId, id)
  void runWork(context, work)
  return work
}

export async function claimWork(context: PanelContext, userId: string, id: string): Promise<WorkRow> {
  const orphaned = await workStore(context.pool).takeUp(userId, id)
  if (orphaned !== null) void runWork(context, orphaned)
  return orphaned ?? requireWork(context, userId, id)
}

export const listWork = ({ pool }: PanelContext, userId: string): Promise<readonly WorkRow[]> =>
  workStore(pool).list(userId, listLimit)

export async function cancelWork(context: PanelContext, userId: string, id: string): Promise<WorkRow> {
  const work = await requireWork(context, userId, id)
  if (!(await workStore(context.pool).end(userId, id, 'cancelled', context.clock.now())))
    throw new AdminRefused('conflict', { message: 'The task has already ended.' })
  return { ...work, state: 'cancelled' }
}

async function requireWork({ pool }: PanelContext, userId: string, id: string): Promise<WorkRow> {
  const work = await workStore(pool).find(userId, id)
  if (work === null) throw notFound()
  return work
}

async function runWork(context: PanelContext, work: WorkRow): Promise<void> {
  const { pool, clock, log } = context
  const { step, needs } = kinds[work.kind]
  const end = (state: 'done' | 'failed' | 'cancelled') => workStore(pool).end(work.userId, work.id, state, clock.now())
  try {
    for (let current = work; ; ) {
      const grant = await readGrant(context, work.userId)
      if (grant === null || !may(grant, needs)) {
        log.warn({ work: work.id }, 'Long work was cancelled: its owner lost the permission.')
        await end('cancelled')
        return
      }
      const progress = await step(context, current, grant)
      if (progress === null) break
      if (!(await workStore(pool).advance(current, progress))) return
      current = { ...current, cursor: progress.cursor }
    }
    await end('done')
  } catch (error) {
    log.error({ err: error, work: work.id }, 'Long work stopped.')
    // A process that is shutting down leaves its work to the next one.
    if (!pool.ending) await end('failed').catch(() => undefined)
  }
}
