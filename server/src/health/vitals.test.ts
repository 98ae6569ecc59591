import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchVitals } from './vitals.ts'

interface Standbys {
  readonly missing: number
  readonly lost: number
  readonly secondsBehind: number | null
}

async function faultOf(standbys: Standbys): Promise<unknown> {
  const vitals = watchVitals({
    beats: { write: async () => undefined, secondsSinceWork: async () => 0, forget: async () => undefined },
    process: 1,
    role: 'api',
    release: '0',
    guard: { state: 'right' },
    recovery: { active: false },
    workers: [],
    standbys: async () => standbys,
  })
  const fault = await vitals.notices.replication().then(
    () => null,
    (error: unknown) => (error instanceof Error && 'fault' in error ? error.fault : error),
  )
  await vitals.stop()
  return fault
}

test('health names a standby that is missing or more than a minute behind, and none where all is well', async () => {
  // biome-ignore format: a table is read in columns.
  const cases = [
    // missing  lost  seconds behind  fault
    [ 0,        0,    null,           null              ],
    [ 0,        0,    59,             null              ],
    [ 0,        0,    61,             'standby_behind'  ],
    [ 1,        0,    null,           'standby_missing' ],
    [ 1,        0,    61,             'standby_missing' ],
    [ 1,        1,    61,             'standby_lost'    ],
  ] as const
  for (const [missing, lost, secondsBehind, fault] of cases)
    assert.equal(await faultOf({ missing, lost, secondsBehind }), fault, `${missing} ${lost} ${secondsBehind}`)
})
