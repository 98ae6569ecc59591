/** Files of backups: written whole or not at all, readable for their owner only, and encrypted. */

import type { KeyObject } from 'node:crypto'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '#domain/error-code.ts'
import { CommandError } from '../kit/command-error.ts'
import { AgeError, decryptWith, encryptTo } from './age.ts'
import { readIdentities } from './age-keys.ts'
import { startNoteOf } from './base-start.ts'

type BackupKind = 'dump' | 'base'

/** `gatehouse-20261116T023000Z.dump.age`: the order of names is the order of time. */
export const backupName = (kind: BackupKind, at: Date): string =>
  `gatehouse-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.${kind}.age`

/** `complete` rejects if the source failed although it ended. Returns the size. */
export async function writeEncrypted(
  file: string,
  {
    source,
    recipient,
    complete,
    draft = `${file}.part`,
  }: {
    readonly source: Readable
    readonly recipient: KeyObject
    readonly complete: Promise<void>
    readonly draft?: string
  },
): Promise<number> {
  try {
    // Without a wait: what a program has written is dropped if it ends before it is read.
    rmSync(draft, { force: true })
    const written = pipeline(
      source,
      encryptTo(recipient),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await Promise.all([written, complete])
    await rename(draft, file)
    await syncFolder(dirname(file))
    return (await stat(file)).size
  } catch (error) {
    await rm(draft, { force: true })
    throw fileError(file, error)
  }
}

/** Into `target`, which gets nothing that was not verified. */
export async function readEncrypted(file: string, identityFile: string, target: Writable): Promise<void> {
  const identities = await readIdentityFile(identityFile)
  try {
    await pipeline(createReadStream(file), decryptWith(identities), target)
  } catch (error) {
    throw fileError(file, error)
  }
}

async function readIdentityFile(file: string): Promise<Parameters<typeof decryptWith>[0]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError(file, error)
  })
  const identities = readIdentities(text)
  if (identities.length > 0) return identities
  throw new CommandError(
    `${file} contains no key of backups.`,
    'Give the file that "gatehouse backup key" or age-keygen wrote.',
  )
}

/** A rename survives a power cut only once the folder is on disk, too. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}

/** The complete backups of a kind, the oldest first. */
export async function listBackups(folder: string, kind: BackupKind): Promise<readonly string[]> {
  const form = new RegExp(`^gatehouse-\\d{8}T\\d{6}Z\\.${kind}\\.age$`)
  return (await readdir(folder)).filter((name) => form.test(name)).toSorted()
}

/** Deletes the backups of a kind that are older, each with its note; the newest always stays. Returns their names. */
export async function deleteOlder(folder: string, kind: BackupKind, before: Date): Promise<readonly string[]> {
  const names = await listBackups(folder, kind)
  const outdated = names.slice(0, -1).filter((name) => name < backupName(kind, before))
  for (const name of outdated) {
    await rm(join(folder, name))
    await rm(join(folder, startNoteOf(name)), { force: true })
  }
  return outdated
}

function fileError(file: string, error: unknown): unknown {
  if (error instanceof AgeError)
    return new CommandError(`${file} cannot be decrypted. ${error.message}`, 'Nothing was changed.')
  const code = errorCode(error)
  if (code === 'ENOENT') return new CommandError(`${file} does not exist.`, 'Check the path.')
  if (code === 'ENOSPC')
    return new CommandError(`${file} cannot be written: the disk is full.`, 'No backup was written.')
  if (code === 'EACCES' || code === 'EPERM')
    return new CommandError(`${file} cannot be opened: access is denied.`, 'Check owner and mode.')
  return error
}
