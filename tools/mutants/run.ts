/**
 * Runs the tests of a target against one mutant. The fault is planted while the tests load the file, so that the tree stays as it is and
 * several mutants can be run at the same time.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { patchFlag } from '../../campaigns/patch.ts'
import type { Mutant } from './mutations.ts'
import type { Target } from './targets.ts'

export type Verdict = 'killed' | 'survived' | 'timeout'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Of one group of tests. A mutant that loops for ever is noticed by that. */
const longestMs = 120_000

export async function verdictOn(mutant: Mutant | null, { tests }: Target): Promise<Verdict> {
  for (const group of tests) {
    const files = group.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted()
    if (files.length === 0) throw new Error(`No test file is called ${group.join(' or ')}.`)
    const verdict = await ended(mutant, files)
    if (verdict !== 'survived') return verdict
  }
  return 'survived'
}

async function ended(mutant: Mutant | null, files: readonly string[]): Promise<Verdict> {
  const flags = mutant === null ? [] : [patchFlag([mutant])]
  const host = files.length > 1 ? ['tools/test-host.ts'] : []
  const child = spawn(process.execPath, ['--test-reporter=dot', ...flags, ...host, ...files], {
    cwd: root,
    stdio: 'ignore',
  })
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, longestMs)
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  clearTimeout(timer)
  if (late) return 'timeout'
  return status === 0 ? 'survived' : 'killed'
}
