import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AlertKind } from '#domain/alert/alert-kinds.ts'
import { runMonths } from './months.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined }

interface Scene {
  readonly now: string
  readonly ahead: number
  readonly obstacle?: string
  /** After the first poll. */
  readonly later?: string
}

const somePolls = 6
const seldomMs = 60_000

/** What the worker does within some polls, and the alerts that it raises. */
async function run({ now, ahead, obstacle, later = now }: Scene, pollMs = 5) {
  const did: string[] = []
  const alerts: { readonly kind: AlertKind; readonly text: string; readonly once?: boolean }[] = []
  const work = runMonths({
    prepare: async () => {
      did.push('prepare')
      return { made: [], obstacle: obstacle ?? null, ahead }
    },
    analyse: async () => did.push('analyse'),
    remove: async () => {
      did.push('remove')
      return null
    },
    alerts: { raise: async (alert) => void alerts.push(alert) },
    clock: { now: () => new Date(did.includes('remove') ? later : now) } as never,
    ids: { random: () => Buffer.alloc(8) } as never,
    log: silent as never,
    pollMs,
  })
  if (pollMs === seldomMs) await sleep(50)
  else while (did.filter((one) => one === 'prepare').length < somePolls) await sleep(1)
  await work.stop()
  return { did, alerts }
}

test('a new process serves first; then months are prepared at every poll and removed once a day', async () => {
  const { did, alerts } = await run({ now: '2026-11-29T00:00:00Z', ahead: 2 })
  assert.deepEqual(did.slice(0, 3), ['prepare', 'analyse', 'remove'])
  assert.deepEqual([...new Set(did.slice(3))], ['prepare'])
  assert.deepEqual(alerts, [])
  assert.deepEqual((await run({ now: '2026-11-29T00:00:00Z', ahead: 2 }, seldomMs)).did, [])
})

test('a month that is missing within a week raises an alert with the reason', async () => {
  const { alerts } = await run({ now: '2026-11-25T00:00:00Z', ahead: 0, obstacle: 'busy' })
  assert.equal(alerts[0]?.kind, 'month-missing')
  assert.equal(alerts[0]?.once, true)
  assert.match(alerts[0]?.text ?? '', /2026-12 .*locked by other sessions/)
})

test('earlier than a week before it nothing is raised', async () => {
  assert.deepEqual((await run({ now: '2026-11-17T00:00:00Z', ahead: 0, obstacle: 'busy' })).alerts, [])
})

test('a clock that was set back does not end the daily work', async () => {
  const { did } = await run({ now: '2031-11-17T00:00:00Z', ahead: 2, later: '2026-11-17T00:00:00Z' })
  assert.equal(did.filter((one) => one === 'remove').length, 2)
})
