/** Workers that few tests need. Whenever a test moves the clock they would do more than all other workers together. */
import type { DueWork } from '#server/due/due-work.ts'

const rareWorkers = ['wallet', 'chargebacks', 'retention', 'account watch', 'session-codes', 'instance watch'] as const

export type RareWorker = (typeof rareWorkers)[number]

/** Those of which `wanted` has the beginning of the name go on. */
export function holdRareWorkers(workers: readonly DueWork[], wanted: readonly RareWorker[]): void {
  const unwanted = rareWorkers.filter((name) => !wanted.includes(name))
  for (const worker of workers) if (unwanted.some((name) => worker.name.startsWith(name))) worker.hold()
}
