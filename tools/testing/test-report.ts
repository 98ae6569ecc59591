/** The report on all batches at the end. */
import { type Counts, type Failure, type FileOutcome, leftOpenText, type Outcome } from './test-outcome.ts'

export interface Verdict {
  readonly ok: boolean
  readonly lines: readonly string[]
}

const slowestShown = 15

/** One line per file. */
export function linesOf({ files, counts }: Outcome): string {
  const tests = files.length === 1 ? `${counts.tests} tests, ` : ''
  return files.map(({ file, ok, seconds }) => `${ok ? '✔' : '✖'} ${file} (${tests}${seconds.toFixed(1)} s)\n`).join('')
}

/** `again` has the files that failed and were run again alone. Failures come last. */
export function verdictOf(outcomes: readonly Outcome[], again: ReadonlyMap<string, Outcome>, seconds: number): Verdict {
  const wrong = outcomes.flatMap(({ files }) => files.filter(({ ok }) => !ok))
  const isFlaky = ({ file }: FileOutcome): boolean => again.get(file)?.ok ?? false
  const failures = outcomes.flatMap((outcome) => outcome.failures)
  const failuresOf = ({ file }: FileOutcome): readonly Failure[] => failures.filter((failure) => failure.file === file)
  const failed = wrong.filter((one) => !isFlaky(one))
  return {
    ok: failed.length === 0,
    lines: [
      ...totals(outcomes, seconds),
      ...outcomes.flatMap(({ leaking }) => leaking).map((file) => `⚠ ${leftOpenText(file)}`),
      ...section('⚠ Flaky: failed with the others, passed alone', wrong.filter(isFlaky).flatMap(failuresOf)),
      ...section('✖ Failed', failed.flatMap(failuresOf)),
    ],
  }
}

function totals(outcomes: readonly Outcome[], seconds: number): readonly string[] {
  const sum = (of: (counts: Counts) => number): number => outcomes.reduce((total, { counts }) => total + of(counts), 0)
  const files = outcomes.flatMap((outcome) => outcome.files)
  return [
    '',
    `ℹ files ${files.length}`,
    `ℹ tests ${sum(({ tests }) => tests)}`,
    `ℹ pass ${sum(({ pass }) => pass)}`,
    `ℹ fail ${sum(({ fail }) => fail)}`,
    `ℹ skipped ${sum(({ skipped }) => skipped)}`,
    `ℹ seconds ${seconds.toFixed(0)}`,
    ...slowestOf(files),
  ]
}

/** What took most of the time, so that a file that became slow is noticed in that run. */
function slowestOf(files: readonly FileOutcome[]): readonly string[] {
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown)
  const share = (slowest.reduce((sum, { seconds }) => sum + seconds, 0) / Math.max(total, 1)) * 100
  return [
    `ℹ slowest ${slowest.length} of ${files.length} files, ${share.toFixed(0)} % of the total time:`,
    ...slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(9)} s  ${file}`),
  ]
}

function section(title: string, failures: readonly Failure[]): readonly string[] {
  if (failures.length === 0) return []
  return [
    '',
    `${title}:`,
    ...failures.map(({ place, title: test, fault }) => `  ${place}\n    ${test}\n      ${fault}`),
  ]
}
