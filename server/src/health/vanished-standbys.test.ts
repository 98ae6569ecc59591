import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '#domain/time.ts'
import { countVanishedStandbys } from './vanished-standbys.ts'

const well = { connected: 2, missing: 0, lost: 0, isHidden: false }

test('a standby that vanished without leaving a slot is missing until it is back, or for a week', async () => {
  let state = well
  let nowMs = 0
  const read = countVanishedStandbys(
    async () => state,
    () => nowMs,
  )
  const missing = async (): Promise<number> => (await read()).missing
  assert.equal(await missing(), 0)
  state = { ...well, connected: 1 }
  assert.equal(await missing(), 1)
  state = { ...well, connected: 0 }
  assert.equal(await missing(), 2, 'both')
  state = well
  assert.equal(await missing(), 0, 'back')
  state = { ...well, connected: 1 }
  nowMs += 7 * dayMs
  assert.equal(await missing(), 1)
  nowMs += 1
  assert.equal(await missing(), 0, 'removed')
})

test('a standby with a slot is missed once, and a role that sees no standbys misses none', async () => {
  let state = well
  const read = countVanishedStandbys(async () => state)
  await read()
  state = { ...well, connected: 1, missing: 1 }
  assert.equal((await read()).missing, 1)
  state = { ...well, connected: 1, lost: 1 }
  assert.equal((await read()).missing, 0)
  state = { ...well, connected: 0, isHidden: true }
  assert.equal((await read()).missing, 0)
})
