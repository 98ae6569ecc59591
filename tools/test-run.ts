/** Runs batches of tests at the same time, and those that failed once more. */
import type { Batch } from './test-plan.ts'
import { type Outcome, type Verdict, verdictOf } from './test-report.ts'

export interface RunOptions {
  readonly run: (batch: Batch) => Promise<Outcome>
  /** How many run at the same time. */
  readonly slots: number
  /** Nothing is run twice. */
  readonly strict: boolean
  /** Nothing more is begun. */
  readonly signal: AbortSignal
}

/** Of files that failed among the others. More than that have another reason than a busy machine. */
const unsteadyMax = 3

export async function judged(batches: readonly Batch[], options: RunOptions): Promise<Verdict> {
  const begun = performance.now()
  const outcomes = await together(batches, options)
  const again = await onceMore(batches, outcomes, options)
  return verdictOf([...outcomes.values()], again, (performance.now() - begun) / 1000)
}

/** The last slot begins with what waits, so that its processor is left to the others. */
async function together(
  batches: readonly Batch[],
  { run, slots, signal }: RunOptions,
): Promise<ReadonlyMap<Batch, Outcome>> {
  const waiting = batches.filter(({ waits }) => waits)
  const working = batches.filter(({ waits }) => !waits)
  const outcomes = new Map<Batch, Outcome>()
  const slot = async (first: Batch[], then: Batch[]): Promise<void> => {
    for (;;) {
      const batch = signal.aborted ? undefined : (first.shift() ?? then.shift())
      if (!batch) return
      outcomes.set(batch, await run(batch))
    }
  }
  await Promise.all(
    Array.from({ length: slots }, (_, index) =>
      index === slots - 1 ? slot(waiting, working) : slot(working, waiting),
    ),
  )
  return outcomes
}

/** One after the other, each with the machine to itself. */
async function onceMore(
  batches: readonly Batch[],
  outcomes: ReadonlyMap<Batch, Outcome>,
  { run, strict, signal }: RunOptions,
): Promise<ReadonlyMap<Outcome, Outcome>> {
  const failed = batches.flatMap((batch) => {
    const outcome = outcomes.get(batch)
    return outcome && !outcome.ok ? [{ batch, outcome }] : []
  })
  const again = new Map<Outcome, Outcome>()
  if (strict || failed.length > unsteadyMax) return again
  for (const { batch, outcome } of failed) if (!signal.aborted) again.set(outcome, await run(batch))
  return again
}
