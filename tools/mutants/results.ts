/** Verdicts of earlier runs, kept as long as neither the file nor its tests have changed: an interrupted run goes on where it was. */
import { hash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './mutations.ts'
import type { Verdict } from './run.ts'
import type { Target } from './targets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const store = `${root}node_modules/.cache/mutants.json`

export class Results {
  // Written by this class alone.
  readonly #kept: Record<string, Verdict> = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {}

  of(key: string): Verdict | undefined {
    return this.#kept[key]
  }

  keep(key: string, verdict: Verdict): void {
    this.#kept[key] = verdict
    mkdirSync(dirname(store), { recursive: true })
    writeFileSync(`${store}.part`, JSON.stringify(this.#kept))
    renameSync(`${store}.part`, store)
  }
}

/** Of everything that the verdict on a mutant of this target depends on, as far as it is near. */
export function contextOf({ file, tests }: Target): string {
  const files = [file, ...tests.flat().flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())]
  return hash('sha256', files.map((path) => readFileSync(`${root}${path}`, 'utf8')).join('\0'))
}

export const keyOf = (context: string, { at, replace }: Mutant): string => hash('sha256', `${context} ${at} ${replace}`)
