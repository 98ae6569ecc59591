/** Kills processes of a stage and restarts them, as a supervisor would. */
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from './stage/program.ts'
import type { Random } from './stage/random.ts'
import { type Stage, until } from './stage/stage.ts'

/** `session` is one connection of the database, `database` the server as a whole. */
export type Target = 'api' | 'worker' | 'acquirer' | 'session' | 'database'

export class ProcessKiller {
  readonly #stage: Stage
  readonly #random: Random
  readonly #kills = new Map<Target, number>()
  readonly #restarting = new Set<Promise<void>>()
  readonly #supervising = new Map<Program, Promise<void>>()
  #fault: unknown = null

  constructor(stage: Stage, random: Random) {
    this.#stage = stage
    this.#random = random
  }

  /** Does not wait: the load continues meanwhile. A target that is already dead is left to its restart. */
  kill(target: Target): void {
    const done = this.#kill(target)
    if (done === null) return
    this.#kills.set(target, (this.#kills.get(target) ?? 0) + 1)
    const restarting: Promise<void> = done
      .catch((error: unknown) => {
        this.#fault ??= error
      })
      .finally(() => this.#restarting.delete(restarting))
    this.#restarting.add(restarting)
  }

  /** Resolves when everything that was killed runs again; rejects if something did not come back. */
  async untilRestarted(): Promise<void> {
    await Promise.all(this.#restarting)
    if (this.#fault !== null) throw this.#fault
  }

  tally(): string {
    const total = [...this.#kills.values()].reduce((sum, kills) => sum + kills, 0)
    return `${total} (${[...this.#kills].map(([target, kills]) => `${target} ${kills}`).join(', ')})`
  }

  #kill(target: Target): Promise<void> | null {
    if (target === 'database') return this.#killDatabase()
    return target === 'session' ? this.#killSession() : this.#killOne(this.#programsOf(target))
  }

  #programsOf(target: Exclude<Target, 'database' | 'session'>): readonly Program[] {
    const { apis, workers, sandbox, standIns } = this.#stage
    const acquirers = standIns.programs.length > 0 ? standIns.programs : [sandbox]
    return { api: apis, worker: workers, acquirer: acquirers }[target]
  }

  #killOne(programs: readonly Program[]): Promise<void> | null {
    const running = programs.filter(({ isRunning }) => isRunning)
    const program = running[this.#random.between(0, running.length - 1)]
    return program ? program.kill().then(() => this.#supervise(program)) : null
  }

  /** One supervisor per program: a program that is killed while it starts is restarted by its existing supervisor. */
  #supervise(program: Program): Promise<void> {
    const running = this.#supervising.get(program)
    if (running) return running
    const supervising = restart(program).finally(() => this.#supervising.delete(program))
    this.#supervising.set(program, supervising)
    return supervising
  }

  /** Kills one of the server's sessions, which makes the server end all others and recover from its WAL. */
  #killSession(): Promise<void> | null {
    const sessions = this.#childrenOf(this.#stage.database.pid()).filter(isSession)
    const session = sessions[this.#random.between(0, sessions.length - 1)]
    if (session === undefined) return null
    process.kill(session, 'SIGKILL')
    return Promise.resolve()
  }

  /** Kills the server with all its processes, as in a power failure; its keeper restarts it. */
  #killDatabase(): Promise<void> | null {
    const postmaster = this.#stage.database.pid()
    if (postmaster === null || !existsSync(`/proc/${postmaster}`)) return null
    const children = this.#childrenOf(postmaster)
    for (const pid of [postmaster, ...children]) killIfThere(pid)
    return this.#databaseBack(postmaster)
  }

  async #databaseBack(former: number): Promise<void> {
    const { database, pool } = this.#stage
    const back = await until(async () => {
      if (database.pid() === former) return false
      return pool.query('select 1').then(
        () => true,
        () => false,
      )
    }, databaseBackWithinMs)
    if (back === null) throw new Error('The database did not restart.')
  }

  #childrenOf(postmaster: number | null): readonly number[] {
    if (postmaster === null) return []
    try {
      const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      return children.trim().split(' ').map(Number)
    } catch {
      // It is being restarted.
      return []
    }
  }
}

const databaseBackWithinMs = 60_000

function isSession(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('gatehouse')
  } catch {
    return false
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

const restartTries = 60
const restartPauseMs = 250

/** A supervisor tries until it succeeds, because the database may be down at the moment. */
async function restart(program: Program): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await program.start()
    } catch (error) {
      if (tries === restartTries) throw error
      await sleep(restartPauseMs)
    }
  }
}
