/**
 * The descriptors of this process: every connection and every open file takes one, and at the limit of the system the kernel closes new connections without a
 * word. Callers therefore get at most what leaves each of them a second descriptor, for its exchange with the acquirer. See
 * decisions/overload#idle-connections.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { Log } from '../contracts/ports.ts'

interface Bounds {
  readonly databasePool: number
  readonly panelPool: number
  readonly overload: { readonly connections: number }
}

/** Sockets that listen, files, channels, connections to mail and wallet services, due work. */
const ownDescriptors = 96
const leastCallers = 16
const mostPanelCallers = 256
/** Of the descriptors, at which health and log say it. */
const scarceShare = 0.8
const everyMs = 5_000

const limitLine = /^Max open files\s+(\d+)/m

/** How many this process may open: Node raises its soft limit to the hard one. Null if the system does not say, or has no limit. */
export function descriptorLimit(readText = () => readFileSync('/proc/self/limits', 'utf8')): number | null {
  try {
    const [, limit] = limitLine.exec(readText()) ?? []
    return limit === undefined ? null : Number(limit)
  } catch {
    return null
  }
}

/** How many connections the payments and the panel may have. */
export function callerRoom(
  { overload: { connections }, ...pools }: Bounds,
  limit: number | null,
): { readonly payments: number; readonly panel: number } {
  const room = limit === null ? Number.POSITIVE_INFINITY : Math.floor((limit - baseOf(pools)) / 2)
  const panel = Math.max(leastCallers, Math.min(mostPanelCallers, Math.floor(room / 8)))
  return { payments: Math.max(leastCallers, Math.min(connections, room - panel)), panel }
}

/** The limit with which `MAX_CONNECTIONS` is reached. */
export const neededDescriptors = ({ overload, ...pools }: Bounds): number =>
  baseOf(pools) + 2 * (overload.connections + mostPanelCallers)

const baseOf = ({ databasePool, panelPool }: Pick<Bounds, 'databasePool' | 'panelPool'>): number =>
  databasePool + panelPool + ownDescriptors

interface DescriptorWatch {
  readonly log: Pick<Log, 'warn' | 'info'>
  readonly limit?: number | null
  readonly count?: () => number
}

interface WatchedDescriptors {
  /** Counts them now. */
  readonly isScarce: boolean
  stop(): void
}

/** One line in the log when four fifths are open, and one when they no longer are. */
export function watchDescriptors({
  log,
  limit = descriptorLimit(),
  count = countDescriptors,
}: DescriptorWatch): WatchedDescriptors {
  if (limit === null) return { isScarce: false, stop: () => undefined }
  let wasScarce = false
  const look = (): boolean => {
    const open = countOrAll(count, limit)
    const isScarce = open > limit * scarceShare
    if (isScarce && !wasScarce)
      log.warn(
        { count: open },
        `${open} of the ${limit} descriptors of this process are open. At the limit it cannot reach acquirers. Raise LimitNOFILE of the unit or "ulimit -n", or lower MAX_CONNECTIONS.`,
      )
    if (!isScarce && wasScarce) log.info({ count: open }, 'Descriptors of this process are free again.')
    wasScarce = isScarce
    return isScarce
  }
  const timer = setInterval(look, everyMs).unref()
  return {
    get isScarce() {
      return look()
    },
    stop: () => clearInterval(timer),
  }
}

/** Reading the folder takes a descriptor itself. */
const countDescriptors = (): number => readdirSync('/proc/self/fd').length - 1

function countOrAll(count: () => number, limit: number): number {
  try {
    return count()
  } catch {
    return limit
  }
}
