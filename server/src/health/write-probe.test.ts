import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onceASecond } from './once-a-second.ts'
import { faultOf, WriteRefused, writeProbe } from './write-probe.ts'

const beat = { process: 1, role: 'api', release: '0' } as const

test('a hundred probes within a second cost one write, and the next second costs another', async () => {
  let nowMs = 0
  let writes = 0
  const write = async () => {
    writes += 1
  }
  const probe = writeProbe({ beats: { write }, beat, isWorking: () => false, nowMs: () => nowMs })
  for (let count = 0; count < 100; count += 1) await probe()
  assert.equal(writes, 1)
  nowMs = 1000
  await Promise.all(Array.from({ length: 100 }, probe))
  assert.equal(writes, 2)
})

test('all probes wait for a hanging write, and no second one is sent', async () => {
  let writes = 0
  const hanging = Promise.withResolvers<void>()
  const write = () => {
    writes += 1
    return hanging.promise
  }
  const probe = writeProbe({ beats: { write }, beat, isWorking: () => false })
  const probes = [probe(), probe()]
  await Promise.resolve()
  probes.push(probe())
  hanging.resolve()
  await Promise.all(probes)
  assert.equal(writes, 1)
})

test('a write needs a new page now and then, and every time after a refusal', async () => {
  let nowMs = 0
  let refuses = false
  const filled: boolean[] = []
  const write = async ({ filler }: { readonly filler: Buffer | null }) => {
    filled.push(filler !== null)
    if (refuses) throw Object.assign(new Error(), { code: '53100' })
  }
  const probe = writeProbe({ beats: { write }, beat, isWorking: () => false, nowMs: () => nowMs })
  const ask = () => probe().catch((error: unknown) => assert.ok(error instanceof WriteRefused))
  for (nowMs = 0; nowMs <= 10_000; nowMs += 1000) await ask()
  assert.deepEqual(filled, [true, ...Array(9).fill(false), true])
  refuses = true
  nowMs = 11_000
  await ask()
  await ask()
  refuses = false
  await ask()
  assert.deepEqual(filled.slice(11), [false, true, true])
})

test('a doubt makes the next probe write a new page at once, even during a write', async () => {
  const filled: boolean[] = []
  let hold: Promise<void> | null = null
  const write = async ({ filler }: { readonly filler: Buffer | null }) => {
    filled.push(filler !== null)
    await hold
  }
  const probe = writeProbe({ beats: { write }, beat, isWorking: () => false, nowMs: () => 0 })
  await probe()
  await probe()
  assert.deepEqual(filled, [true])
  probe.probeAtOnce()
  await probe()
  assert.deepEqual(filled, [true, true])

  const held = Promise.withResolvers<void>()
  hold = held.promise
  probe.probeAtOnce()
  const underWay = probe()
  probe.probeAtOnce()
  held.resolve()
  await underWay
  await probe()
  assert.deepEqual(filled, [true, true, true, true])
})

test("the server's error becomes a code, and a silent server is unreachable", () => {
  const coded = (code?: string) => faultOf(Object.assign(new Error('x'), code === undefined ? {} : { code }))
  assert.equal(coded('53100'), 'disk_full')
  assert.equal(coded('25006'), 'read_only')
  assert.equal(coded('42501'), 'writes_refused')
  assert.equal(coded('57P03'), 'database_unreachable')
  assert.equal(coded('53300'), 'database_unreachable')
  assert.equal(coded('08006'), 'database_unreachable')
  assert.equal(coded('ECONNREFUSED'), 'database_unreachable')
  assert.equal(coded(), 'database_unreachable')
})

test('a failed result is not cached', async () => {
  let calls = 0
  const ask = onceASecond(
    async () => {
      calls += 1
      if (calls === 1) throw new Error('away')
      return calls
    },
    () => 0,
  )
  await assert.rejects(ask(), /away/)
  assert.equal(await ask(), 2)
  assert.equal(await ask(), 2)
})
