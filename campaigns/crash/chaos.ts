/**
 * Machines fail one way after the other while payments continue: processes are stopped, the database is frozen, killed, cut off and out of
 * disk space, the acquirer is slow, cut off or gone, a clock is wrong. Some payments fail, and none is lost: in the end our record, the
 * acquirer's ledger and the callbacks that merchants received agree.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { auditFigures, type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { besideLanes } from '../lanes.ts'
import { MerchantLoad } from '../merchant-load.ts'
import { audit } from '../stage/audit.ts'
import { Line } from '../stage/line.ts'
import { countUnfinished } from '../stage/our-record.ts'
import { failures } from '../stage/receiver-behaviour.ts'
import { waitUntilSettled } from '../stage/settling.ts'
import { canMount } from '../stage/small-disk.ts'
import { openStage, quickRetries } from '../stage/stage.ts'
import { chaosFaults } from './chaos-faults.ts'

export const chaos: Campaign = {
  name: 'chaos',
  asserts:
    'SIGSTOP, a killed or frozen database, lost connections, a full disk, wrong clocks, a slow acquirer: nothing is lost.',
  sizes: { faults: 11, milliseconds: 5000, pause: 2000, lanes: 6, recover: 240 },
  quick: { faults: 5, milliseconds: 500, pause: 200, lanes: 3, recover: 120 },
  run,
  plantedFault: {
    what: 'unknown outcomes are never polled',
    seenIn: 'orphans',
    sizes: { faults: 2, recover: 10 },
    patches: [
      {
        file: 'server/src/due/reconcile.ts',
        find: 'claim: (limit) => unresolved.claim(deps.clock.now(), limit, leaseSeconds)',
        replace: 'claim: () => Promise.resolve([])',
      },
    ],
  },
}

const diskMegabytes = 400

async function run(terms: Terms): Promise<Findings> {
  const [toAcquirer, toDatabase] = [new Line(), new Line()]
  const chosen = chaosFaults.slice(0, sizeOf(terms, 'faults'))
  const wantsDisk = terms.database === 'own' && canMount && chosen.some(({ name }) => name === 'disk full')
  await using stage = await openStage({
    apis: 2,
    workers: 2,
    merchants: 2,
    database: terms.database,
    breakersWork: true,
    callbackRetrySeconds: quickRetries,
    acquirerBehind: toAcquirer.toHttp,
    databaseBehind: toDatabase.toDatabase,
    sharedAuthority: true,
    ...(wantsDisk ? { diskMegabytes } : {}),
  })
  stage.receiver.behaviour = () => (terms.random.between(1, 4) === 1 ? terms.random.pick(failures) : 'ok')
  const load = new MerchantLoad(stage, terms.random)
  const skipped: string[] = []
  const injectAll = async (): Promise<void> => {
    for (const { name, impossibleBecause, inject } of chosen) {
      const reason = impossibleBecause(stage)
      if (reason === null) {
        const milliseconds = sizeOf(terms, 'milliseconds')
        await inject({ stage, random: terms.random, toAcquirer, toDatabase, milliseconds })
      } else skipped.push(`${name}: ${reason}`)
      await sleep(sizeOf(terms, 'pause'))
    }
  }
  await besideLanes(sizeOf(terms, 'lanes'), () => load.pay(load.nextNumber()), injectAll)

  const seconds = await waitUntilSettled(stage, sizeOf(terms, 'recover') * 1000)
  const { open } = await countUnfinished(stage.pool)
  const untrue = await load.findUntrueSuccesses()
  const durations = load.durations.toSorted((one, other) => one - other)
  return joinFindings(
    {
      figures: [
        { name: 'faults', value: chosen.length - skipped.length },
        { name: 'faults not possible on this machine', value: skipped.join('; ') || 'none' },
        { name: 'connections cut', value: toAcquirer.cuts + toDatabase.cuts },
        { name: 'requests', value: durations.length },
        { name: 'successful payments', value: load.successRate },
        { name: 'p99 of a request', value: `${Math.round(durations[Math.floor(durations.length * 0.99)] ?? 0)} ms` },
        { name: 'requests without an answer', value: load.unanswered },
        { name: 'successes reported to merchants that are not true', value: untrue.length, must: 0 },
        { name: 'orphans', value: open, must: 0 },
        { name: 'time to recover', value: seconds === null ? 'never' : `${seconds.toFixed(1)} s` },
        { name: 'not recovered', value: seconds === null ? 1 : 0, must: 0 },
      ],
      faults: untrue,
    },
    auditFigures(await audit(stage)),
  )
}
