/** Raises an alert about what stops an instance unless an operator acts: a standby that is missing or late, and a disk that fills up. Chapter 70 §9. */
import type { AlertKind } from '#domain/alert/alert-kinds.ts'
import type { Alerts, Ids, Log } from '../../contracts/ports.ts'
import { type DueWork, runDueWork } from '../due-work.ts'

interface WatchParts {
  readonly readStandbys: () => Promise<{
    readonly missing: number
    readonly lost: number
    readonly secondsBehind: number | null
  }>
  /** Bytes of the disk on which this process stores data. */
  readonly readDisk: () => Promise<{ readonly free: number; readonly total: number }>
  /** The name of this machine. */
  readonly machine: string
  readonly alerts: Alerts
  readonly ids: Ids
  readonly log: Log
}

interface Danger {
  readonly kind: AlertKind
  readonly text: string
}

const pollMs = 60_000
const behindSeconds = 300
const leastFree = 0.1

/** No lease: an alert with the same text is open only once. */
export function runInstanceWatch(parts: WatchParts): DueWork {
  return runDueWork({
    name: 'instance watch',
    claim: () => findDangers(parts),
    run: ({ kind, text }) => parts.alerts.raise({ kind, merchantId: null, paymentId: null, text, once: true }),
    concurrency: 1,
    pollMs,
    ids: parts.ids,
    log: parts.log,
  })
}

/** The texts have no figures that change, so that the same danger is one alert. */
export async function findDangers({
  readStandbys,
  readDisk,
  machine,
}: Pick<WatchParts, 'readStandbys' | 'readDisk' | 'machine'>) {
  const dangers: Danger[] = []
  const { missing, lost, secondsBehind } = await readStandbys()
  if (lost > 0) dangers.push({ kind: 'replication-behind', text: lostText })
  if (missing > 0) dangers.push({ kind: 'replication-behind', text: missingText })
  else if ((secondsBehind ?? 0) > behindSeconds) dangers.push({ kind: 'replication-behind', text: behindText })
  const { free, total } = await readDisk()
  if (total > 0 && free / total < leastFree)
    dangers.push({
      kind: 'disk-low',
      text: `Less than 10 % of the disk of ${machine} is free. Free space or extend it.`,
    })
  return dangers
}

const missingText =
  'A standby of the database is not connected. While it has a replication slot, the server stores its log for it until the disk is full.'
const lostText =
  'A standby of the database was away for too long, and the server no longer has the log that it needs. Copy it again.'
const behindText = 'A standby of the database is more than five minutes behind.'
