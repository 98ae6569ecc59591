/** An api process that leaks reaches the memory limit of its control group under load, again and again: it ends in good order, and nothing is lost. */
import {
  auditFigures,
  type Campaign,
  type Findings,
  inSeconds,
  joinFindings,
  sizeOf,
  spread,
  type Terms,
} from '../campaign.ts'
import { MerchantLoad } from '../merchant-load.ts'
import { audit } from '../stage/audit.ts'
import type { Program } from '../stage/program.ts'
import { waitUntilSettled } from '../stage/settling.ts'
import { only, openStage } from '../stage/stage.ts'
import { ControlGroup } from './control-group.ts'

export const memoryLimit: Campaign = {
  name: 'memory-limit',
  asserts:
    'an api process at the memory limit of its container ends in good order and is started again; nothing is lost.',
  // `buffers` 1 leaks outside the heap of V8.
  sizes: { megabytes: 400, ends: 10, kilobytes: 2048, buffers: 0, lanes: 4 },
  quick: { ends: 1 },
  run,
  plantedFault: {
    what: 'The process does not watch its memory.',
    seenIn: 'ended otherwise',
    patches: [
      {
        file: 'server/src/start/memory.ts',
        find: "draining.begin('memory')",
        replace: '',
      },
    ],
  },
}

const settleWithinMs = 360_000

async function run(terms: Terms): Promise<Findings> {
  const group = await ControlGroup.make(`gatehouse-${process.pid}`, sizeOf(terms, 'megabytes'))
  try {
    return await runIn(group, terms)
  } finally {
    await group.remove()
  }
}

async function runIn(group: ControlGroup, terms: Terms): Promise<Findings> {
  const kind = sizeOf(terms, 'buffers') === 1 ? 'buffers' : 'heap'
  const hook = new URL('./memory-leak-hook.ts', import.meta.url).href
  const leak = `--import=${hook}?kilobytes=${sizeOf(terms, 'kilobytes')}&kind=${kind}`
  await using stage = await openStage({
    merchants: 3,
    database: terms.database,
    sharedAuthority: true,
    controlGroup: group.folder,
    measuredBy: (name) => (name.startsWith('api') ? [leak] : []),
  })
  const load = new MerchantLoad(stage, terms.random)
  const supervisor = new Supervisor(only(stage.apis), sizeOf(terms, 'ends'))
  const supervising = supervisor.run()
  const lane = async (): Promise<void> => {
    while (!supervisor.isDone) await load.pay(load.nextNumber())
  }
  await Promise.all(Array.from({ length: sizeOf(terms, 'lanes') }, lane))
  await supervising
  const settled = await waitUntilSettled(stage, settleWithinMs)
  const untrue = await load.findUntrueSuccesses()
  const kills = await group.kills()
  const others = supervisor.ends.filter(({ how }) => how !== 'code 0')
  return joinFindings(
    {
      figures: [
        { name: 'ended in good order', value: supervisor.ends.length - others.length },
        { name: 'killed by the kernel', value: kills },
        { name: 'ended otherwise', value: others.length, must: 0 },
        {
          name: 'served before an end, median',
          value: inSeconds(spread(supervisor.ends.map((end) => end.servedSeconds)).median),
        },
        {
          name: 'longest until it served again',
          value: inSeconds(spread(supervisor.ends.map((end) => end.awaySeconds)).max),
        },
        { name: 'requests without an answer', value: load.unanswered },
        { name: 'successes reported to merchants that are not true', value: untrue.length, must: 0 },
        { name: 'not recovered', value: settled === null ? 1 : 0, must: 0 },
      ],
      faults: [...others.map(({ how }) => `The process ended by ${how}.`), ...untrue],
    },
    auditFigures(await audit(stage)),
  )
}

interface End {
  readonly how: string
  readonly servedSeconds: number
  readonly awaySeconds: number
}

/** Starts a process again whenever it has ended, and counts. */
class Supervisor {
  readonly #program: Program
  readonly #most: number
  readonly ends: End[] = []

  constructor(program: Program, most: number) {
    this.#program = program
    this.#most = most
  }

  get isDone(): boolean {
    return this.ends.length >= this.#most
  }

  async run(): Promise<void> {
    while (!this.isDone) {
      const served = performance.now()
      await this.#program.exited
      const ended = performance.now()
      const { code, signal } = this.#program.end ?? { code: null, signal: null }
      await this.#program.start()
      const back = performance.now()
      this.ends.push({
        how: signal ?? `code ${code}`,
        servedSeconds: (ended - served) / 1000,
        awaySeconds: (back - ended) / 1000,
      })
    }
  }
}
