/** A copy of parts of the project, in which a test may write. */
import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

export const project = fileURLToPath(new URL('../..', import.meta.url))

export async function copyOfProject(t: TestContext, parts: readonly string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'project-copy-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  for (const part of parts) await cp(join(project, part), join(root, part), { recursive: true })
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'))
  return root
}

export interface Run {
  readonly code: number | null
  readonly output: string
}

/** Runs Node in the folder. */
export function run(program: string, args: readonly string[], folder: string): Promise<Run> {
  // A test runner inside a test runner would otherwise report to the outer one.
  const { NODE_TEST_CONTEXT: _inherited, ...env } = process.env
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
