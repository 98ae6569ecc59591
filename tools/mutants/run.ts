/**
 * Runs the tests of a target against one mutant, one process per group of files, until the first test fails. The fault is planted while the
 * tests load the file, so the working tree is unchanged and several mutants can run concurrently.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { patchFlag } from '../../campaigns/patch.ts'
import type { Mutant } from './mutations.ts'
import type { Target } from './targets.ts'

export type Verdict = 'killed' | 'survived' | 'timeout'

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** For one group of tests. It also ends a mutant that loops forever. */
  readonly longestMs?: number
}

const root = fileURLToPath(new URL('../..', import.meta.url))

export async function verdictOn(mutant: Mutant | null, { tests }: Target, options: RunOptions = {}): Promise<Verdict> {
  for (const group of tests) {
    const verdict = await runTests(mutant, testFiles(group), options)
    if (verdict !== 'survived') return verdict
  }
  return 'survived'
}

/** In the order of the patterns, because the first may notice soonest. */
export function testFiles(group: readonly string[]): readonly string[] {
  const files = group.map((pattern) => globSync(pattern, { cwd: root }).toSorted())
  const missing = group.find((_, index) => files[index]?.length === 0)
  if (missing !== undefined) throw new Error(`No test file is called ${missing}.`)
  return [...new Set(files.flat())]
}

async function runTests(
  mutant: Mutant | null,
  files: readonly string[],
  { env = {}, longestMs = 120_000 }: RunOptions,
): Promise<Verdict> {
  const flags = mutant === null ? [] : [patchFlag([mutant])]
  const host = files.length > 1 ? ['tools/testing/test-host.ts'] : []
  const child = spawn(process.execPath, ['--test-reporter=tap', ...flags, ...host, ...files], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // Further failures do not matter.
  createInterface(child.stdout).on('line', (line) => {
    if (/^\s*not ok /.test(line)) child.kill('SIGKILL')
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
