/**
 * `npm run test:mutants [-- --files=<words> --sample=<n> --seed=<n> --lanes=<n>]`: plants small faults in the code of money and secrets, one at
 * a time, and runs the tests that have to notice. Prints killed, survived and timeouts by file. Ends with status 1 when a mutant survived
 * that `survivors.md` does not explain. What was judged before is not run again.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf } from './mutations.ts'
import { contextOf, keyOf, Results } from './results.ts'
import { type Verdict, verdictOn } from './run.ts'
import { explained, nameOf, rowOf } from './survivors.ts'
import { type Target, targets } from './targets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const write = (line: string): void => void process.stdout.write(`${line}\n`)

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      files: { type: 'string', default: '' },
      sample: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      lanes: { type: 'string', default: '2' },
    },
  })
  const words = values.files.split(',')
  const chosen = targets.filter(({ file }) => words.some((word) => file.includes(word)))
  if (chosen.length === 0) {
    write(`No file is called ${values.files}. Files:\n${targets.map(({ file }) => `  ${file}`).join('\n')}`)
    return 2
  }
  const results = new Results()
  const known = explained()
  const unexplained: Mutant[] = []
  const sums = { mutants: 0, killed: 0, timeout: 0, survived: 0 }
  for (const target of chosen) {
    const all = mutantsOf(target.file, readFileSync(`${root}${target.file}`, 'utf8'))
    const picked = sampled(all, Number(values.sample), Number(values.seed))
    if ((await verdictOn(null, target)) !== 'survived') {
      write(`${target.file}: its tests fail without any mutant.`)
      return 1
    }
    const verdicts = await judge(target, picked, results, Number(values.lanes))
    const count = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length
    const survivors = picked.filter((_, index) => verdicts[index] === 'survived')
    const open = survivors.filter((mutant) => !known.has(nameOf(mutant)))
    unexplained.push(...open)
    sums.mutants += picked.length
    for (const verdict of ['killed', 'timeout', 'survived'] as const) sums[verdict] += count(verdict)
    write(
      `${target.file}: ${picked.length} of ${all.length} mutants, killed ${count('killed')}, timeouts ${count('timeout')}, survived ${survivors.length}, unexplained ${open.length}`,
    )
    for (const mutant of open) write(`  ${mutant.lineNumber}  ${rowOf(mutant)}`)
  }
  write(
    `In all: ${sums.mutants} mutants, killed ${sums.killed}, timeouts ${sums.timeout}, survived ${sums.survived}, unexplained ${unexplained.length}`,
  )
  process.send?.([
    { name: 'mutants', value: sums.mutants },
    { name: 'killed', value: sums.killed },
    { name: 'timeouts', value: sums.timeout },
    { name: 'survived, with a reason', value: sums.survived - unexplained.length },
    { name: 'survived without a reason', value: unexplained.length, must: 0 },
  ])
  return unexplained.length === 0 ? 0 : 1
}

/** Every n-th from a place that the seed chooses: spread over the file, and the same for the same seed. */
function sampled(all: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  if (count === 0 || count >= all.length) return all
  const step = all.length / count
  return Array.from({ length: count }, (_, index) => all[Math.floor(index * step + (seed % step)) % all.length]).filter(
    (mutant) => mutant !== undefined,
  )
}

async function judge(
  target: Target,
  mutants: readonly Mutant[],
  results: Results,
  lanes: number,
): Promise<readonly Verdict[]> {
  const context = contextOf(target)
  const verdicts: Verdict[] = []
  const waiting = mutants.entries()
  const lane = async (): Promise<void> => {
    for (const [index, mutant] of waiting) {
      const key = keyOf(context, mutant)
      const verdict = results.of(key) ?? (await verdictOn(mutant, target))
      results.keep(key, verdict)
      verdicts[index] = verdict
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return verdicts
}
