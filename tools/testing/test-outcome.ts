/** The outcome of a batch of tests, read from the output of its process. */
import { stripVTControlCharacters } from 'node:util'

export interface Outcome {
  /** The files that ran. */
  readonly files: readonly FileOutcome[]
  /** The files with an unknown result, because another one ended the process. */
  readonly left: readonly string[]
  readonly ok: boolean
  readonly seconds: number
  readonly counts: Counts
  readonly failures: readonly Failure[]
  /** The files of a shared process that did not close a server or end a child process. */
  readonly leaking: readonly string[]
  readonly said: string
}

export interface FileOutcome {
  readonly file: string
  readonly ok: boolean
  readonly seconds: number
}

export interface Counts {
  readonly tests: number
  readonly pass: number
  readonly fail: number
  readonly skipped: number
}

export interface Failure {
  readonly file: string
  /** File and line. */
  readonly place: string
  readonly title: string
  /** The first line of the failure. */
  readonly fault: string
}

type EndedRun = Pick<Outcome, 'ok' | 'said' | 'seconds'>

/** Of a file that the runner ran directly. */
export function outcomeOfOne([file = '']: readonly string[], ended: EndedRun): Outcome {
  const plain = stripVTControlCharacters(ended.said)
  const { ok, seconds } = ended
  const blocks = ok ? [] : blocksIn(plain)
  const failures = blocks.length === 0 && !ok ? [{ ...itself, fault: lastWords(plain) }] : blocks
  return {
    ...ended,
    files: [{ file, ok, seconds }],
    left: [],
    leaking: [],
    counts: countsIn(plain),
    failures: failures.map((failure) => ({ file, ...failure, place: failure.place || file })),
  }
}

/** The last line of a shared process that a file ended early. */
export const endedByText = (file: string): string => `${file} ended the shared test process.`

/** A line of a shared process. */
export const leftOpenText = (file: string): string => `${file} left a server or a child process open.`

/** Of files that `test-host.ts` ran: each is a test around its tests, which reports at the end whether it passed. */
export function outcomeOfHosted(files: readonly string[], ended: EndedRun): Outcome {
  const plain = stripVTControlCharacters(ended.said)
  const verdicts = verdictsIn(plain)
  const silent = ended.ok ? [] : files.filter((file) => !verdicts.has(file))
  const culprit = silent.find((file) => plain.includes(`\n${endedByText(file)}\n`)) ?? silent[0]
  const left = silent.filter((file) => file !== culprit)
  const came = files.filter((file) => !left.includes(file))
  const said = came.map((file): FileOutcome => ({ file, ok: ended.ok, seconds: 0, ...verdicts.get(file) }))
  // If the process failed although none of its files did, all of them are in doubt.
  const outcomes = ended.ok || wrong(said).length > 0 ? said : said.map((one) => ({ ...one, ok: false }))
  const failures = ended.ok ? [] : failuresOf(outcomes, blocksIn(plain), lastWords(plain))
  const ofThemselves = failures.filter(({ title }) => title === itself.title).length
  const around = { pass: came.length - wrong(outcomes).length, fail: wrong(outcomes).length - ofThemselves }
  const leaking = files.filter((file) => plain.includes(`\n${leftOpenText(file)}\n`))
  return { ...ended, files: outcomes, left, counts: within(countsIn(plain), around), failures, leaking }
}

/** A file that failed without a message is reported as well. */
function failuresOf(outcomes: readonly FileOutcome[], blocks: readonly Block[], last: string): readonly Failure[] {
  const failures = blocks.map((block) => attributeFailure(block, outcomes))
  const untold = wrong(outcomes).filter(({ file }) => !failures.some((failure) => failure.file === file))
  return [...failures, ...untold.map(({ file }) => ({ file, ...itself, place: file, fault: last }))]
}

const wrong = (outcomes: readonly FileOutcome[]): readonly FileOutcome[] => outcomes.filter(({ ok }) => !ok)

/** Without the tests around the files; one that failed by itself is counted. */
function within(counts: Counts, around: { readonly pass: number; readonly fail: number }): Counts {
  if (counts.tests === 0) return counts
  return {
    ...counts,
    tests: counts.tests - around.pass - around.fail,
    pass: counts.pass - around.pass,
    fail: counts.fail - around.fail,
  }
}

function verdictsIn(plain: string): ReadonlyMap<string, { readonly ok: boolean; readonly seconds: number }> {
  const lines = plain.matchAll(/^([✔✖]) (\S+) \(([\d.]+)ms\)$/gm)
  return new Map([...lines].map(([, mark, file = '', ms]) => [file, { ok: mark === '✔', seconds: Number(ms) / 1000 }]))
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

type Block = Omit<Failure, 'file'>

const heading = '✖ failing tests:'
const block = /^test at (.+:\d+):\d+\n(.+)\n\s*(\S.*)$/gm
const itself = { place: '', title: '✖ the file itself' }

function blocksIn(plain: string): readonly Block[] {
  const at = plain.lastIndexOf(heading)
  const found = at < 0 ? [] : [...plain.slice(at).matchAll(block)]
  return found.map(([, place = '', title = '', fault = '']) => ({ place, title, fault }))
}

/** A test may be in a file that several test files share; it is attributed to the first of those that failed. */
function attributeFailure(failure: Block, outcomes: readonly FileOutcome[]): Failure {
  const around = outcomes.find(({ file }) => failure.title.startsWith(`✖ ${file} (`))
  if (around) return { file: around.file, ...itself, place: around.file, fault: failure.fault }
  const within = outcomes.find(({ file }) => failure.place.startsWith(`${file}:`))
  return { file: (within ?? outcomes.find(({ ok }) => !ok))?.file ?? '', ...failure }
}

/** For a process that ended without reporting its tests. */
function lastWords(plain: string): string {
  const lines = plain.split('\n').filter((line) => line.trim() !== '')
  const fault = lines.findLast((line) => /\b\w*Error\b|not over after/.test(line)) ?? lines.at(-1)
  return fault?.trim() ?? 'No output.'
}

/** The relevant output of a failed batch: for many files only the failures. */
export function faultsOf({ files, said }: Outcome): string {
  const at = stripVTControlCharacters(said).lastIndexOf(heading)
  return files.length === 1 || at < 0 ? said : stripVTControlCharacters(said).slice(at)
}
