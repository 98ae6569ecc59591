/**
 * A long run at 70 % of the machine's capacity: memory after garbage collection, open descriptors, database connections, open rows and rows
 * per payment do not grow with the number of payments.
 */
import { auditFigures, type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { audit } from '../stage/audit.ts'
import { countUnfinished } from '../stage/our-record.ts'
import { waitUntilSettled } from '../stage/settling.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { growthFault, growthFigures, ProcessWatch } from './process-watch.ts'
import { DatabaseWatch } from './soak-database.ts'
import { calibrate, MixedLoad } from './soak-load.ts'

export const soak: Campaign = {
  name: 'soak',
  asserts: 'at 70 % of the maximum for half an hour, memory, descriptors, connections and open rows do not grow.',
  // `slackMegabytes` is what a process may keep beyond the first half: caches that fill, code that is compiled.
  sizes: { minutes: 30, seconds: 0, calibration: 10, percent: 70, lanes: 12, samples: 30, slackMegabytes: 6 },
  quick: { minutes: 0, seconds: 10, calibration: 3, samples: 6, slackMegabytes: 12 },
  longestMinutes: 60,
  run,
  plantedFault: {
    what: 'Every request leaks memory.',
    seenIn: 'processes with growing memory',
    patches: [
      {
        file: 'server/src/protocols/kit/serve.ts',
        find: 'const { address, requestId } = request',
        replace:
          ';(globalThis.kept ??= []).push(Array.from({ length: 40000 }, (_, at) => at + 0.5))\n  const { address, requestId } = request',
      },
    ],
  },
}

const settleWithinMs = 120_000

async function run(terms: Terms): Promise<Findings> {
  const watch = new ProcessWatch()
  await using stage = await openStage({
    apis: 1,
    workers: 1,
    database: terms.database,
    sharedAuthority: true,
    measuredBy: watch.flags,
  })
  const calibration = await calibrate(stage, sizeOf(terms, 'calibration') * 1000, sizeOf(terms, 'lanes'))
  const perSecond = Math.max(1, (calibration * sizeOf(terms, 'percent')) / 100)
  const seconds = sizeOf(terms, 'minutes') * 60 + sizeOf(terms, 'seconds')
  const load = new MixedLoad(stage, perSecond)
  const database = new DatabaseWatch(stage.pool)
  const programs = [...stage.apis, ...stage.workers]
  await database.sample()
  for (let sample = 0; sample < sizeOf(terms, 'samples'); sample += 1) {
    await load.hold((seconds * 1000) / sizeOf(terms, 'samples'))
    await watch.sample(programs, load.requests)
    await database.sample()
    terms.progress?.(sample + 1, sizeOf(terms, 'samples'))
  }
  await load.end()
  const quiet = await waitUntilSettled(stage, settleWithinMs)

  const growths = await watch.growths(programs, sizeOf(terms, 'slackMegabytes') * 1e6)
  const leaking = growths.filter(({ leaksMemory }) => leaksMemory)
  const holding = growths.filter(({ leaksDescriptors }) => leaksDescriptors)
  const growing = database.growingTables()
  return joinFindings(
    {
      figures: [
        { name: 'most sales per second', value: calibration.toFixed(1) },
        { name: 'requests per second', value: (load.requests / Math.max(1, seconds)).toFixed(1) },
        { name: 'requests', value: load.requests },
        { name: 'minutes', value: (seconds / 60).toFixed(1) },
        ...growthFigures(growths),
        { name: 'connections, middle to end', value: database.connections() },
        { name: 'rows per payment, each half', value: database.rowsPerPayment() },
        { name: 'processes with growing memory', value: leaking.length, must: 0 },
        { name: 'processes with growing descriptors', value: holding.length, must: 0 },
        { name: 'growing connections', value: database.extraConnections(), must: 0 },
        { name: 'tables growing faster than payments', value: growing.length, must: 0 },
        { name: 'failed requests', value: load.failed.length, must: 0 },
        { name: 'open rows left', value: await openRows(stage), must: 0 },
        { name: 'not settled at the end', value: quiet === null ? 1 : 0, must: 0 },
      ],
      faults: [...[...leaking, ...holding].map(growthFault), ...growing, ...load.failed],
    },
    auditFigures(await audit(stage)),
  )
}

async function openRows({ pool }: Stage): Promise<number> {
  const { open, due } = await countUnfinished(pool)
  return open + due
}
