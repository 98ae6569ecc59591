/**
 * Stand-ins for real acquirers on a stage: programs like the sandbox, which can be killed and restarted. Each has a merchant whose payments
 * go over it alone.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { announceNotifications, type RunningStandIn } from '#server/demo/acquirer-stand-ins.ts'
import type { Pool } from '#server/store/database/pool.ts'
import type { Effect } from '../acquirer.ts'
import { Program } from '../program.ts'
import { effectsOf, readOurTransactions, type StandInEntry, standInEntries } from './stand-in-ledger.ts'

/** Names of the faults that a stand-in plays; the stand-ins' kit describes them. */
export type StandInFault = 'reply-lost' | 'hang' | 'error' | 'error-after' | 'garbage' | 'request-lost'

const announcement = z.object({
  url: z.string(),
  credentials: z.object({ live: z.record(z.string(), z.unknown()), test: z.record(z.string(), z.unknown()) }),
})

export class StandIns {
  readonly programs: readonly Program[]
  readonly running: readonly RunningStandIn[]

  private constructor(programs: readonly Program[], running: readonly RunningStandIn[]) {
    this.programs = programs
    this.running = running
  }

  static async start(folder: string, names: readonly string[]): Promise<StandIns> {
    const programs = names.map((name) => standInProgram(folder, name))
    await Promise.all(programs.map((program) => program.start()))
    return new StandIns(programs, await Promise.all(programs.map(readAnnouncement)))
  }

  get merchantNames(): readonly string[] {
    return this.running.map(({ connector }) => `demo-${connector}`)
  }

  /** Enters the gateway's address of notifications at each of them. */
  async announce(apiUrl: string): Promise<void> {
    await Promise.all(this.running.map((standIn) => announceNotifications(standIn, apiUrl)))
  }

  /** What all of them executed, under our ids. */
  async ledger(pool: Pool): Promise<readonly Effect[]> {
    const transactions = await readOurTransactions(pool)
    const ledgers = await Promise.all(this.running.map(readLedger))
    return ledgers.flatMap((entries) => effectsOf(entries, transactions))
  }

  /** Happens to every n-th request; a request repeated under its idempotency key gets through. */
  async setFault(fault: StandInFault, every: number): Promise<void> {
    await this.#ask('PUT', '/faults', { fault, every })
  }

  async clearFaults(): Promise<void> {
    await this.#ask('DELETE', '/faults')
  }

  async advance(milliseconds: number): Promise<void> {
    await this.#ask('POST', '/clock', { advance_ms: milliseconds })
  }

  async stop(): Promise<void> {
    await Promise.all(this.programs.map((program) => program.stop()))
  }

  async #ask(method: string, path: string, body?: object): Promise<void> {
    for (const { connector, url } of this.running) {
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!reply.ok) throw new Error(`The stand-in for ${connector} answered ${method} ${path} with ${reply.status}.`)
    }
  }
}

function standInProgram(folder: string, name: string): Program {
  return new Program({
    name,
    script: ['sandbox/acquirers/main.ts', name],
    env: { STAND_IN_PORT: '0', STAND_IN_DATA: join(folder, 'acquirers', name) },
    logFile: join(folder, `${name}.log`),
    ready: /"url":"(http:[^"]+)".*\n/,
  })
}

async function readAnnouncement(program: Program): Promise<RunningStandIn> {
  const [line = ''] = (await readFile(program.logFile, 'utf8')).split('\n').filter((text) => text.startsWith('{'))
  const { url, credentials } = announcement.parse(JSON.parse(line))
  return { connector: program.name, url, credentials, disputesUrl: null, stop: () => program.stop() }
}

async function readLedger({ connector, url }: RunningStandIn): Promise<readonly StandInEntry[]> {
  const reply = await fetch(`${url}/ledger`)
  if (!reply.ok) throw new Error(`The stand-in for ${connector} answered GET /ledger with ${reply.status}.`)
  return standInEntries.parse(await reply.json())
}
