/** The service as its operator sees it: health, due work, keys, and the test clock of a sandbox. */
import { dayMs } from '#domain/time.ts'
import { release } from '../../process/release.ts'
import { readBacklog } from '../../store/callbacks/callback-log.ts'
import { readSchemaState } from '../../store/database/migrate.ts'
import { countOpenOutcomes } from '../../store/finance/unresolved-list.ts'
import { dataKeyRows } from '../../store/instance/data-keys.ts'
import { type DueCount, readDueCounts } from '../../store/instance/due-counts.ts'
import { instanceStore } from '../../store/instance/instance.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'
import { findSilentMids } from './notifications.ts'

export async function readHealth(context: PanelContext) {
  const { pool, clock, instanceMode } = context
  const [schema, callbacks, outcomes, silent] = await Promise.all([
    readSchemaState(pool),
    readBacklog(pool, clock.now()),
    countOpenOutcomes(pool),
    findSilentMids(context),
  ])
  return {
    release,
    mode: instanceMode,
    schema: { applied: schema.applied, known: schema.known },
    callbacks,
    unknownOutcomes: outcomes.unknown,
    outcomesBeingAsked: outcomes.beingAsked,
    silentMids: silent,
    now: clock.now(),
    machineTime: context.machine.now(),
  }
}

/** How much of each kind of work is due, and since when. */
export const countDueJobs = ({ pool, clock }: PanelContext): Promise<readonly DueCount[]> =>
  readDueCounts(pool, clock.now())

/** How many data keys each key-encryption key wraps; never a key itself. */
export const readKeys = async ({
  pool,
}: PanelContext): Promise<readonly { readonly id: string; readonly wraps: number }[]> =>
  [...(await dataKeyRows(pool).countByKek())].map(([id, wraps]) => ({ id, wraps }))

const longestStepMs = 400 * dayMs

/** The sandbox's clock moves first: if the gateway were ahead, the acquirer would not have decided yet when it is queried. */
export async function moveClock(context: PanelContext, byMs: number): Promise<Date> {
  const { instanceMode, sandboxUrl, pool, clock } = context
  if (instanceMode !== 'sandbox')
    throw new AdminRefused('refused', { message: 'The test clock is available only on a sandbox instance.' })
  if (byMs > longestStepMs)
    throw new AdminRefused('invalid', { fields: [{ field: 'byMs', text: 'Enter at most 400 days.' }] })
  if (sandboxUrl !== null) {
    const reply = await fetch(`${sandboxUrl}/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_ms: byMs }),
      signal: AbortSignal.timeout(5_000),
    })
    if (!reply.ok) throw new AdminRefused('refused', { message: 'The sandbox did not move its clock. Try again.' })
  }
  clock.moveTo(await instanceStore(pool).advanceClock(byMs))
  return clock.now()
}
