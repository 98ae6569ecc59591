/** Runs batches of tests concurrently, and the failed files once more. */
import type { Outcome } from './test-outcome.ts'
import type { Batch } from './test-plan.ts'
import { type Verdict, verdictOf } from './test-report.ts'

interface RunOptions {
  readonly run: (batch: Batch) => Promise<Outcome>
  /** The number of concurrent batches. */
  readonly slots: number
  /** Nothing is run twice. */
  readonly strict: boolean
  /** Nothing more begins once it is aborted. */
  readonly signal: AbortSignal
}

/** The most files that may be unsteady, about one of a hundred. More have another cause than a busy machine. */
const unsteadyMax = 8

export async function judgeRun(batches: readonly Batch[], options: RunOptions): Promise<Verdict> {
  const begun = performance.now()
  const outcomes = await runTogether(batches, options)
  const again = await rerunFailed(outcomes, options)
  return verdictOf(outcomes, again, (performance.now() - begun) / 1000)
}

/** The last slot begins with batches that wait, so that their CPU is left to the others. */
async function runTogether(batches: readonly Batch[], { run, slots, signal }: RunOptions): Promise<readonly Outcome[]> {
  const waiting = batches.filter(({ waits }) => waits)
  const working = batches.filter(({ waits }) => !waits)
  const outcomes: Outcome[] = []
  const slot = async (first: Batch[], then: Batch[]): Promise<void> => {
    for (;;) {
      const batch = signal.aborted ? undefined : (first.shift() ?? then.shift())
      if (!batch) return
      const outcome = await run(batch)
      outcomes.push(outcome)
      // A file that ended the process says nothing about the files after it.
      if (outcome.left.length > 0) first.unshift({ files: outcome.left, waits: batch.waits })
    }
  }
  await Promise.all(
    Array.from({ length: slots }, (_, index) =>
      index === slots - 1 ? slot(waiting, working) : slot(working, waiting),
    ),
  )
  return outcomes
}

/** One after the other, each with the machine and a process to itself. */
async function rerunFailed(
  outcomes: readonly Outcome[],
  { run, strict, signal }: RunOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const failed = outcomes.flatMap(({ files }) => files.filter(({ ok }) => !ok).map(({ file }) => file))
  const again = new Map<string, Outcome>()
  if (strict || failed.length > unsteadyMax) return again
  for (const file of failed) if (!signal.aborted) again.set(file, await run({ files: [file], waits: false }))
  return again
}
