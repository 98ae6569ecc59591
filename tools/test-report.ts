/** What a batch of tests said, and what is said of all of them in the end. */
import { stripVTControlCharacters } from 'node:util'

export interface Outcome {
  readonly files: readonly string[]
  readonly ok: boolean
  readonly seconds: number
  readonly counts: Counts
  readonly failures: readonly Failure[]
  readonly said: string
}

export interface Counts {
  readonly tests: number
  readonly pass: number
  readonly fail: number
  readonly skipped: number
}

export interface Failure {
  /** File and line. */
  readonly place: string
  readonly title: string
  /** The first line of what was wrong. */
  readonly fault: string
}

export interface Verdict {
  readonly ok: boolean
  readonly lines: readonly string[]
}

export function outcomeOf(
  files: readonly string[],
  { ok, said, seconds }: Pick<Outcome, 'ok' | 'said' | 'seconds'>,
): Outcome {
  const plain = stripVTControlCharacters(said)
  return { files, ok, seconds, counts: countsIn(plain), failures: ok ? [] : failuresIn(plain, files), said }
}

/** The one line of a batch that passed. */
export const lineOf = (outcome: Outcome): string =>
  `${outcome.ok ? '✔' : '✖'} ${nameOf(outcome)} (${outcome.counts.tests} tests, ${outcome.seconds.toFixed(1)} s)\n`

function nameOf({ files }: Outcome): string {
  const [first = ''] = files
  return files.length === 1 ? first : `${first.split('/')[0]}/: ${files.length} files`
}

/** `again` has the batches that failed and were run once more, by themselves. What failed comes last. */
export function verdictOf(
  outcomes: readonly Outcome[],
  again: ReadonlyMap<Outcome, Outcome>,
  seconds: number,
): Verdict {
  const isUnsteady = (outcome: Outcome): boolean => again.get(outcome)?.ok ?? false
  const unsteady = outcomes.filter(isUnsteady)
  const failed = outcomes.filter((outcome) => !outcome.ok && !isUnsteady(outcome))
  return {
    ok: failed.length === 0,
    lines: [
      ...totals(outcomes, seconds),
      ...section('⚠ Unsteady: failed among the others, passed by itself', unsteady),
      ...section('✖ Failed', failed),
    ],
  }
}

function totals(outcomes: readonly Outcome[], seconds: number): readonly string[] {
  const sum = (of: (counts: Counts) => number): number => outcomes.reduce((total, { counts }) => total + of(counts), 0)
  const slowest = outcomes.toSorted((a, b) => b.seconds - a.seconds).slice(0, 3)
  return [
    '',
    `ℹ files ${outcomes.reduce((total, { files }) => total + files.length, 0)}`,
    `ℹ tests ${sum(({ tests }) => tests)}`,
    `ℹ pass ${sum(({ pass }) => pass)}`,
    `ℹ fail ${sum(({ fail }) => fail)}`,
    `ℹ skipped ${sum(({ skipped }) => skipped)}`,
    `ℹ seconds ${seconds.toFixed(0)}`,
    `ℹ slowest ${slowest.map((one) => `${nameOf(one)} ${one.seconds.toFixed(0)} s`).join(', ')}`,
  ]
}

function section(title: string, outcomes: readonly Outcome[]): readonly string[] {
  if (outcomes.length === 0) return []
  const failures = outcomes.flatMap((outcome) => outcome.failures)
  return [
    '',
    `${title}:`,
    ...failures.map(({ place, title: test, fault }) => `  ${place}\n    ${test}\n      ${fault}`),
  ]
}

function countsIn(plain: string): Counts {
  const count = (word: string): number => Number(new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(plain)?.[1] ?? 0)
  return {
    tests: count('tests'),
    pass: count('pass'),
    fail: count('fail') + count('cancelled'),
    skipped: count('skipped'),
  }
}

const heading = '✖ failing tests:'
const block = /^test at (.+:\d+):\d+\n(.+)\n\s*(\S.*)$/gm

function failuresIn(plain: string, files: readonly string[]): readonly Failure[] {
  const at = plain.lastIndexOf(heading)
  const found = at < 0 ? [] : [...plain.slice(at).matchAll(block)]
  if (found.length === 0) return [{ place: files.join(', '), title: '✖ the file itself', fault: lastWords(plain) }]
  return found.map(([, place = '', title = '', fault = '']) => ({ place, title, fault }))
}

/** Of a process that ended without a word about its tests. */
function lastWords(plain: string): string {
  const lines = plain.split('\n').filter((line) => line.trim() !== '')
  const fault = lines.findLast((line) => /\b\w*Error\b|not over after/.test(line)) ?? lines.at(-1)
  return fault?.trim() ?? 'It said nothing.'
}
