/**
 * The leader of a PostgreSQL cluster fails while payments continue, time after time: killed, paused, cut off, unplugged, out of disk space;
 * and the synchronous standby, killed and paused.
 * Nothing that was acknowledged is lost, nothing is charged twice, and no process of the gateway has to be restarted.
 *
 * Needs root on Linux and Debian's packages patroni, etcd-server, haproxy and postgresql.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { auditFigures, type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import { besideLanes } from '../lanes.ts'
import { MerchantLoad } from '../merchant-load.ts'
import type { Patch } from '../patch.ts'
import { audit } from '../stage/audit.ts'
import { waitUntilSettled } from '../stage/settling.ts'
import { openStage, quickRetries, type Stage, until } from '../stage/stage.ts'
import { Cluster } from './cluster.ts'
import { type Gap, gapFigures } from './gap-figures.ts'
import { leaderFaults } from './leader-faults.ts'
import { Pulse } from './pulse.ts'
import { failStandby } from './standby-faults.ts'
import { WriteProbe } from './write-probe.ts'

export const failover: Campaign = {
  name: 'failover',
  asserts:
    'The leader of the database or its standby is killed, paused, cut off or full under load: nothing acknowledged is lost.',
  sizes: { failovers: 20, standbys: 4, etcd: 1, lanes: 4, seconds: 5 },
  quick: { failovers: 2, standbys: 2, etcd: 0, lanes: 2, seconds: 2 },
  longestMinutes: 45,
  run: (terms) => run(terms),
  plantedFault: {
    what: 'commits are acknowledged before a standby has them',
    seenIn: 'acknowledged writes lost',
    sizes: { failovers: 3, standbys: 0, etcd: 0 },
    run: (terms) => run(terms, [asynchronous]),
  },
}

const asynchronous: Patch = {
  file: 'deploy/ha/patroni.yaml',
  find: 'synchronous_mode: true',
  replace: 'synchronous_mode: false',
}

const failoverWithinMs = 120_000
/** How long a fault lasts that Patroni may tolerate. */
const toleratedMs = 30_000
const recoverWithinMs = 240_000
const pollMs = 200

async function run(terms: Terms, patches: readonly Patch[] = []): Promise<Findings> {
  let cluster: Cluster | null = null
  const openDatabase = async (folder: string): Promise<Cluster> => {
    cluster = await Cluster.open(folder, patches)
    return cluster
  }
  await using stage = await openStage({
    apis: 2,
    workers: 2,
    merchants: 2,
    openDatabase,
    breakersWork: true,
    callbackRetrySeconds: quickRetries,
    sharedAuthority: true,
  })
  if (!cluster) throw new Error('The stage has no cluster.')
  // Awaited here, because the stage ends with this function.
  return await underLoad(stage, cluster, terms)
}

async function underLoad(stage: Stage, cluster: Cluster, terms: Terms): Promise<Findings> {
  const pids = pidsOf(stage)
  const probe = new WriteProbe(cluster.url)
  await probe.start()
  const payments = new Pulse()
  const load = new MerchantLoad(stage, terms.random, () => payments.beat())
  const gaps: Gap[] = []
  const outages: Outage[] = []
  const failMachines = async (): Promise<void> => {
    const [leaders, standbys] = [sizeOf(terms, 'failovers'), sizeOf(terms, 'standbys')]
    for (let index = 0; index < leaders + standbys; index += 1) {
      await sleep(sizeOf(terms, 'seconds') * 1000)
      gaps.push(
        index < leaders
          ? await failOver(cluster, index, { probe, payments })
          : await failStandby(cluster, index - leaders, { probe, payments }),
      )
      terms.progress?.(gaps.length, leaders + standbys)
    }
    for (let index = 0; index < sizeOf(terms, 'etcd'); index += 1) outages.push(await loseEtcd(stage, cluster, probe))
  }
  try {
    await besideLanes(sizeOf(terms, 'lanes'), () => load.pay(load.nextNumber()), failMachines)
  } finally {
    probe.stop()
  }
  const lostRows = await probe.findLost()
  const seconds = await waitUntilSettled(stage, recoverWithinMs)
  const untrue = await load.findUntrueSuccesses()
  const restarted = pidsOf(stage).filter((pid) => !pids.includes(pid)).length
  return joinFindings(
    {
      figures: [
        ...gapFigures(gaps),
        ...outageFigures(outages),
        { name: 'requests without an answer', value: load.unanswered },
        { name: 'acknowledged writes lost', value: lostRows.length + untrue.length, must: 0 },
        { name: 'gateway processes restarted', value: restarted, must: 0 },
        { name: 'not recovered', value: seconds === null ? 1 : 0, must: 0 },
      ],
      faults: [...lostRows, ...untrue],
    },
    auditFigures(await audit(stage)),
  )
}

const pidsOf = ({ apis, workers }: Stage): readonly number[] => [...apis, ...workers].map(({ pid }) => pid)

async function failOver(
  cluster: Cluster,
  index: number,
  { probe, payments }: { readonly probe: WriteProbe; readonly payments: Pulse },
): Promise<Gap> {
  const fault = leaderFaults[index % leaderFaults.length] ?? leaderFaults[0]
  await cluster.untilHealthy()
  const leader = await cluster.leader()
  if (!leader) throw new Error('No machine leads.')
  probe.pulse.takeLongest()
  payments.takeLongest()
  fault.begin(leader, cluster)
  const seconds = await until(
    async () => {
      const now = await cluster.leader()
      return now !== null && now !== leader
    },
    fault.failsOver ? failoverWithinMs : toleratedMs,
    pollMs,
  )
  fault.end(leader, cluster)
  if (seconds === null && fault.failsOver) throw new Error(`No other machine led after the leader was ${fault.name}.`)
  await cluster.untilHealthy()
  return { fault: fault.name, database: probe.pulse.takeLongest(), payments: payments.takeLongest() }
}

interface Outage {
  /** Writes that were acknowledged while no machine led. */
  readonly written: number
  /** Processes that called themselves healthy meanwhile. */
  readonly healthy: number
}

/** An answer about the health may be a second old. */
const leaderlessMs = 5_000

/** Without etcd no machine may lead: the database becomes read-only until etcd is back. */
async function loseEtcd(stage: Stage, cluster: Cluster, probe: WriteProbe): Promise<Outage> {
  await cluster.untilHealthy()
  for (const machine of cluster.machines) machine.killEtcd()
  const ended = await until(async () => !(await cluster.isLed()), failoverWithinMs, pollMs)
  if (ended === null) throw new Error('A machine still leads although etcd is gone.')
  const before = probe.acknowledged
  await sleep(leaderlessMs)
  const answers = await Promise.all(stage.apis.map(({ url }) => isHealthy(url)))
  const written = probe.acknowledged - before
  for (const machine of cluster.machines) machine.startEtcd()
  await cluster.untilHealthy()
  return { written, healthy: answers.filter(Boolean).length }
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/service/health`).then(
    ({ status }) => status === 200,
    () => false,
  )

const outageFigures = (outages: readonly Outage[]): Findings['figures'] =>
  outages.flatMap(({ written, healthy }) => [
    { name: 'writes acknowledged without etcd', value: written, must: 0 },
    { name: 'processes that are healthy without etcd', value: healthy, must: 0 },
  ])
