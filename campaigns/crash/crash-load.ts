/**
 * Random kill -9 of gateway, acquirer and database processes while several merchants, whose endpoints fail as real ones do, make payments.
 * In the end our record, the acquirer's ledger and the callbacks that merchants received agree. Nothing is helped along: breakers open and
 * leases end by themselves.
 */
import { droppedOnError } from '../callback-faults.ts'
import { auditFigures, type Campaign, type Findings, inSeconds, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { MerchantLoad } from '../merchant-load.ts'
import { ProcessKiller, type Target } from '../process-killer.ts'
import { audit } from '../stage/audit.ts'
import { failures } from '../stage/receiver-behaviour.ts'
import { waitUntilSettled } from '../stage/settling.ts'
import { openStage, quickRetries } from '../stage/stage.ts'

export const crashLoad: Campaign = {
  name: 'crash-load',
  asserts: 'random kill -9 under load: our payments = the acquirer’s ledger = callbacks received.',
  sizes: { payments: 1000, kills: 30, concurrency: 16, apis: 2, merchants: 3 },
  quick: { payments: 60, kills: 0, concurrency: 8, apis: 1, merchants: 2 },
  run: (terms) => runCrashLoad(terms, ['api', 'api', 'worker', 'api', 'session', 'database', 'acquirer']),
  plantedFault: droppedOnError,
  overStandIns: {
    sizes: { payments: 1200, kills: 36, concurrency: 16, apis: 2, merchants: 1 },
    quick: { payments: 60, kills: 3, concurrency: 8, apis: 1, merchants: 1 },
    plantedFault: droppedOnError,
  },
}

/** Of five callbacks this many meet a working endpoint. */
const workingOfFive = 3

/** The reconciler's third query comes after two and a half minutes; then the waits that acquirers declare are skipped. */
const recoverWithinMs = 360_000

/** A target named more often is killed more often. */
export async function runCrashLoad(terms: Terms, targets: readonly [Target, ...Target[]]): Promise<Findings> {
  const payments = sizeOf(terms, 'payments')
  const kills = sizeOf(terms, 'kills')
  await using stage = await openStage({
    apis: sizeOf(terms, 'apis'),
    workers: 1,
    merchants: sizeOf(terms, 'merchants'),
    standIns: terms.standIns,
    database: terms.database,
    breakersWork: true,
    callbackRetrySeconds: quickRetries,
    sharedAuthority: true,
  })
  stage.receiver.behaviour = () => (terms.random.between(1, 5) <= workingOfFive ? 'ok' : terms.random.pick(failures))
  const killer = new ProcessKiller(stage, terms.random)
  const load = new MerchantLoad(stage, terms.random)
  // By progress and not by time: every kill then meets payments, however fast the machine is.
  const killNumbers = new Set(
    Array.from({ length: kills }, (_, index) => Math.floor(((index + 0.5) * payments) / kills)),
  )
  const lane = async (): Promise<void> => {
    for (let number = load.nextNumber(); number < payments; number = load.nextNumber()) {
      if (killNumbers.has(number)) killer.kill(terms.random.pick(targets))
      await load.pay(number)
    }
  }
  await Promise.all(Array.from({ length: sizeOf(terms, 'concurrency') }, lane))
  await killer.untilRestarted()

  const seconds = await waitUntilSettled(stage, recoverWithinMs)
  const untrue = await load.findUntrueSuccesses()
  return joinFindings(
    {
      figures: [
        { name: 'kills', value: killer.tally() },
        { name: 'requests without an answer', value: load.unanswered },
        { name: 'successes reported to merchants that are not true', value: untrue.length, must: 0 },
        { name: 'time to recover after the last kill', value: seconds === null ? 'never' : inSeconds(seconds) },
        { name: 'not recovered', value: seconds === null ? 1 : 0, must: 0 },
      ],
      faults: untrue,
    },
    auditFigures(await audit(stage)),
  )
}
