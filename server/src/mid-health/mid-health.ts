/**
 * MID health in this process's memory, shared with the other processes.
 *
 * Payments read and report without waiting. About once a second a round writes the counts of this process, applies its breaker changes, and
 * reads what all processes wrote. A process that dies loses what it counted since its last round; one that is stopped has a final round.
 * While the database is unavailable, each process uses its own counts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#domain/limits.ts'
import type { BreakerState } from '#domain/routing/breaker.ts'
import { minuteMs } from '#domain/time.ts'
import type { Clock, Log } from '../contracts/ports.ts'
import type { MidHealthTracker } from '../contracts/routing-ports.ts'
import type { ChangedBreaker, MidHealthStore } from '../store/configuration/mid-health.ts'
import { Answers } from './answers.ts'
import { type BreakerChange, Breakers } from './breakers.ts'

export interface MidHealthParts {
  readonly rows: MidHealthStore
  readonly clock: Clock
  readonly log: Log
  /** Called in the one process that changed a breaker. */
  readonly onChange: (change: BreakerChange, changed: ChangedBreaker) => Promise<void>
}

export interface RunningMidHealth extends MidHealthTracker {
  /** Runs a round now. */
  share(): Promise<void>
  /** Runs a final round; none follows. */
  stop(): Promise<void>
}

/** Starts with the counts of all processes. */
export async function openMidHealth(parts: MidHealthParts): Promise<RunningMidHealth> {
  const midHealth = new SharedMidHealth(parts)
  await midHealth.share()
  midHealth.start()
  return midHealth
}

class SharedMidHealth implements RunningMidHealth {
  readonly #parts: MidHealthParts
  readonly #answers = new Answers()
  readonly #breakers = new Breakers()
  readonly #stopped = new AbortController()
  #pause = new AbortController()
  #round: Promise<void> = Promise.resolve()
  #rounds: Promise<void> = Promise.resolve()
  /** Answers before this time are final; later ones may still change. */
  #finalUntil: Date
  #purgedAt: Date
  #databaseAway = false

  constructor(parts: MidHealthParts) {
    this.#parts = parts
    this.#finalUntil = this.#ago(limits.midHealth.windowMinutes * minuteMs)
    this.#purgedAt = parts.clock.now()
  }

  health(midId: string): BreakerState {
    return this.#breakers.health(midId, this.#now())
  }

  admits(midId: string): boolean {
    return this.#breakers.admits(midId, this.#now())
  }

  tally(...[midId, cell, windowMinutes]: Parameters<MidHealthTracker['tally']>): ReturnType<MidHealthTracker['tally']> {
    return this.#answers.tally(midId, cell, windowMinutes, this.#now())
  }

  probe(midId: string): void {
    this.#breakers.probe(midId, this.#now())
  }

  recordExchange(...[midId, { begunAt, failed }]: Parameters<MidHealthTracker['recordExchange']>): void {
    // Other processes should learn of a change at once.
    if (this.#breakers.recordExchange(midId, { begunAt, failed, endedAt: this.#now() })) this.#pause.abort()
  }

  record(...[midId, cell, answer]: Parameters<MidHealthTracker['record']>): void {
    this.#answers.add(midId, cell, answer, this.#now())
  }

  start(): void {
    this.#rounds = this.#shareUntilStopped()
  }

  /** Rounds run one after another: an earlier read must not overwrite the result of a later one. */
  share(): Promise<void> {
    this.#round = this.#round.then(() => this.#share())
    return this.#round
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#pause.abort()
    await this.#rounds
    await this.share()
  }

  async #shareUntilStopped(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await sleep(limits.midHealth.shareMs, undefined, { signal: this.#pause.signal, ref: false }).catch(
        () => undefined,
      )
      this.#pause = new AbortController()
      if (!this.#stopped.signal.aborted) await this.share()
    }
  }

  async #share(): Promise<void> {
    const changes = this.#breakers.takeChanges()
    try {
      await this.#write(changes)
      await this.#read()
      await this.#purge()
      if (this.#databaseAway) this.#parts.log.info({}, 'MID health is shared between processes again.')
      this.#databaseAway = false
    } catch (error) {
      this.#answers.giveBack()
      this.#breakers.giveBack(changes)
      if (!this.#databaseAway)
        this.#parts.log.warn(
          { err: error },
          'MID health cannot be shared between processes; each process uses its own figures.',
        )
      this.#databaseAway = true
    }
  }

  async #write(changes: readonly BreakerChange[]): Promise<void> {
    const { rows, onChange } = this.#parts
    await rows.addAnswers(this.#answers.take())
    await rows.addExchanges(this.#breakers.takeExchanges())
    for (const change of changes) {
      const changed = await rows.change(change.midId, change.apply)
      if (changed.after !== changed.before) await onChange(change, changed)
    }
  }

  async #read(): Promise<void> {
    const { rows } = this.#parts
    const from = this.#finalUntil
    const exchangesFrom = this.#ago(limits.breaker.windowMs)
    const settledTo = this.#ago(limits.midHealth.settlingMinutes * minuteMs)
    const [answers, exchanges, breakers] = await Promise.all([
      rows.listAnswersSince(from),
      rows.listExchangesSince(exchangesFrom),
      rows.listBreakers(),
    ])
    this.#answers.read(answers, from, this.#ago(limits.midHealth.windowMinutes * minuteMs))
    this.#breakers.read(exchanges, exchangesFrom, breakers)
    this.#finalUntil = wholeMinute(settledTo)
  }

  async #purge(): Promise<void> {
    if (this.#now().getTime() - this.#purgedAt.getTime() < limits.midHealth.purgeMs) return
    this.#purgedAt = this.#now()
    await this.#parts.rows.purge(
      this.#ago(limits.midHealth.windowMinutes * minuteMs),
      this.#ago(2 * limits.breaker.windowMs),
    )
  }

  #now(): Date {
    return this.#parts.clock.now()
  }

  #ago(milliseconds: number): Date {
    return new Date(this.#now().getTime() - milliseconds)
  }
}

const wholeMinute = (at: Date): Date => new Date(Math.floor(at.getTime() / minuteMs) * minuteMs)
