import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DueWork, type DueWorkOptions, runDueWork } from './due-work.ts'

/** So long that only a wake-up can cause a poll. */
const never = 60_000

let works: DueWork[] = []
afterEach(async () => {
  await Promise.all(works.map((work) => work.stop()))
  works = []
})

/** Rows in memory, each claimed once. */
function rowsOf(...due: number[]) {
  const looks: number[] = []
  return {
    due,
    looks,
    claim: async (limit: number) => {
      looks.push(limit)
      return due.splice(0, limit)
    },
  }
}

function linesOf() {
  const lines: string[] = []
  const line = (level: string) => (_fields: object, message: string) => void lines.push(`${level}: ${message}`)
  return { lines, log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') } }
}

function run<Item>(options: Pick<DueWorkOptions<Item>, 'claim' | 'run'> & Partial<DueWorkOptions<Item>>): DueWork {
  const work = runDueWork({
    name: 'test',
    concurrency: 4,
    ids: { random: () => '80000000' },
    log: linesOf().log,
    ...options,
  })
  works.push(work)
  return work
}

test('all due work runs without a wake-up or a poll, within the concurrency limit', async () => {
  const rows = rowsOf(...Array(50).keys())
  const all = Promise.withResolvers<void>()
  const done = new Set<number>()
  let running = 0
  let mostAtOnce = 0
  run<number>({
    claim: rows.claim,
    run: async (item) => {
      running += 1
      mostAtOnce = Math.max(mostAtOnce, running)
      await sleep(1)
      running -= 1
      if (done.add(item).size === 50) all.resolve()
    },
    pollMs: never,
  })
  await all.promise
  assert.equal(mostAtOnce, 4)
})

test('nothing is claimed while every slot is taken', async () => {
  const rows = rowsOf(1, 2, 3)
  const work = run<number>({ claim: rows.claim, run: () => sleep(40), concurrency: 1, pollMs: 2 })
  await work.awaitIdle()
  assert.deepEqual(rows.looks, [1, 1, 1, 1])
})

test('a wake-up causes a poll at once', async () => {
  const rows = rowsOf()
  const found = Promise.withResolvers<number>()
  const work = run<number>({ claim: rows.claim, run: async (item) => found.resolve(item), pollMs: never })
  await work.awaitIdle()
  rows.due.push(7)
  work.wake()
  assert.equal(await found.promise, 7)
})

test('many wake-ups cause few polls', async () => {
  const rows = rowsOf()
  const work = run<number>({ claim: rows.claim, run: async () => undefined, pollMs: never })
  const begun = performance.now()
  for (let wakes = 0; wakes < 100; wakes += 1) {
    work.wake()
    await sleep(1)
  }
  const most = (performance.now() - begun) / 10 + 2
  assert.ok(rows.looks.length <= most, `${rows.looks.length} looks, at most ${most}`)
})

test('a burst of wake-ups causes one poll, and one more if the poll was under way', async () => {
  const rows = rowsOf()
  const work = run<number>({ claim: rows.claim, run: async () => undefined, pollMs: never })
  await work.awaitIdle()
  const before = rows.looks.length
  for (let wakes = 0; wakes < 10_000; wakes += 1) work.wake()
  await sleep(100)
  const looks = rows.looks.length - before
  assert.ok(looks >= 1 && looks <= 2, `${looks} looks`)
})

test('items that wait long leave their slots to others, up to a bound', async () => {
  const rows = rowsOf(...Array(20).keys())
  const hanging = Promise.withResolvers<void>()
  const begun: number[] = []
  const work = run<number>({
    claim: rows.claim,
    run: async (item) => {
      begun.push(item)
      await hanging.promise
    },
    slowItems: { afterMs: 5, maximum: 8 },
    pollMs: 5,
  })
  while (begun.length < 4 + 8) await sleep(1)
  // Time in which it would begin more.
  await sleep(50)
  assert.equal(begun.length, 4 + 8)
  hanging.resolve()
  await work.awaitIdle()
  assert.equal(begun.length, 20)
})

test('slots that were left to others are polled for at once', async () => {
  const rows = rowsOf(1, 2, 3, 4, 5, 6)
  const hanging = Promise.withResolvers<void>()
  const fifth = Promise.withResolvers<void>()
  run<number>({
    claim: rows.claim,
    run: async (item) => {
      if (item === 5) fifth.resolve()
      if (item <= 4) await hanging.promise
    },
    slowItems: { afterMs: 5, maximum: 8 },
    pollMs: never,
  })
  await fifth.promise
  hanging.resolve()
})

test('work that becomes due in another process is found by polling', async () => {
  const rows = rowsOf()
  const found = Promise.withResolvers<number>()
  run<number>({ claim: rows.claim, run: async (item) => found.resolve(item), pollMs: 10 })
  await sleep(30)
  rows.due.push(7)
  assert.equal(await found.promise, 7)
})

test('work that is slowed down is polled seldom, and still woken at once', async () => {
  const rows = rowsOf()
  const found = Promise.withResolvers<number>()
  const work = run<number>({ claim: rows.claim, run: async (item) => found.resolve(item), pollMs: 10 })
  work.slowDown(never)
  await work.awaitIdle()
  await sleep(200)
  // The first poll, and the one that idle() asked for.
  assert.ok(rows.looks.length <= 2, `${rows.looks.length} looks`)
  rows.due.push(7)
  work.wake()
  assert.equal(await found.promise, 7)
})

test('it is not idle while an item that ended during a claim has left more work', async () => {
  const done: number[] = []
  const first = Promise.withResolvers<void>()
  const secondClaim = Promise.withResolvers<void>()
  const claims: (() => readonly number[] | Promise<readonly number[]>)[] = [
    () => [1],
    async () => {
      secondClaim.resolve()
      await first.promise
      // The item has ended before this claim returns; the row it made due is not among the claimed.
      await sleep(10)
      return []
    },
    () => [2],
  ]
  const work = run<number>({
    claim: async () => claims.shift()?.() ?? [],
    run: async (item) => {
      if (item === 1) await first.promise
      done.push(item)
    },
    pollMs: never,
  })
  const idle = work.awaitIdle()
  work.wake()
  await secondClaim.promise
  first.resolve()
  await idle
  assert.deepEqual(done, [1, 2])
})

test('an item that throws is reported and stops neither the others nor the loop', async () => {
  const rows = rowsOf(1, 2, 3)
  const done: number[] = []
  const faults: unknown[] = []
  const work = run<number>({
    claim: rows.claim,
    run: async (item) => {
      if (item === 2) throw new Error('Two is bad.')
      done.push(item)
    },
    onFault: (error, item) => void faults.push([error instanceof Error && error.message, item]),
    pollMs: never,
  })
  await work.awaitIdle()
  rows.due.push(4)
  await work.awaitIdle()
  assert.deepEqual(done, [1, 3, 4])
  assert.deepEqual(faults, [['Two is bad.', 2]])
})

test('while the database is unavailable it logs once, polls ever less often, and recovers by itself', async () => {
  const rows = rowsOf(1)
  const { lines, log } = linesOf()
  const done = Promise.withResolvers<number>()
  const looksAt: number[] = []
  let away = true
  const work = run<number>({
    claim: async (limit) => {
      looksAt.push(performance.now())
      if (away) throw new Error('connection refused')
      return rows.claim(limit)
    },
    run: async (item) => done.resolve(item),
    pollMs: 10,
    log,
  })
  await sleep(250)
  const looks = looksAt.length
  for (let wakes = 0; wakes < 100; wakes += 1) work.wake()
  assert.ok(looks < 10, `${looks} looks in 250 ms`)
  away = false
  assert.equal(await done.promise, 1)
  await work.awaitIdle()
  assert.deepEqual(lines, ['warn: Due work cannot be claimed; retrying.', 'info: Due work can be claimed again.'])
})

test('stop waits for running items and claims nothing more', async () => {
  const rows = rowsOf(1, 2, 3, 4, 5, 6)
  const done: number[] = []
  const work = run<number>({
    claim: rows.claim,
    run: async (item) => {
      await sleep(50)
      done.push(item)
    },
    concurrency: 2,
    pollMs: never,
  })
  while (work.begun < 2) await sleep(1)
  await work.stop()
  assert.deepEqual(done, [1, 2])
  assert.deepEqual(rows.due, [3, 4, 5, 6])

  work.wake()
  await work.awaitIdle()
  assert.deepEqual(rows.due, [3, 4, 5, 6])
})

test('resources of the items are closed after the last item has ended', async () => {
  const rows = rowsOf(1)
  const seen: string[] = []
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const work = run<number>({
    claim: rows.claim,
    run: async () => {
      begun.resolve()
      await end.promise
      seen.push('ended')
    },
    close: () => void seen.push('closed'),
    pollMs: never,
  })
  await begun.promise
  const stopping = work.stop()
  end.resolve()
  await stopping
  assert.deepEqual(seen, ['ended', 'closed'])
})

test('stop gives up on an item that does not end, and logs it', async () => {
  const { lines, log } = linesOf()
  const hanging = Promise.withResolvers<void>()
  const work = run<number>({ claim: rowsOf(1).claim, run: () => hanging.promise, stopMs: 30, pollMs: never, log })
  while (work.begun < 1) await sleep(1)
  await work.stop()
  assert.deepEqual(lines, [
    'warn: Due work was still running at the stop; another process takes it over when the lease expires.',
  ])
  hanging.resolve()
})

test('idle waits for running items', async () => {
  let ended = false
  const work = run<number>({
    claim: rowsOf(1).claim,
    run: async () => {
      await sleep(60)
      ended = true
    },
    pollMs: 10,
  })
  await sleep(20)
  await work.awaitIdle()
  assert.equal(ended, true)
})

test('held work claims nothing, not even at first, and continues when it is resumed', async () => {
  const rows = rowsOf(1, 2)
  const done: number[] = []
  const work = run<number>({ claim: rows.claim, pollMs: 1, run: async (item) => void done.push(item) })
  work.hold()
  // Idle must not wait for work that is held.
  await work.awaitIdle()
  await work.awaitIdle()
  assert.deepEqual([rows.looks, done], [[], []])
  work.resume()
  await work.awaitIdle()
  assert.deepEqual(done, [1, 2])
})

test('a poll that never ends shows as overdue', async () => {
  const work = run({ claim: () => new Promise<never>(() => {}), run: async () => {}, pollMs: 1, stopMs: 1 })
  assert.equal(work.overdueMs, 0)
  while (work.overdueMs === 0) await sleep(1)
})
