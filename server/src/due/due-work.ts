/**
 * The one loop behind every engine: looks for due rows, claims a batch under a lease, runs the items side by side.
 *
 * There is no queue beside the rows. What is due stands in the database; a claim that is never settled, because its process
 * died or its item faulted, lapses with its lease and is claimed again. Hence nothing is remembered here between two looks
 * except what is running.
 *
 * When it looks:
 * - at once after `wake()`, which whoever wrote a due row in this process calls after the commit;
 * - every `pollMs` and a little, for rows of other processes and for rows whose time has come;
 * - as soon as half of the places are free, when the last look filled them all: there is probably more.
 *
 * While the database is away it looks ever less often, says so once, and says once that it is back.
 *
 * What is deliberately not here: time (the claim brings its own clock) and retries (an item settles its own row).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ids, Log } from '../contracts/ports.ts'
import { jittered } from './jitter.ts'

export interface DueWorkOptions<Item> {
  /** The engine's name in log lines. */
  readonly name: string
  /** Claims at most `limit` items under a lease. */
  readonly claim: (limit: number) => Promise<readonly Item[]>
  /** Does the work of one item and settles its row. */
  readonly run: (item: Item) => Promise<void>
  readonly concurrency: number
  readonly pollMs?: number | undefined
  /** How long `stop` waits for running items. */
  readonly stopMs?: number | undefined
  readonly ids: Pick<Ids, 'random'>
  readonly log: Log
  /** Told about an item whose run threw, which is logged otherwise; the row is left to its lease. */
  readonly onFault?: (error: unknown, item: Item) => void
  /** Closes what the items were done with, once the last has ended or was abandoned. */
  readonly close?: () => Promise<void> | void
}

export interface DueWork {
  /** Something became due in this process. */
  wake(): void
  /** Claims nothing more; resolves when the running items have ended, or when `stopMs` have passed. */
  stop(): Promise<void>
  /** Resolves once a look that began after the call found nothing, and nothing is running; or once stopped. */
  idle(): Promise<void>
  /** Claims nothing until `resume`; what runs goes on. Called in the turn in which the work was made, not even its first look is made. */
  hold(): void
  resume(): void
  /** How many items were begun so far. */
  readonly begun: number
  /** For how long a look is overdue, because the last one never ended or no place became free; by a clock that nobody sets. */
  readonly overdueMs: number
}

const defaultPollMs = 160
const pollJitter = 0.5
const defaultStopMs = 15_000
/** Wakes in quick succession are answered by one look, so that a busy process claims batches and not single rows. */
const betweenLooksMs = 10
const longestAwayMs = 5_000

export function runDueWork<Item>(options: DueWorkOptions<Item>): DueWork {
  const loop = new Loop(options)
  return {
    wake: () => loop.wake(),
    stop: () => loop.stop(),
    idle: () => loop.idle(),
    hold: () => loop.hold(true),
    resume: () => loop.hold(false),
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
  readonly #pollMs: number
  readonly #bell = new Bell()
  readonly #stopped = new AbortController()
  readonly #running = new Set<Promise<void>>()
  readonly #ended: Promise<void>
  #idlers: (() => void)[] = []
  #full = false
  #awayMs = 0
  #begun = 0
  #held = false
  #lookedAt = performance.now()

  constructor(options: DueWorkOptions<Item>) {
    this.#options = options
    this.#pollMs = options.pollMs ?? defaultPollMs
    this.#ended = this.#lookUntilStopped()
  }

  get begun(): number {
    return this.#begun
  }

  get overdueMs(): number {
    const expectedMs = Math.max(this.#pollMs, this.#awayMs) * (1 + pollJitter)
    return Math.max(0, performance.now() - this.#lookedAt - expectedMs)
  }

  wake(): void {
    this.#bell.ring()
  }

  hold(held: boolean): void {
    this.#held = held
    // Those who wait for idleness are answered, since nothing will be begun.
    this.#bell.ring()
  }

  async idle(): Promise<void> {
    if (this.#stopped.signal.aborted) return
    await new Promise<void>((resolve) => {
      this.#idlers.push(resolve)
      this.#bell.ring()
    })
  }

  async stop(): Promise<void> {
    const { name, log, stopMs = defaultStopMs } = this.#options
    this.#stopped.abort()
    this.#bell.ring()

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

  async #lookUntilStopped(): Promise<void> {
    const { signal } = this.#stopped
    // Whoever made this may hold it first.
    await Promise.resolve()
    while (!signal.aborted) {
      if (this.#free() > 0) await this.#look()
      await pause(Math.max(betweenLooksMs, this.#awayMs), signal)
      if (this.#awayMs === 0) await this.#bell.wait(this.#jittered(this.#pollMs))
    }
    await Promise.all(this.#running)
  }

  async #look(): Promise<void> {
    const idlers = this.#idlers
    this.#idlers = []
    const free = this.#free()
    this.#lookedAt = performance.now()
    const items = this.#held ? [] : await this.#claim(free)
    for (const item of items ?? []) this.#start(item)

    this.#full = items?.length === free
    if (items?.length === 0 && this.#running.size === 0) this.#release(idlers)
    else this.#idlers.push(...idlers)
  }

  /** Null while the database is away. */
  async #claim(limit: number): Promise<readonly Item[] | null> {
    const { name, claim, log } = this.#options
    try {
      const items = await claim(limit)
      if (this.#awayMs > 0) log.info({ engine: name }, 'Due work can be claimed again.')
      this.#awayMs = 0
      return items
    } catch (error) {
      if (this.#awayMs === 0) log.warn({ engine: name, err: error }, 'Due work cannot be claimed; retrying.')
      this.#awayMs = this.#jittered(Math.min(Math.max(this.#awayMs * 2, this.#pollMs), longestAwayMs))
      return null
    }
  }

  #start(item: Item): void {
    this.#begun += 1
    const running = this.#run(item).finally(() => {
      this.#running.delete(running)
      const places = this.#full && this.#running.size <= this.#options.concurrency / 2
      if (places || (this.#idlers.length > 0 && this.#running.size === 0)) this.#bell.ring()
    })
    this.#running.add(running)
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
    return this.#options.concurrency - this.#running.size
  }

  #jittered(ms: number): number {
    return jittered(ms, pollJitter, this.#options.ids)
  }

  #release(idlers: readonly (() => void)[]): void {
    for (const resolve of idlers) resolve()
  }
}

/** Rung while nobody waits, it is heard by the next who does. */
class Bell {
  #rung = false
  #hear: () => void = () => undefined

  ring(): void {
    this.#rung = true
    this.#hear()
  }

  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#hear = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#rung = false
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
