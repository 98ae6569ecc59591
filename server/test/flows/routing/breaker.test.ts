/** Chapter 50 §4: the circuit breaker of a MID opens on technical failures, half-opens with a probe, and closes again. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { changeOverride } from '#server/setup/mid-health.ts'
import { midStore } from '#server/store/configuration/mids.ts'
import { openShop, type Shop } from '../../shop.ts'

const { attempts, coolDownMs, probesToClose, windowMs } = limits.breaker
const merchant = 'demo-routing'
const [north, south, west] = ['sandbox-north-live', 'sandbox-south-live', 'sandbox-west-live']

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const mids = new Map((await midStore(shop.base.pool).list()).map(({ name, id }) => [name, id]))
const idOf = (name: string): string => mids.get(name) ?? ''
const health = (name: string): string => shop.service.midHealth.health(idOf(name))

/** A SALE and the MID of its last attempt. */
async function pay(): Promise<{ readonly result: string; readonly mid: string }> {
  const { body } = await shop.sale({}, { merchant })
  return { result: body.result, mid: await midOf(shop, body.trans_id) }
}

async function midOf({ base }: Shop, transId: string): Promise<string> {
  const { rows } = await base.pool.query<{ name: string }>(
    'select name from payments join mids on mids.id = mid_id where payments.id = $1',
    [transId],
  )
  return rows[0]?.name ?? 'none'
}

const payMany = (count: number) => Promise.all(Array.from({ length: count }, pay))

async function clear(): Promise<void> {
  await shop.clearScenario()
  await shop.base.pool.query('delete from mid_exchanges')
  // Past the window, so that no test counts the results of another.
  await shop.advance(windowMs + coolDownMs)
  for (const name of [north, south, west]) {
    await shop.base.pool.query(
      `insert into mid_breakers values ($1, 'closed', $2, 0, null, 1) on conflict (mid_id) do update set state = 'closed', since = $2, hand = null`,
      [idOf(name), shop.base.clock.now()],
    )
  }
  await shop.service.midHealth.share()
}

describe('an acquirer that goes down', () => {
  beforeEach(clear)

  test('gets no payments after enough failures, payments continue at the next MID, and probes bring it back', async () => {
    assert.deepEqual(await pay(), { result: 'SUCCESS', mid: north })
    await shop.scenario({ mid: north, down: true })
    await payMany(attempts)
    assert.equal(health(north), 'open')

    for (const { result, mid } of await payMany(5)) assert.deepEqual([result, mid], ['SUCCESS', south])
    const requestCount = await countRequests(north)
    await shop.advance(coolDownMs)
    assert.equal(health(north), 'half-open')
    const results = await payMany(10)
    assert.equal(health(north), 'open', 'the probe failed')
    assert.ok(results.every(({ result }) => result === 'SUCCESS' || result === 'DECLINED'))
    assert.equal((await countRequests(north)) - requestCount, 1, 'one of ten payments was the probe')

    await shop.clearScenario()
    await shop.advance(coolDownMs)
    for (let probe = 0; probe < probesToClose; probe += 1) {
      assert.equal(health(north), 'half-open')
      assert.deepEqual(await pay(), { result: 'SUCCESS', mid: north })
    }
    assert.equal(health(north), 'closed')
    for (const { mid } of await payMany(5)) assert.equal(mid, north)
  })

  test('is reported to the operator by an alert, the log and the metrics', async () => {
    const before = await alerts()
    await shop.scenario({ mid: north, down: true })
    await payMany(attempts)
    await shop.service.midHealth.share()
    assert.equal((await alerts()) - before, 1)
    const metrics = await shop.service.metrics.composeText()
    assert.match(metrics, new RegExp(`gatehouse_mid_breaker{mid="${north}",state="open"} 1`))
    assert.match(metrics, new RegExp(`gatehouse_mid_breaker{mid="${south}",state="closed"} 1`))
    assert.match(metrics, new RegExp(`gatehouse_mid_breaker_openings_total{mid="${north}"} [1-9]`))
  })

  test('that never answers in time counts as well, although the outcomes are unknown', async () => {
    await shop.scenario({ mid: north, down: 'reset' })
    await payMany(attempts)
    assert.equal(health(north), 'open')
  })

  test('leaves no MID if the operator has opened the breakers of the others: 204002', async () => {
    for (const name of [south, west]) await changeOverride(shop.base, idOf(name), 'open')
    await shop.service.midHealth.share()
    assert.deepEqual([health(south), health(west)], ['open', 'open'])
    await shop.scenario({ mid: north, down: true })
    await payMany(attempts)
    const { body } = await shop.sale({}, { merchant })
    assert.deepEqual([body.result, body.error_code], ['ERROR', 204002])

    await changeOverride(shop.base, idOf(south), null)
    await shop.service.midHealth.share()
    assert.deepEqual(await pay(), { result: 'SUCCESS', mid: south })
  })

  test('still gets payments while the operator keeps its breaker closed', async () => {
    await changeOverride(shop.base, idOf(north), 'closed')
    await shop.service.midHealth.share()
    await shop.scenario({ mid: north, down: true })
    await payMany(attempts * 2)
    assert.equal(health(north), 'closed')
    await shop.clearScenario()
    assert.deepEqual(await pay(), { result: 'SUCCESS', mid: north })
  })
})

describe('declines', () => {
  beforeEach(clear)

  test('never open it, however many there are', async () => {
    await shop.scenario({ mid: north, approval_percent: 0 })
    await payMany(attempts * 2)
    assert.equal(health(north), 'closed')
  })

  test('and approvals are tallied by MID and cell', async () => {
    const cell = { network: 'visa', country: null, currency: 'EUR' }
    const tallied = () => shop.service.midHealth.tally(idOf(north), cell, 60)
    const before = tallied()
    await payMany(3)
    assert.equal(tallied().approved - before.approved, 3)
    await shop.scenario({ mid: north, approval_percent: 0 })
    await payMany(2)
    assert.equal(tallied().declined - before.declined, 2)
    await shop.service.midHealth.share()
    assert.deepEqual(tallied(), { approved: before.approved + 3, declined: before.declined + 2 }, 'and read back once')
  })

  test('that every MID would have given are not counted', async () => {
    const tallied = () => shop.service.midHealth.tally(idOf(north), null, 60)
    const before = tallied()
    // Chapter 10 §12: a stolen card.
    const { body } = await shop.sale({ card_exp_month: '09' }, { merchant })
    assert.equal(body.result, 'DECLINED')
    assert.deepEqual(tallied(), before)
  })
})

async function alerts(): Promise<number> {
  const { rows } = await shop.base.pool.query<{ count: bigint }>(
    "select count(*) from alerts where kind = 'mid-failing'",
  )
  return Number(rows[0]?.count)
}

/** Requests that reached the MID, answered or not. */
async function countRequests(name: string): Promise<number> {
  await shop.service.midHealth.share()
  const { rows } = await shop.base.pool.query<{ asked: bigint }>(
    'select coalesce(sum(answered + failed), 0) as asked from mid_exchanges where mid_id = $1',
    [idOf(name)],
  )
  return Number(rows[0]?.asked)
}
