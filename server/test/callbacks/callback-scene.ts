/**
 * A merchant's endpoint, an outbox and a movable clock, with callback workers between them. Each test begins with empty tables and an
 * endpoint that answers `OK`.
 */
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, beforeEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { secret } from '#domain/secret.ts'
import { type CallbackWorkerOptions, runCallbacks } from '#server/due/callbacks/callbacks.ts'
import type { DueWork } from '#server/due/due-work.ts'
import { callbackRows } from '#server/store/callbacks/callbacks.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { type CallbackReceiver, startReceiver } from './callback-receiver.ts'
import { type CallbackFixture, insertCallback, insertPayment } from './callback-rows.ts'
import { type MovableClock, movableClock } from './movable-clock.ts'

class CallbackScene {
  #database: TestDatabase | null = null
  #receiver: CallbackReceiver | null = null
  #workers: DueWork[] = []
  clock: MovableClock = movableClock()

  get pool(): Pool {
    if (!this.#database) throw new Error('The scene is not set before its tests.')
    return this.#database.pool
  }

  get receiver(): CallbackReceiver {
    if (!this.#receiver) throw new Error('The scene is not set before its tests.')
    return this.#receiver
  }

  start(options: Partial<CallbackWorkerOptions> = {}): DueWork {
    const worker = runCallbacks({
      rows: callbackRows(this.pool),
      readSecrets: async () => ({ webhookSecrets: [secret(newSecret())] }),
      readAddress: async ({ url }) => secret(url),
      addresses: { allowPrivate: true },
      clock: this.clock,
      machineClock: this.clock,
      ids: { random: (bytes) => randomBytes(bytes).toString('hex') },
      log: { debug() {}, info() {}, warn() {}, error() {} },
      alerts: { raise: async () => {} },
      version: '0.1.0',
      pollMs: 20,
      timeoutMs: 300,
      ...options,
    })
    this.#workers.push(worker)
    return worker
  }

  /** Runs a worker until nothing is due. */
  async deliverOnce(options: Partial<CallbackWorkerOptions> = {}): Promise<void> {
    const worker = this.start(options)
    await worker.awaitIdle()
    await worker.stop()
  }

  /** A callback with its own payment and merchant; returns its id. */
  async callback(fixture: CallbackFixture): Promise<string> {
    return insertCallback(this.pool, await insertPayment(this.pool), fixture)
  }

  /** The callback numbers, within their payments, of what was received. */
  numbers(): readonly (string | undefined)[] {
    return this.receiver.received.map(({ headers }) => headers['webhook-sequence']?.toString())
  }

  async open(): Promise<void> {
    this.#database = await testDatabase()
  }

  async begin(): Promise<void> {
    this.#receiver = await startReceiver()
    this.clock = movableClock()
    this.#workers = []
  }

  async end(): Promise<void> {
    await this.receiver.close()
    await Promise.all(this.#workers.map((worker) => worker.stop()))
    await this.pool.query('truncate callbacks, callback_attempts, callback_urls, payments cascade')
  }

  async close(): Promise<void> {
    await this.#database?.drop()
  }
}

/** Called at the top of a test file. */
export function callbackScene(): CallbackScene {
  const scene = new CallbackScene()
  before(() => scene.open())
  beforeEach(() => scene.begin())
  afterEach(() => scene.end())
  after(() => scene.close())
  return scene
}

export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('It did not come about within ten seconds.')
    await sleep(20)
  }
}
