/** A filled instance that is running: its gateway, the receiver of its merchant's callbacks, and what it was filled with. */
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { lowestId } from '#server/store/months/month-bounds.ts'
import { only, type Stage } from '../../campaigns/stage/stage.ts'
import { CountingReceiver } from '../counting-receiver.ts'
import { momentIn } from '../fill/history.ts'
import { type FillState, openKept, openKeptStage } from '../fill/kept-instance.ts'
import type { Numbered } from '../search/search.ts'

export interface Filled extends AsyncDisposable {
  readonly state: FillState
  readonly stage: Stage
  readonly receiver: CountingReceiver
  /** Plans every statement once, as payments and workers do. */
  readonly pool: Pool
  /** Plans statements with their values, as the panel does. */
  readonly panel: Pool
  /** Identifiers of payments that are made from now on are above it. */
  readonly since: string
  readonly numbered: Numbered
}

const connection = { max: 4, applicationName: 'gatehouse scale' }

export async function openFilled(folder: string, state: FillState, connections: number): Promise<Filled> {
  await using opened = new AsyncDisposableStack()
  const server = await openKept(folder, false)
  opened.defer(() => server.stop())
  const receiver = new CountingReceiver()
  await receiver.open()
  opened.defer(() => receiver.close())
  const stage = opened.use(await openKeptStage({ folder, server, pool: connections }))
  await stage.pool.query('update merchants set notification_url = $1', [receiver.url])
  const pool = openPool(server.url, { ...connection, plansOnce: true })
  opened.defer(() => pool.end())
  const panel = openPool(server.url, connection)
  opened.defer(() => panel.end())
  const since = lowestId(stage.context.clock.now())
  const resources = opened.move()
  return {
    state,
    stage,
    receiver,
    pool,
    panel,
    since,
    numbered: numberedOf(state),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const numberedOf = ({ history, most, mids }: FillState): Numbered => ({
  oldest: history.oldest,
  payments: history.payments,
  momentOf: (number) => momentIn(history, number),
  most,
  mids,
  rareStatus: 'REFUND',
})

export const apiOf = ({ stage }: Filled) => only(stage.apis)
