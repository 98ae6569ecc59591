/** Runs the programs of the examples, each in its language, and returns what they print: the HTTP status and the answer. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

interface Runner {
  /** The program that must be installed, and the Debian package that has it. */
  readonly needs: string
  readonly package: string
  readonly run: (program: string, folder: string) => Promise<string>
}

const run = async (command: string, args: readonly string[], folder: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: folder,
    timeout: 120_000,
    env: environment(folder),
  })
  return stdout
}

const environment = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  GOCACHE: process.env['GOCACHE'] ?? join(tmpdir(), 'gatehouse-go'),
  GOFLAGS: '-mod=mod',
  HOME: process.env['HOME'] ?? folder,
})

const fromFile =
  (name: string, command: string, args: readonly string[]): Runner['run'] =>
  (program, folder) => {
    writeFileSync(join(folder, name), program)
    return run(command, [...args, name], folder)
  }

// biome-ignore format: a table is read in columns.
export const runners: Readonly<Record<string, Runner>> = {
  curl:   { needs: 'bash',    package: 'bash curl openssl',    run: fromFile('example.sh', 'bash', []) },
  node:   { needs: 'node',    package: 'nodejs',               run: runNode },
  php:    { needs: 'php',     package: 'php-cli php-curl',     run: fromFile('example.php', 'php', []) },
  python: { needs: 'python3', package: 'python3',              run: fromFile('example.py', 'python3', []) },
  go:     { needs: 'go',      package: 'golang-go',            run: fromFile('main.go', 'go', ['run']) },
  java:   { needs: 'java',    package: 'default-jdk-headless', run: fromFile('Main.java', 'java', []) },
}

export function isInstalled({ needs }: Runner): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${needs}`])
    return true
  } catch {
    return false
  }
}

const printedBy = new Map<string, readonly string[]>()

/** In this process, which already is Node: a module whose output is caught. */
async function runNode(program: string): Promise<string> {
  const printed: string[] = []
  const name = `printed${printedBy.size}`
  printedBy.set(name, printed)
  Object.assign(globalThis, { exampleOutput: (...values: readonly unknown[]) => printed.push(values.join(' ')) })
  // The name makes each text another module, which is therefore run even if the same program ran before.
  const module = `${program.replaceAll('console.log(', 'exampleOutput(')}\n// ${name}`
  await import(`data:text/javascript,${encodeURIComponent(module)}`)
  return printed.join('\n')
}

/** A folder for the files of a program, which is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-example-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
