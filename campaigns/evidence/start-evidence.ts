/** Starts the program that writes the page of evidence, for tests. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./evidence.ts', import.meta.url))

export function startEvidence(t: TestContext, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-evidence-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const out = join(folder, 'page.md')
  return { child: spawn(process.execPath, [program, `--out=${out}`, '--quick', '--seed=7', ...args]), out }
}
