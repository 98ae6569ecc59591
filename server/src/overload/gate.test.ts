import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RefusedError } from '../contracts/refused-error.ts'
import { Capacity } from './capacity.ts'
import { FairQueue } from './fair-queue.ts'
import { createGate, type Gate, type GateOptions, type Ticket } from './gate.ts'

interface Scene {
  readonly gate: Gate
  readonly refused: string[]
  /** Moves the clock; due actions happen at the gate's next event. */
  pass(milliseconds: number): void
}

function scene(over: Partial<GateOptions> = {}): Scene {
  let time = 0
  const refused: string[] = []
  const gate = createGate({
    concurrent: 2,
    waitMs: 1000,
    onAdmitted: () => undefined,
    onRefused: (reason) => void refused.push(reason),
    now: () => time,
    ...over,
  })
  return {
    gate,
    refused,
    pass: (milliseconds) => {
      time += milliseconds
    },
  }
}

const sale = (merchant: string): Ticket => ({ merchant, continues: false })
const capture = (merchant: string): Ticket => ({ merchant, continues: true })

/** Work that ends on request. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, end: resolve }
}

/** Lets everything that is ready happen. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Fills the gate; returns a function that ends one request inside. */
function fill(gate: Gate, count: number): () => Promise<void> {
  const works = Array.from({ length: count }, () => {
    const one = work()
    void gate.pass(sale('filler'), () => one.promise)
    return one
  })
  return async () => {
    works.shift()?.end()
    await settle()
  }
}

describe('the gate', () => {
  test('admits requests at once while there is room', async () => {
    const { gate } = scene()
    assert.equal(await gate.pass(sale('a'), async () => 'done'), 'done')
    assert.deepEqual(gate.state.inside, 0)
  })

  test('processes no more at once than its limit, and the others in turn', async () => {
    const { gate } = scene()
    const endOne = fill(gate, 2)
    const begun: string[] = []
    for (const name of ['first', 'second']) void gate.pass(sale('a'), async () => void begun.push(name))
    await settle()
    assert.deepEqual(begun, [])
    await endOne()
    assert.deepEqual(begun, ['first', 'second'])
  })

  test('refuses at once, with 503 and Retry-After, what would wait too long', async () => {
    const { gate, refused } = scene({ waitMs: 10 })
    fill(gate, 2)
    const waiting = Array.from({ length: 4 }, () => gate.pass(sale('a'), async () => assert.fail()))
    for (const one of waiting) one.catch(() => undefined)
    await assert.rejects(
      gate.pass(sale('a'), async () => assert.fail()),
      (error) =>
        error instanceof RefusedError &&
        error.refusal.http === 503 &&
        /^Service is overloaded\..* Retry-After\.$/.test(error.refusal.message) &&
        (error.retryAfterSeconds ?? 0) >= 1,
    )
    assert.deepEqual(refused, ['queue-full'])
  })

  test('refuses what has waited too long, even while nothing ends', async () => {
    const { gate, refused, pass } = scene()
    fill(gate, 2)
    const late = gate.pass(sale('a'), async () => assert.fail('It must not begin.'))
    pass(1001)
    await assert.rejects(late, RefusedError)
    assert.deepEqual(refused, ['waited-too-long'])
    assert.equal(gate.state.waiting, 0)
  })

  test('a merchant with few requests is next, however many another has waiting', async () => {
    const { gate } = scene({ concurrent: 1 })
    const endOne = fill(gate, 1)
    const begun: string[] = []
    for (let n = 0; n < 20; n += 1) void gate.pass(sale('big'), async () => void begun.push('big'))
    void gate.pass(sale('small'), async () => void begun.push('small'))
    await endOne()
    await settle()
    assert.ok(begun.indexOf('small') <= 1, begun.join(' '))
    assert.equal(begun.length, 21)
  })

  test('queue slots are shared by the waiting merchants', async () => {
    const { gate, refused } = scene({ waitMs: 1000 })
    fill(gate, 2)
    const keep = (merchant: string) => gate.pass(sale(merchant), async () => undefined).catch(() => undefined)
    for (let n = 0; n < 1000; n += 1) void keep('big')
    await settle()
    const { waiting } = gate.state
    assert.ok(waiting <= 101, `${waiting} wait, of 100 that end in a second`)
    assert.equal(refused.length, 1000 - waiting)
    void keep('small')
    await settle()
    assert.equal(gate.state.waiting, waiting + 1)
  })

  test('a request that waits for an acquirer takes no slot', async () => {
    const { gate } = scene({ concurrent: 1 })
    const there = work()
    const slow = gate.pass(sale('a'), () => gate.withoutSlot(() => there.promise))
    await settle()
    assert.equal(await gate.pass(sale('b'), async () => 'taken meanwhile'), 'taken meanwhile')
    there.end()
    await slow
    assert.equal(gate.state.inside, 0)
  })

  test('a request that finishes something begun neither waits nor is refused', async () => {
    const { gate } = scene({ concurrent: 1 })
    fill(gate, 1)
    void gate.pass(sale('a'), async () => undefined).catch(() => undefined)
    assert.equal(await gate.finish(async () => 'back from the bank'), 'back from the bank')
  })

  test('counts requests from their first byte, and refuses those above the bound before they are read', () => {
    const { gate, refused } = scene()
    const closes = Array.from({ length: 4096 }, () => gate.open())
    assert.throws(() => gate.open(), RefusedError)
    assert.deepEqual(refused, ['too-many-open'])
    closes[0]?.()
    closes[0]?.()
    assert.equal(gate.state.open, 4095)
    gate.open()
  })
})

describe('the capacity', () => {
  /** Windows of half a second with constant queueing, in which `perSecond` requests end and all slots are taken. */
  function busy(capacity: Capacity, from: number, windows: number, perSecond: number): number {
    let now = from
    for (let window = 0; window < windows; window += 1) {
      while (capacity.hasRoom) capacity.change(1, now)
      while (capacity.inside > capacity.limit) capacity.change(-1, now)
      for (let n = 0; n < perSecond / 2; n += 1) capacity.end()
      now += 500
      capacity.closeWindow(true, now)
    }
    return now
  }

  test('falls while requests slow each other down, and rises again afterwards', () => {
    const capacity = new Capacity(100, 0)
    const now = busy(capacity, 0, 20, 50)
    // At fifty per second, twenty at once is the most that stays within 400 ms.
    assert.ok(capacity.limit <= 20 && capacity.limit >= 10, `${capacity.limit}`)
    assert.ok(Math.abs(capacity.perSecond - 50) < 1, `${capacity.perSecond}`)
    busy(capacity, now, 40, 1000)
    assert.equal(capacity.limit, 100)
  })

  test('fits a sudden crowd within two windows, and falls by half at most', () => {
    const capacity = new Capacity(32, 0)
    // The first window only begins to queue; twenty-five per second leave 32 at once inside for 1.3 seconds.
    const now = busy(capacity, 0, 2, 25)
    assert.equal(capacity.limit, 16)
    busy(capacity, now, 1, 25)
    assert.equal(capacity.limit, 10)
  })

  test('does not change while nothing queues', () => {
    const capacity = new Capacity(100, 0)
    for (let now = 500; now < 10_000; now += 500) capacity.closeWindow(false, now)
    assert.deepEqual([capacity.limit, capacity.perSecond], [100, 100])
  })

  test('keeps a minimum if nothing ends at all', () => {
    const capacity = new Capacity(100, 0)
    busy(capacity, 0, 100, 0)
    assert.deepEqual([capacity.limit, capacity.perSecond], [4, 1])
  })
})

describe('the queue', () => {
  test('gives merchants their turns one after another', () => {
    const queue = new FairQueue<Ticket & { since: number; name: string }>()
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add({ ...sale(name.charAt(0)), since: 0, name })
    const order = Array.from({ length: 6 }, () => queue.next()?.name)
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    assert.equal(queue.next(), null)
    assert.equal(queue.size, 0)
  })

  test('prefers continuing requests, and admits a new payment at every fourth turn', () => {
    const queue = new FairQueue<Ticket & { since: number; name: string }>()
    for (let n = 1; n <= 5; n += 1) queue.add({ ...capture('a'), since: 0, name: `capture ${n}` })
    queue.add({ ...sale('a'), since: 0, name: 'sale' })
    const order = Array.from({ length: 6 }, () => queue.next()?.name)
    assert.deepEqual(order, ['capture 1', 'capture 2', 'capture 3', 'sale', 'capture 4', 'capture 5'])
  })

  test('returns what is older than a moment, and keeps the rest', () => {
    const queue = new FairQueue<Ticket & { since: number }>()
    for (const since of [1, 2, 3]) {
      queue.add({ ...sale('a'), since })
      queue.add({ ...capture('b'), since })
    }
    assert.deepEqual(
      queue.takeOlder(3).map(({ since }) => since),
      [1, 2, 1, 2],
    )
    assert.deepEqual([queue.size, queue.merchants], [2, 2])
    assert.equal(queue.takeOlder(4).length, 2)
    assert.equal(queue.merchants, 0)
  })
})
