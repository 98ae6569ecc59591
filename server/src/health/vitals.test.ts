import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchVitals } from './vitals.ts'

interface Standbys {
  readonly missing: number
  readonly lost: number
  readonly secondsBehind: number | null
  readonly isHidden: boolean
}

const well: Standbys = { missing: 0, lost: 0, secondsBehind: null, isHidden: false }

async function faultOf(standbys: Standbys): Promise<unknown> {
  const vitals = vitalsWith(standbys, false)
  const fault = await vitals.notices.replication().then(
    () => null,
    (error: unknown) => (error instanceof Error && 'fault' in error ? error.fault : error),
  )
  await vitals.stop()
  return fault
}

interface OtherConditions {
  readonly nodes?: readonly string[]
  readonly isScarce?: boolean
  readonly askSandbox?: () => Promise<boolean>
}

const vitalsWith = (
  standbys: Standbys,
  isTooSmall: boolean,
  { nodes = [], isScarce = false, askSandbox }: OtherConditions = {},
) =>
  watchVitals({
    beats: { write: async () => undefined, readSecondsSinceWork: async () => 0, forget: async () => undefined },
    process: 1,
    role: 'api',
    release: '0',
    guard: { state: 'right' },
    recovery: { active: false },
    workers: [],
    readStandbys: async () => standbys,
    findSilentNodes: async () => nodes,
    memory: { isTooSmall },
    descriptors: { isScarce },
    askSandbox: askSandbox ?? null,
  })

test('health names a standby that is missing or more than a minute behind, a lag that it may not see, and none where all is well', async () => {
  // biome-ignore format: a table is read in columns.
  const cases = [
    // missing  lost  seconds behind  hidden  fault
    [ 0,        0,    null,           false,  null                 ],
    [ 0,        0,    59,             false,  null                 ],
    [ 0,        0,    61,             false,  'standby_behind'     ],
    [ 0,        0,    null,           true,   'standby_lag_hidden' ],
    [ 1,        0,    null,           false,  'standby_missing'    ],
    [ 1,        0,    61,             false,  'standby_missing'    ],
    [ 1,        1,    61,             false,  'standby_lost'       ],
  ] as const
  for (const [missing, lost, secondsBehind, isHidden, fault] of cases)
    assert.equal(
      await faultOf({ missing, lost, secondsBehind, isHidden }),
      fault,
      `${missing} ${lost} ${secondsBehind} ${isHidden}`,
    )
})

test('health names a memory limit that cannot hold the process', async () => {
  const [small, large] = [vitalsWith(well, true), vitalsWith(well, false)]
  await assert.rejects(small.notices.memory(), { fault: 'memory_limit_small' })
  await large.notices.memory()
  for (const vitals of [small, large]) await vitals.stop()
})

test('notices name descriptors that run out, and a sandbox that does not answer; an instance without one has no such part', async () => {
  const [scarce, gone, serving] = [
    vitalsWith(well, false, { isScarce: true }),
    vitalsWith(well, false, { askSandbox: async () => false }),
    vitalsWith(well, false, { askSandbox: async () => true }),
  ]
  await assert.rejects(scarce.notices.descriptors(), { fault: 'descriptors_scarce' })
  assert.equal(scarce.notices.sandbox, undefined)
  await gone.notices.descriptors()
  await assert.rejects(gone.notices.sandbox?.() ?? Promise.resolve(), { fault: 'sandbox_gone' })
  await serving.notices.sandbox?.()
  for (const vitals of [scarce, gone, serving]) await vitals.stop()
})

test('a notice names a server of a distributed database that does not answer, and writes go on', async () => {
  const [broken, whole] = [vitalsWith(well, false, { nodes: ['worker-2:5432'] }), vitalsWith(well, false)]
  await assert.rejects(broken.notices.nodes(), { fault: 'node_silent', nodes: ['worker-2:5432'] })
  await broken.checks.writes()
  await whole.notices.nodes()
  for (const vitals of [broken, whole]) await vitals.stop()
})
