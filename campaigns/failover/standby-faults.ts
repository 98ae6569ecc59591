/**
 * What happens to the synchronous standby, without which no commit is acknowledged. Writes wait until Patroni names the other standby, and
 * go on while the fault lasts: at once for a standby whose connection ends, and after its lease of `ttl` for one that falls silent.
 */
import { until } from '../stage/stage.ts'
import type { Cluster } from './cluster.ts'
import type { Gap } from './gap-figures.ts'
import type { Machine } from './machine.ts'
import type { Pulse } from './pulse.ts'
import type { WriteProbe } from './write-probe.ts'

interface StandbyFault {
  readonly name: string
  readonly begin: (standby: Machine) => void
  readonly end: (standby: Machine) => void
}

const standbyFaults: readonly [StandbyFault, ...StandbyFault[]] = [
  { name: 'standby killed', begin: (standby) => standby.kill(), end: (standby) => standby.start() },
  { name: 'standby paused', begin: (standby) => standby.pause(), end: (standby) => standby.resume() },
]

const replacedWithinMs = 120_000
const pollMs = 200

export async function failStandby(
  cluster: Cluster,
  index: number,
  { probe, payments }: { readonly probe: WriteProbe; readonly payments: Pulse },
): Promise<Gap> {
  const fault = standbyFaults[index % standbyFaults.length] ?? standbyFaults[0]
  await cluster.untilHealthy()
  const standby = await cluster.synchronousStandby()
  if (!standby) throw new Error('No machine is the synchronous standby.')
  probe.pulse.takeLongest()
  payments.takeLongest()
  fault.begin(standby)
  await requireInTime(`Another synchronous standby (${fault.name})`, async () => {
    const now = await cluster.synchronousStandby()
    return now !== null && now !== standby
  })
  const acknowledged = probe.acknowledged
  await requireInTime(`A write during the fault (${fault.name})`, async () => probe.acknowledged > acknowledged)
  const gap = { fault: fault.name, database: probe.pulse.takeLongest(), payments: payments.takeLongest() }
  fault.end(standby)
  await cluster.untilHealthy()
  return gap
}

async function requireInTime(what: string, judge: () => Promise<boolean>): Promise<void> {
  const seconds = await until(judge, replacedWithinMs, pollMs)
  if (seconds === null) throw new Error(`${what} did not come in ${replacedWithinMs / 1000} s.`)
}
