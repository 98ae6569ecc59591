/** Installs and removes the package of the family `prism`, and says whether this system can run it. Chapter 60 §1.2. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { prismConnectors } from '#server/connectors/prism/family.ts'
import { installationFault, openHelper, prismFolder, prismPackage } from '#server/connectors/prism/installation.ts'
import { CommandError } from '../../kit/command-error.ts'
import type { CommandContext } from '../../kit/context.ts'
import { hasDatabase, openDatabase, readInstanceConfig } from '../../kit/instance.ts'

export async function addPrism(context: CommandContext): Promise<void> {
  const config = readInstanceConfig(context)
  const folder = prismFolder(config)
  if (installationFault(config) === null) context.output.err(`Version ${prismPackage.version} is already installed.`)
  else {
    context.output.err(`Installing ${prismPackage.name} ${prismPackage.version} into ${folder} …`)
    await installPackage(folder, context)
  }
  await sayWhetherItRuns(context)
}

/** `force`: although MIDs use it, and without looking whether any do. */
export async function removePrism(context: CommandContext, force: boolean): Promise<void> {
  const folder = prismFolder(readInstanceConfig(context))
  if (!existsSync(folder)) {
    context.output.err('The package is not installed; nothing was removed.')
    return
  }
  const mids = force ? [] : await readMidsInUse(context)
  if (mids.length > 0)
    throw new CommandError(
      `Payments over these MIDs would be refused: ${mids.join(', ')}. Nothing was removed.`,
      'Switch them off first ("gatehouse mid disable NAME"), or repeat the command with --force.',
    )
  await rm(folder, { recursive: true })
  context.output.out(`Removed ${folder}. MIDs of its acquirers are refused until it is installed again.`)
}

/** Names of MIDs that are switched on. A machine without a database has none. */
async function readMidsInUse(context: CommandContext): Promise<readonly string[]> {
  if (!hasDatabase(readInstanceConfig(context))) return []
  await using database = await openDatabase(context)
  const { midStore } = await import('#server/store/configuration/mids.ts')
  const mids = await midStore(database.pool).list()
  return mids
    .filter(({ enabled, connector }) => enabled && prismConnectors.some(({ id }) => id === connector))
    .map(({ name }) => name)
}

type Surroundings = Pick<CommandContext, 'environment' | 'output' | 'signal'>

/** Into a folder beside it first: an installation that breaks off leaves the one in use as it was. */
export async function installPackage(folder: string, context: Surroundings): Promise<void> {
  const fresh = `${folder}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  await writeFile(join(fresh, 'package.json'), '{"private":true}\n')
  const wanted = `${prismPackage.name}@${prismPackage.version}`
  const args = ['install', wanted, '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  try {
    await runNpm(fresh, args, context)
    await verify(fresh)
    await mkdir(dirname(folder), { recursive: true })
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Refuses a package that differs from the one that this release was tried with. */
async function verify(folder: string): Promise<void> {
  const lock: unknown = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
  const entry = Object(Object(Object(lock).packages)[`node_modules/${prismPackage.name}`])
  if (entry.integrity === prismPackage.integrity) return
  throw new CommandError(
    'The downloaded package is not the one that this release was tried with; nothing was installed.',
    'Check which registry npm uses ("npm config get registry").',
  )
}

function runNpm(cwd: string, args: readonly string[], { environment, output, signal }: Surroundings): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn('npm', args, {
    cwd,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => output.err(text.trimEnd()))
  const reportFailure = (why: string) =>
    reject(
      new CommandError(
        `npm ${why}; nothing was installed.`,
        'Install npm, and check that the registry can be reached.',
      ),
    )
  child.on('error', () => reportFailure('could not be started'))
  child.on('close', (code) => (code === 0 ? resolve() : reportFailure(`ended with ${code ?? 'a signal'}`)))
  return promise
}

async function sayWhetherItRuns(context: CommandContext): Promise<void> {
  const { output } = context
  const helper = openHelper(readInstanceConfig(context))
  try {
    const { version, glibc } = await helper.greet()
    const under = glibc === null ? '' : ` under glibc ${glibc}`
    output.out(`The helper process runs: version ${version}${under}. ${prismConnectors.length} acquirers are usable.`)
    output.err('"gatehouse connectors list" shows them.')
  } catch {
    throw new CommandError(
      `The package is installed, and its helper process does not start: it needs glibc ${prismPackage.glibc} or newer, and this system has ${ownGlibc()}.`,
      'Set PRISM_LOADER to the dynamic loader of a newer glibc that has its libraries beside it; see docs/operations/acquirers/prism.md.',
    )
  } finally {
    helper.close()
  }
}

function ownGlibc(): string {
  const { glibcVersionRuntime } = Object(Reflect.get(process.report.getReport(), 'header'))
  return typeof glibcVersionRuntime === 'string' ? glibcVersionRuntime : 'none'
}
