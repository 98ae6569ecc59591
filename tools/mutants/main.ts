/**
 * `npm run test:mutants [-- --file <words> --sample <n> --seed <n> --lanes <n> --anew]`: plants small faults in the code of money and
 * secrets, one at a time, and runs the tests that must notice. Prints a table by file. Ends with status 1 if a mutant survived that
 * `survivors.md` does not explain. Earlier verdicts are reused, unless `--anew` is given.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readOptions, runProgram, UsageError, wholeNumber } from '../command-line.ts'
import { type Mutant, mutantsOf } from './mutations.ts'
import { Results } from './results.ts'
import { verdictOn } from './run.ts'
import { nameOf, readExplained, rowOf } from './survivors.ts'
import { count, type FileResult, summaryTable } from './table.ts'
import { takeSample } from './take-sample.ts'
import { type Target, targets } from './targets.ts'
import { openTestEnvironment, type TestEnvironment } from './test-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const write = (line: string): void => void process.stdout.write(`${line}\n`)
const progressEvery = 20

interface Order {
  readonly chosen: readonly Target[]
  readonly sample: number
  readonly seed: number
  readonly lanes: number
  readonly anew: boolean
}

const usage = `Usage: npm run test:mutants -- [--file signature,vault] [--sample 40] [--seed 1] [--lanes 2] [--anew]

Plants small faults in the code, one at a time, and runs the tests that must notice.

  --file WORDS  only files whose path contains one of the words
  --sample N    at most N mutants of each file, chosen by the seed
  --seed N      the seed of the sample
  --lanes N     concurrent mutants
  --anew        does not reuse earlier verdicts

Files:
${targets.map(({ file }) => `  ${file}`).join('\n')}`

process.exitCode = await runProgram(usage, main)

async function main(): Promise<number> {
  const order = readOrder()
  const known = readExplained()
  const environment = await openTestEnvironment()
  const done: FileResult[] = []
  try {
    for (const target of order.chosen) {
      const all = mutantsOf(target.file, readFileSync(`${root}${target.file}`, 'utf8'))
      const judged = await judge(target, takeSample(all, order.sample, order.seed), order, environment)
      if (judged === null) return 1
      const survivors = judged.filter(([, verdict]) => verdict === 'survived').map(([mutant]) => mutant)
      const unexplained = survivors.filter((mutant) => !known.has(nameOf(mutant)))
      for (const mutant of unexplained) write(`  ${mutant.lineNumber}  ${rowOf(mutant)}`)
      done.push({ file: target.file, all: all.length, judged, unexplained })
    }
  } finally {
    await environment.close()
  }
  if (order.sample > 0) write(`A sample of up to ${order.sample} mutants of each file, seed ${order.seed}.`)
  write(summaryTable(done))
  return tell(done)
}

function readOrder(): Order {
  const { values } = readOptions({
    options: {
      file: { type: 'string', default: '' },
      sample: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      lanes: { type: 'string', default: '2' },
      anew: { type: 'boolean', default: false },
    },
  })
  const words = values.file.split(',')
  const chosen = targets.filter(({ file }) => words.some((word) => file.includes(word)))
  if (chosen.length === 0) throw new UsageError(`No file is called ${values.file}.`)
  const lanes = wholeNumber('lanes', values.lanes)
  if (lanes === 0) throw new UsageError('--lanes takes at least 1.')
  const { sample, seed, anew } = values
  return { chosen, sample: wholeNumber('sample', sample), seed: wholeNumber('seed', seed), lanes, anew }
}

/** Null if the tests fail without a mutant: no verdict would mean anything. */
async function judge(
  target: Target,
  mutants: readonly Mutant[],
  { lanes, anew }: Order,
  environment: TestEnvironment,
): Promise<FileResult['judged'] | null> {
  const results = new Results(target)
  const earlier = new Map(mutants.map((mutant) => [mutant, anew ? undefined : results.of(mutant)]))
  const known = mutants.filter((mutant) => earlier.get(mutant) !== undefined).length
  write(`${target.file}: ${mutants.length} mutants, ${known} judged before`)
  let longestMs = 0
  if (known < mutants.length) {
    const begun = performance.now()
    if ((await verdictOn(null, target, environment)) !== 'survived') {
      write(`${target.file}: its tests fail without a mutant.`)
      return null
    }
    longestMs = Math.max(30_000, 10 * (performance.now() - begun))
  }
  const verdicts = new Map(earlier)
  const waiting = mutants.filter((mutant) => earlier.get(mutant) === undefined).values()
  let judged = known
  const lane = async (): Promise<void> => {
    for (const mutant of waiting) {
      const verdict = await verdictOn(mutant, target, { env: environment.env, longestMs })
      results.keep(mutant, verdict)
      verdicts.set(mutant, verdict)
      judged += 1
      if (judged % progressEvery === 0) write(`  ${judged} of ${mutants.length}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return mutants.map((mutant) => [mutant, verdicts.get(mutant) ?? 'survived'] as const)
}

function tell(done: readonly FileResult[]): number {
  const judged = done.flatMap((result) => result.judged)
  const unexplained = done.flatMap((result) => result.unexplained).length
  process.send?.([
    { name: 'mutants', value: judged.length },
    { name: 'killed', value: count({ judged }, 'killed') },
    { name: 'timeouts', value: count({ judged }, 'timeout') },
    { name: 'survived, with a reason', value: count({ judged }, 'survived') - unexplained },
    { name: 'survived without a reason', value: unexplained, must: 0 },
  ])
  return unexplained === 0 ? 0 : 1
}
