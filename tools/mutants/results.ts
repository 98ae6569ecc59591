/**
 * Verdicts of earlier runs, so that an interrupted run can continue. A killed mutant stays killed until its file changes, because tests are
 * rarely removed; a survivor is judged again when the tests have changed.
 */
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './mutations.ts'
import { testFiles, type Verdict } from './run.ts'
import type { Target } from './targets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface StoredVerdict {
  readonly verdict: Verdict
  readonly tests: string
}

export class Results {
  readonly #store: string
  readonly #kept: Record<string, StoredVerdict>
  readonly #file: string
  readonly #tests: string

  constructor({ file, tests }: Target) {
    // One store per file, so that runs over different files do not affect each other.
    this.#store = `${root}node_modules/.cache/mutants/${file.replaceAll('/', '-')}.json`
    // Written by this class alone.
    this.#kept = existsSync(this.#store) ? JSON.parse(readFileSync(this.#store, 'utf8')) : {}
    this.#file = textOf([file])
    this.#tests = textOf(tests.flatMap(testFiles))
  }

  of(mutant: Mutant): Verdict | undefined {
    const stored = this.#kept[this.#keyOf(mutant)]
    return stored && (stored.verdict !== 'survived' || stored.tests === this.#tests) ? stored.verdict : undefined
  }

  keep(mutant: Mutant, verdict: Verdict): void {
    this.#kept[this.#keyOf(mutant)] = { verdict, tests: this.#tests }
    mkdirSync(dirname(this.#store), { recursive: true })
    writeFileSync(`${this.#store}.part`, JSON.stringify(this.#kept))
    renameSync(`${this.#store}.part`, this.#store)
  }

  #keyOf({ file, at, find, replace }: Mutant): string {
    return hash('sha256', [this.#file, file, at, find.length, replace].join('\0'))
  }
}

const textOf = (files: readonly string[]): string =>
  hash('sha256', files.map((path) => readFileSync(`${root}${path}`, 'utf8')).join('\0'))
