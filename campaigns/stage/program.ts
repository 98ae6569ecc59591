/**
 * One of our programs as a process that can be killed and restarted in the same place.
 *
 * Its output goes to a file and not through us: a busy reader must not slow down what it measures, and the output of a killed process stays
 * readable. The file also shows when the program is ready.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { builtProgram, type ProgramName, programs } from '#server/process/programs/program-file.ts'
import { inheritedPatches } from '../patch.ts'

interface ProgramOptions {
  readonly name: string
  /** The script, from the top of the repository, and its arguments. */
  readonly script: readonly string[]
  /** The folder of the script; this checkout unless another release is meant. */
  readonly root?: string
  readonly nodeFlags?: readonly string[]
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  /** Matches the output once the program serves; the first group is its address, if it has one. */
  readonly ready: RegExp
  /** The folder of the control group in which it runs. */
  readonly controlGroup?: string | undefined
  /** How long the start may take; two minutes unless given. */
  readonly readyWithinMs?: number
  /** Without the compile cache, to measure a start as an operator sees it. */
  readonly compilesAnew?: boolean
}

interface ProgramEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

const ownRoot = fileURLToPath(new URL('../..', import.meta.url))
/** Campaigns start programs by the hundred; compiled code is reused. */
const compileCache = process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'gatehouse-compile-cache')
const programNames = Object.keys(programs) as readonly ProgramName[]
/** Those of the unit files and the image, so that measurements are those of an installation. */
const deployedFlags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', '--heap-growing-percent=50']
const deployedEnvironment = { MALLOC_ARENA_MAX: '1' }
const mostReadyMs = 120_000
const stopWithinMs = 12_000
const pollMs = 10

/** The program ended by itself before it was ready. */
export class EndedEarly extends Error {
  readonly said: string

  constructor(name: string, said: string) {
    super(`${name} ended before it was ready: ${said.slice(-2000)}`)
    this.said = said
  }
}

export class Program {
  readonly name: string
  readonly logFile: string
  readonly #options: ProgramOptions
  #child: ChildProcess | null = null
  #exited: Promise<void> = Promise.resolve()
  #end: ProgramEnd | null = null
  #url = ''

  constructor(options: ProgramOptions) {
    this.name = options.name
    this.logFile = options.logFile
    this.#options = options
  }

  /** Empty for a program that does not listen. */
  get url(): string {
    return this.#url
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child !== null
  }

  /** Resolves when the current process has ended, however it ended. */
  get exited(): Promise<void> {
    return this.#exited
  }

  /** How the last process ended; null before the first has. */
  get end(): ProgramEnd | null {
    return this.#end
  }

  async start(nodeFlags: readonly string[] = []): Promise<void> {
    const { env, logFile, root = ownRoot, compilesAnew = false } = this.#options
    const log = openSync(logFile, 'a', 0o600)
    const written = statSync(logFile).size
    const ownFlags = [...(this.#options.nodeFlags ?? []), ...nodeFlags]
    const flags = [...deployedFlags, ...inheritedPatches(), ...ownFlags]
    const [command, ...args] = this.#inGroup([process.execPath, ...flags, ...this.#program()])
    const child = spawn(command ?? '', args, {
      cwd: root,
      env: {
        ...deployedEnvironment,
        ...(compilesAnew ? {} : { NODE_COMPILE_CACHE: compileCache }),
        ...env,
        ...this.#samePort(),
      },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    this.#child = child
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#exited = promise
    child.once('error', () => resolve())
    child.once('exit', (code, signal) => {
      this.#end = { code, signal }
      resolve()
    })
    void promise.then(() => {
      if (this.#child === child) this.#child = null
    })
    await this.#becomeReady(written)
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#exited
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (!child) return
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
    await this.#exited
    clearTimeout(late)
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** The script and its arguments. A planted fault changes source files, so it needs them. */
  #program(): readonly string[] {
    const { script, root = ownRoot } = this.#options
    const [source = '', ...others] = script
    // The folder of `tools/programs/build-programs.ts`.
    const built = process.env['GATEHOUSE_BUILT_PROGRAMS']
    const program = programNames.find((name) => programs[name] === source)
    const isBuilt = built !== undefined && program !== undefined && root === ownRoot && inheritedPatches().length === 0
    return isBuilt ? [join(built, builtProgram(program)), ...others] : script
  }

  /** From its first moment: Node reads the limit when it starts. */
  #inGroup(command: readonly string[]): readonly string[] {
    const { controlGroup } = this.#options
    return controlGroup === undefined
      ? command
      : ['/bin/sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', controlGroup, ...command]
  }

  /** The restarted process gets the same port, because clients know its address. */
  #samePort(): Readonly<Record<string, string>> {
    const variable = Object.keys(this.#options.env).find((name) => name.endsWith('PORT'))
    return this.#url === '' || variable === undefined ? {} : { [variable]: new URL(this.#url).port }
  }

  async #becomeReady(from: number): Promise<void> {
    const { readyWithinMs = mostReadyMs } = this.#options
    for (let waitedMs = 0; waitedMs < readyWithinMs; waitedMs += pollMs) {
      const said = textFrom(this.logFile, from)
      const found = this.#options.ready.exec(said)
      if (found) {
        this.#url = found[1] ?? ''
        return
      }
      if (!this.isRunning) throw new EndedEarly(this.name, said)
      await sleep(pollMs)
    }
    throw new Error(`${this.name} was not ready within ${readyWithinMs / 1000} s: ${this.logFile}`)
  }
}

function textFrom(file: string, from: number): string {
  const opened = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, statSync(file).size - from))
    readSync(opened, bytes, 0, bytes.length, from)
    return bytes.toString('utf8')
  } finally {
    closeSync(opened)
  }
}
