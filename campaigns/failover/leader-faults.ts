/** What happens to the machine that leads. A fault lasts until another machine leads, or for half a minute if Patroni tolerates it. */
import type { Cluster } from './cluster.ts'
import type { Machine } from './machine.ts'
import { cutFromOthers, joinOthers, setCable } from './network.ts'

interface LeaderFault {
  readonly name: string
  /** Patroni makes another machine the leader. */
  readonly failsOver: boolean
  readonly begin: (leader: Machine, cluster: Cluster) => void
  readonly end: (leader: Machine, cluster: Cluster) => void
}

const othersOf = (leader: Machine, { machines }: Cluster): readonly number[] =>
  machines.filter((machine) => machine !== leader).map(({ number }) => number)

export const leaderFaults: readonly [LeaderFault, ...LeaderFault[]] = [
  { name: 'killed', failsOver: true, begin: (leader) => leader.kill(), end: (leader) => leader.start() },
  { name: 'paused', failsOver: true, begin: (leader) => leader.pause(), end: (leader) => leader.resume() },
  {
    // The proxy still reaches it: its clients must not be told that a commit succeeded.
    name: 'cut from the other machines',
    failsOver: true,
    begin: (leader, cluster) => cutFromOthers(leader.number, othersOf(leader, cluster)),
    end: (leader, cluster) => joinOthers(leader.number, othersOf(leader, cluster)),
  },
  {
    name: 'unplugged',
    failsOver: true,
    begin: (leader) => setCable(leader.number, 'down'),
    end: (leader) => setCable(leader.number, 'up'),
  },
  {
    // PostgreSQL goes on in the WAL files that it has, and refuses what needs more; only without WAL it ends.
    name: 'disk full',
    failsOver: false,
    begin: (leader) => leader.fillDisk(),
    end: (leader) => leader.emptyDisk(),
  },
]
