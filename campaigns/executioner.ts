/** Kills processes of a stage without warning and starts them again, as a supervisor would. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from './stage/program.ts'
import type { Random } from './stage/random.ts'
import type { Stage } from './stage/stage.ts'

export type Target = 'api' | 'worker' | 'acquirer' | 'database'

export class Executioner {
  readonly #stage: Stage
  readonly #random: Random
  readonly #kills = new Map<Target, number>()
  readonly #restarting = new Set<Promise<void>>()
  #fault: unknown = null

  constructor(stage: Stage, random: Random) {
    this.#stage = stage
    this.#random = random
  }

  /** Does not wait: the load goes on meanwhile. A target that is dead already is left to its restart. */
  strike(target: Target): void {
    const done = target === 'database' ? this.#killDatabase() : this.#killOne(this.#programsOf(target))
    if (done === null) return
    this.#kills.set(target, (this.#kills.get(target) ?? 0) + 1)
    const restarting: Promise<void> = done
      .catch((error: unknown) => {
        this.#fault ??= error
      })
      .finally(() => this.#restarting.delete(restarting))
    this.#restarting.add(restarting)
  }

  /** Settles when everything that was killed runs again; rejects when something did not come back. */
  async rest(): Promise<void> {
    await Promise.all(this.#restarting)
    if (this.#fault !== null) throw this.#fault
  }

  tally(): string {
    const total = [...this.#kills.values()].reduce((sum, kills) => sum + kills, 0)
    return `${total} (${[...this.#kills].map(([target, kills]) => `${target} ${kills}`).join(', ')})`
  }

  #programsOf(target: Exclude<Target, 'database'>): readonly Program[] {
    return { api: this.#stage.apis, worker: this.#stage.workers, acquirer: [this.#stage.sandbox] }[target]
  }

  #killOne(programs: readonly Program[]): Promise<void> | null {
    const running = programs.filter(({ isRunning }) => isRunning)
    const program = running[this.#random.between(0, running.length - 1)]
    return program ? program.kill().then(() => restarted(program)) : null
  }

  /** One of the server's sessions, whose end makes the server throw out all the others and recover from its log. */
  #killDatabase(): Promise<void> | null {
    const postmaster = this.#stage.database.pid()
    if (postmaster === null) return null
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
    const sessions = children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('gatehouse'))
    const session = Number(sessions[this.#random.between(0, sessions.length - 1)])
    if (session > 0) process.kill(session, 'SIGKILL')
    return Promise.resolve()
  }
}

const restartTries = 60
const restartPauseMs = 250

/** A supervisor tries until it succeeds: the database may be away at the moment. */
async function restarted(program: Program): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await program.start()
    } catch (error) {
      if (tries === restartTries) throw error
      await sleep(restartPauseMs)
    }
  }
}
