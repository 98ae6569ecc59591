/** An instance of the test's own, and the stand-ins for all acquirers in the test's process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StandIn } from '#sandbox/acquirers/kit/stand-in.ts'
import { standIns as loaders } from '#sandbox/acquirers/registry.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { type CommandRun, openTestInstance, type RunOptions } from './gatehouse.ts'

export interface StandIns extends AsyncDisposable {
  readonly names: readonly string[]
  run(...argv: readonly string[]): Promise<CommandRun>
  runWith(options: RunOptions, ...argv: readonly string[]): Promise<CommandRun>
  /** Returns the MID's name. By default in mode test, with the credentials that the stand-in issued. */
  createMid(connector: string, changes?: object, mode?: 'live' | 'test'): Promise<string>
  /** What the stand-in executed, as `sale 1000`. */
  listLedger(connector: string): Promise<readonly string[]>
}

interface Running {
  readonly standIn: StandIn
  readonly services: Awaited<ReturnType<typeof startServices>>
}

interface Effect {
  readonly kind: string
  readonly amount: string
  readonly state: string
}

const raise = (fault: unknown): never => {
  throw fault
}

export async function openStandIns(names: readonly string[] = [...loaders.keys()]): Promise<StandIns> {
  const folder = await mkdtemp(join(tmpdir(), 'stand-ins-'))
  const instance = await openTestInstance()
  const running = new Map<string, Running>()
  for (const name of names) {
    const open = await loaders.get(name)?.()
    if (!open) throw new Error(`There is no stand-in "${name}".`)
    const standIn = await open(join(folder, name))
    running.set(name, { standIn, services: await startServices([standIn], 0, raise) })
  }
  const find = (name: string): Running => running.get(name) ?? raise(new Error(`There is no stand-in "${name}".`))
  let mids = 0
  return {
    names,
    run: (...argv) => instance.run(argv),
    runWith: (options, ...argv) => instance.run(argv, options),
    createMid: async (connector, changes = {}, mode = 'test') => {
      const { standIn, services } = find(connector)
      mids += 1
      const name = `${connector}-${mids}`
      const credentials = JSON.stringify({ ...standIn.credentials(services.url)[mode], ...changes })
      await instance.do('mid', 'create', name, '--connector', connector, '--side', mode, '--credentials', credentials)
      return name
    },
    listLedger: async (connector) => {
      const effects: readonly Effect[] = JSON.parse(
        await (await fetch(`${find(connector).services.url}/ledger`)).text(),
      )
      return effects.filter(({ state }) => state === 'executed').map(({ kind, amount }) => `${kind} ${amount}`)
    },
    [Symbol.asyncDispose]: async () => {
      for (const { services } of running.values()) await services.stop()
      await instance[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
