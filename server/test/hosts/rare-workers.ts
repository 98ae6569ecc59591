/** Workers that few tests need. Whenever a test waits for workers or moves the clock, they would do more than all other workers together. */
import type { DueWork } from '#server/due/due-work.ts'

/** What follows payments later: disputes, deadlines, exports, alerts, summaries and charges. */
const laterWorkers = [
  'alert announcements',
  'alert delivery',
  'dispute-answers',
  'dispute-deadlines',
  'export plans',
  'exports',
  'notification-silence',
  'payment-summaries',
  'periodic-charges',
  'review-deadlines',
]

/** By the beginnings of their workers' names. */
const rareWorkers = {
  'account watch': ['account watch'],
  'back office': laterWorkers,
  chargebacks: ['acquirer reports'],
  'instance watch': ['instance watch', 'MID certificates'],
  retention: ['retention'],
  'session-codes': ['session-codes'],
  wallet: ['wallet'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type RareWorker = keyof typeof rareWorkers

/** Tests wait for workers with `idle`, `callbacks` and `advance`, which make them poll at once; usual polls of shops that wait would take processor time from others. */
const pollMs = 2000

/** Holds rare workers except those that are `wanted`, and slows down the others. */
export function calmWorkers(workers: readonly DueWork[], wanted: readonly RareWorker[]): void {
  const unwanted = Object.entries(rareWorkers)
    .filter(([name]) => !wanted.some((one) => one === name))
    .flatMap(([, names]) => names)
  for (const worker of workers) if (unwanted.some((name) => worker.name.startsWith(name))) worker.hold()
  for (const worker of workers) worker.slowDown(pollMs)
}
