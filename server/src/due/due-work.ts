/**
 * The loop behind every worker: polls for due rows, claims a batch under a lease and runs the items in parallel.
 *
 * There is no queue besides the rows. Due work is in the database; a claim that is never settled, because its process died or its item
 * failed, expires with its lease and is claimed again. Between two polls the loop remembers only what is running.
 *
 * It polls:
 * - at once after `wake()`, which is called after committing a due row in this process;
 * - every `pollMs` plus jitter, for rows of other processes and rows that have become due;
 * - as soon as half of its concurrency is free, if the last poll took all of it, because there is probably more.
 *
 * While the database is unavailable it polls ever less often and logs once when that begins and once when it ends.
 *
 * Deliberately absent: time (the claim has its own clock) and retries (an item settles its own row).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ids, Log } from '../contracts/ports.ts'
import { addJitter } from './jitter.ts'

export interface DueWorkOptions<Item> {
  /** The worker's name in log lines. */
  readonly name: string
  /** Claims at most `limit` items under a lease. */
  readonly claim: (limit: number) => Promise<readonly Item[]>
  /** Does the work of one item and settles its row. */
  readonly run: (item: Item) => Promise<void>
  readonly concurrency: number
  /** For items that may wait long for another party's answer; without it each keeps its slot until it ends. */
  readonly slowItems?: SlowItems
  readonly pollMs?: number | undefined
  /** How long `stop` waits for running items. */
  readonly stopMs?: number | undefined
  readonly ids: Pick<Ids, 'random'>
  readonly log: Log
  /** Called if an item's run throws, instead of logging it; the row is left to its lease. */
  readonly onFault?: (error: unknown, item: Item) => void
  /** Closes resources of the items, once the last has ended or was abandoned. */
  readonly close?: () => Promise<void> | void
}

/** An item that has run for `afterMs` only waits: it leaves its slot to another one. At most `maximum` items are outside the slots. */
interface SlowItems {
  readonly afterMs: number
  readonly maximum: number
}

export interface DueWork {
  readonly name: string
  /** Signals that work became due in this process. */
  wake(): void
  /** Claims nothing more; resolves when the running items have ended, or after `stopMs`. */
  stop(): Promise<void>
  /** Resolves once a poll that began after the call found nothing and nothing is running, or once stopped. */
  awaitIdle(): Promise<void>
  /** Claims nothing until `resume`; running items continue. Called right after creation, it prevents even the first poll. */
  hold(): void
  resume(): void
  /** Polls at most this often from now on, apart from wake-ups: for processes that see all their work begin themselves. */
  slowDown(pollMs: number): void
  /** The number of items begun so far. */
  readonly begun: number
  /** How long a poll is overdue, because the last one never ended or all work at hand goes on; by the monotonic clock. */
  readonly overdueMs: number
}

const defaultPollMs = 160
const pollJitter = 0.5
const defaultStopMs = 15_000
/** Wake-ups in quick succession cause one poll, so that a busy process claims batches instead of single rows. */
const betweenPollsMs = 10
const longestBackoffMs = 5_000

export function runDueWork<Item>(options: DueWorkOptions<Item>): DueWork {
  const loop = new Loop(options)
  return {
    name: options.name,
    wake: () => loop.wake(),
    stop: () => loop.stop(),
    awaitIdle: () => loop.awaitIdle(),
    hold: () => loop.hold(true),
    resume: () => loop.hold(false),
    slowDown: (pollMs) => loop.slowDown(pollMs),
    get begun() {
      return loop.begun
    },
    get overdueMs() {
      return loop.overdueMs
    },
  }
}

class Loop<Item> {
  readonly #options: DueWorkOptions<Item>
  readonly #wakeUp = new WakeUp()
  readonly #stopped = new AbortController()
  readonly #running = new Set<Promise<void>>()
  /** Of the running ones, those that have been waiting for longer than `afterMs`. */
  #waiting = 0
  readonly #ended: Promise<void>
  #idlers: (() => void)[] = []
  #isFull = false
  #backoffMs = 0
  #begun = 0
  #isHeld = false
  #pollMs: number
  #polledAt = performance.now()

  constructor(options: DueWorkOptions<Item>) {
    this.#options = options
    this.#pollMs = options.pollMs ?? defaultPollMs
    this.#ended = this.#pollUntilStopped()
  }

  get begun(): number {
    return this.#begun
  }

  get overdueMs(): number {
    const expectedMs = Math.max(this.#pollMs, this.#backoffMs) * (1 + pollJitter)
    return Math.max(0, performance.now() - this.#polledAt - expectedMs)
  }

  wake(): void {
    this.#wakeUp.trigger()
  }

  hold(held: boolean): void {
    this.#isHeld = held
    // Resolves callers of idle(), because no more work will begin.
    this.#wakeUp.trigger()
  }

  slowDown(pollMs: number): void {
    this.#pollMs = Math.max(this.#pollMs, pollMs)
  }

  async awaitIdle(): Promise<void> {
    if (this.#stopped.signal.aborted) return
    await new Promise<void>((resolve) => {
      this.#idlers.push(resolve)
      this.#wakeUp.trigger()
    })
  }

  async stop(): Promise<void> {
    const { name, log, stopMs = defaultStopMs } = this.#options
    this.#stopped.abort()
    this.#wakeUp.trigger()

    const ended = new AbortController()
    await Promise.race([this.#ended.then(() => ended.abort()), pause(stopMs, ended.signal)])
    if (this.#running.size > 0) {
      log.warn(
        { engine: name, abandoned: this.#running.size },
        'Due work was still running at the stop; another process takes it over when the lease expires.',
      )
    }
    this.#release(this.#idlers)
    await this.#options.close?.()
  }

  async #pollUntilStopped(): Promise<void> {
    const { signal } = this.#stopped
    // The creator may call hold() first.
    await Promise.resolve()
    while (!signal.aborted) {
      if (this.#free() > 0) await this.#poll()
      await pause(Math.max(betweenPollsMs, this.#backoffMs), signal)
      if (this.#backoffMs === 0) await this.#wakeUp.wait(this.#jittered(this.#pollMs))
    }
    await Promise.all(this.#running)
  }

  async #poll(): Promise<void> {
    const idlers = this.#idlers
    this.#idlers = []
    const free = this.#free()
    const ran = this.#running.size
    this.#polledAt = performance.now()
    const items = this.#isHeld ? [] : await this.#claim(free)
    for (const item of items ?? []) this.#start(item)

    this.#isFull = items?.length === free
    const isIdle = items?.length === 0 && this.#running.size === 0
    // An item that ended during the claim may have made another row due, which this claim did not see yet.
    if (isIdle && ran === 0) return this.#release(idlers)
    this.#idlers.push(...idlers)
    if (isIdle && idlers.length > 0) this.#wakeUp.trigger()
  }

  /** Null while the database is unavailable. */
  async #claim(limit: number): Promise<readonly Item[] | null> {
    const { name, claim, log } = this.#options
    try {
      const items = await claim(limit)
      if (this.#backoffMs > 0) log.info({ engine: name }, 'Due work can be claimed again.')
      this.#backoffMs = 0
      return items
    } catch (error) {
      if (this.#backoffMs === 0) log.warn({ engine: name, err: error }, 'Due work cannot be claimed; retrying.')
      this.#backoffMs = this.#jittered(Math.min(Math.max(this.#backoffMs * 2, this.#pollMs), longestBackoffMs))
      return null
    }
  }

  #start(item: Item): void {
    this.#begun += 1
    const endWait = this.#leaveSlotLater()
    const running = this.#run(item).finally(() => {
      this.#running.delete(running)
      endWait()
      this.#wakeIfHalfFree()
      if (this.#idlers.length > 0 && this.#running.size === 0) this.#wakeUp.trigger()
    })
    this.#running.add(running)
  }

  /** Returns what is to be called when the item has ended. */
  #leaveSlotLater(): () => void {
    const { slowItems } = this.#options
    if (!slowItems) return () => undefined
    let waits = 0
    const timer = setTimeout(() => {
      waits = 1
      this.#waiting += 1
      this.#wakeIfHalfFree()
    }, slowItems.afterMs)
    return () => {
      clearTimeout(timer)
      this.#waiting -= waits
    }
  }

  #wakeIfHalfFree(): void {
    if (this.#isFull && this.#free() >= this.#options.concurrency / 2) this.#wakeUp.trigger()
  }

  async #run(item: Item): Promise<void> {
    const { name, run, log, onFault } = this.#options
    try {
      await run(item)
    } catch (error) {
      if (onFault) onFault(error, item)
      else log.error({ engine: name, err: error }, 'Due work failed; it is retried when its lease expires.')
    }
  }

  #free(): number {
    const { concurrency, slowItems } = this.#options
    const outside = Math.min(this.#waiting, slowItems?.maximum ?? 0)
    return concurrency - (this.#running.size - outside)
  }

  #jittered(ms: number): number {
    return addJitter(ms, pollJitter, this.#options.ids)
  }

  #release(idlers: readonly (() => void)[]): void {
    for (const resolve of idlers) resolve()
  }
}

/** A wake-up that is remembered until the next wait(). */
class WakeUp {
  #isPending = false
  #resume: () => void = () => undefined

  trigger(): void {
    this.#isPending = true
    this.#resume()
  }

  async wait(ms: number): Promise<void> {
    if (!this.#isPending) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#resume = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isPending = false
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
