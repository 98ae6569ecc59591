/**
 * The file of the key-encryption keys. Losing it means losing every card and every secret. A change is therefore written to disk under
 * another name before it replaces the file, and no two changes can overwrite each other.
 */

import { randomUUID } from 'node:crypto'
import { access, constants, type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '#domain/error-code.ts'
import { StartupError } from '#server/process/startup-error.ts'

interface KeyFile {
  readonly text: string
  readonly warnings: readonly string[]
}

/** A wrapped file is not text; `latin1` keeps its bytes. */
export async function readKeyFile(file: string, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<KeyFile> {
  try {
    await using handle = await open(file, 'r')
    const { mode } = await handle.stat()
    return { text: await handle.readFile(encoding), warnings: warningsOf(file, mode) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new StartupError(`The key file ${file} does not exist.`, missingText(file))
    throw new StartupError(
      `The key file ${file} cannot be read (${errorCode(error) || 'unknown error'}).`,
      'Give the user running Gatehouse read access.',
    )
  }
}

/** Creates the file unless it exists. Of two processes that start at once, the first one's keys apply to both. */
export async function createKeyFile(file: string, text: () => string): Promise<void> {
  if (await isThere(file)) return

  const draft = `${file}.${randomUUID()}`
  await reportUnwritable(file, async () => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    try {
      await using handle = await open(draft, 'wx', 0o600)
      await handle.writeFile(text())
      await handle.sync()
      // Unlike a rename, a link fails if the file exists.
      await link(draft, file).catch(unlessCode('EEXIST'))
    } finally {
      await rm(draft, { force: true })
    }
    await syncFolder(file)
  })
}

/** Replaces the file's content by `change(text)`; owner, group and mode stay as the operator set them. */
export async function changeKeyFile(file: string, change: (text: string) => string): Promise<void> {
  const draft = `${file}.new`
  // The draft is also the lock: of two simultaneous changes each would drop the key that the other has added.
  await using handle = await lock(file, draft)
  try {
    const { text } = await readKeyFile(file)
    const changed = change(text)
    await reportUnwritable(file, async () => {
      await copyRights(file, handle)
      await handle.writeFile(changed)
      await handle.sync()
      await rename(draft, file)
      await syncFolder(file)
    })
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function lock(file: string, draft: string): Promise<FileHandle> {
  try {
    return await open(draft, 'wx', 0o600)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw writeError(file, error)
    throw new StartupError(`The key file ${file} is being changed.`, `If no other command is running, delete ${draft}.`)
  }
}

async function copyRights(file: string, handle: FileHandle): Promise<void> {
  await using original = await open(file, 'r')
  const { uid, gid, mode } = await original.stat()
  await handle.chown(uid, gid)
  await handle.chmod(mode & 0o777)
}

/** A rename survives a power cut only once the folder is on disk, too. */
async function syncFolder(file: string): Promise<void> {
  await using folder = await open(dirname(file), 'r')
  await folder.sync()
}

async function isThere(file: string): Promise<boolean> {
  return access(file, constants.F_OK).then(
    () => true,
    () => false,
  )
}

async function reportUnwritable(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw writeError(file, error)
  }
}

function writeError(file: string, error: unknown): StartupError {
  return new StartupError(
    `The key file ${file} cannot be written (${errorCode(error) || 'unknown error'}).`,
    `Check ${dirname(file)}.`,
  )
}

function unlessCode(code: string): (error: unknown) => void {
  return (error) => {
    if (errorCode(error) !== code) throw error
  }
}

/** A group may read the file, because an operator may intend that; only the owner may write it. */
function warningsOf(file: string, mode: number): readonly string[] {
  if ((mode & 0o027) === 0) return []
  const octal = (mode & 0o777).toString(8)
  return [`The key file ${file} can be read by other users of this machine (mode ${octal}); run: chmod 600 ${file}`]
}

function missingText(file: string): string {
  return [
    `Restore the key file of this database. For a new database create one and store a copy in another place: (umask 077;`,
    `printf '{"current":"k1","keys":{"k1":"%s"}}' "$(head -c 32 /dev/urandom | base64)" > ${file})`,
  ].join(' ')
}
