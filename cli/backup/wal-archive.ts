/**
 * The archive of the write-ahead log: one encrypted file per segment. If the server crashes before it notes a success, it sends the
 * segment again, so an identical one counts as archived. This machine cannot decrypt the archive; it compares with the fingerprint beside the file.
 *
 * The machines of one cluster share an archive, and each may bring the same segment at the same moment. After a fail-over the log continues on
 * a new timeline, under new names. All of them have the system identifier of the cluster, which the archive notes; another system is refused.
 */
import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '../kit/command-error.ts'
import { readEncrypted, writeEncrypted } from './backup-file.ts'

export async function archiveSegment(segment: string, folder: string, recipient: KeyObject): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await requireSystem(segment, folder)
  const name = basename(segment)
  const file = join(folder, `${name}.age`)
  const fingerprint = `${await hashFile(segment)}\n`
  const noted = join(folder, `${name}.sha256`)
  if (existsSync(file)) {
    if ((await readFile(noted, 'utf8').catch(() => '')) === fingerprint) return
    throw new CommandError(
      `${file} exists with other content.`,
      'Two servers that are not one cluster must not archive into one folder.',
    )
  }
  await writeWhole(noted, fingerprint)
  await writeEncrypted(file, {
    source: createReadStream(segment),
    recipient,
    complete: Promise.resolve(),
    // A machine that brings the same segment meanwhile must not rename our unfinished file.
    draft: draftOf(file),
  })
}

async function requireSystem(segment: string, folder: string): Promise<void> {
  const own = await readSystem(segment)
  if (own === null) return
  const noted = join(folder, 'system')
  if (!existsSync(noted)) await writeWhole(noted, `${own}\n`, groupReads)
  const theirs = (await readFile(noted, 'utf8')).trim()
  if (theirs === String(own)) return
  throw new CommandError(
    `${folder} is the archive of another database system (${theirs}; this one is ${own}).`,
    'Give each cluster a folder of its own. The machines of one cluster share theirs.',
  )
}

/** Where the first page of a segment has the system identifier, and the mark of a page that has one. */
const header = { flagsAt: 2, longFlag: 2, systemAt: 24, bytes: 32 } as const

/** Null for what is no segment: the history of a timeline, the label of a base backup. */
async function readSystem(segment: string): Promise<bigint | null> {
  if (!/^[0-9A-F]{24}(?:\.partial)?$/.test(basename(segment))) return null
  await using handle = await open(segment)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(header.bytes), 0, header.bytes, 0)
  if (bytesRead < header.bytes || (buffer.readUInt16LE(header.flagsAt) & header.longFlag) === 0) return null
  return buffer.readBigUInt64LE(header.systemAt)
}

/** Who makes the base backups may be another user of the folder's group, and cleans the archive by this note. */
const groupReads = 0o640

/** Written completely or not at all, even if another process writes the same file. */
async function writeWhole(file: string, content: string, mode = 0o600): Promise<void> {
  const draft = draftOf(file)
  await pipeline(Readable.from([content]), createWriteStream(draft, { mode: 0o600, flush: true }))
  // PostgreSQL forbids its group everything by its umask.
  await chmod(draft, mode)
  await rename(draft, file)
}

const draftOf = (file: string): string => `${file}.${randomBytes(6).toString('hex')}.part`

interface SegmentWish {
  readonly name: string
  readonly folder: string
  readonly target: string
  readonly identityFile: string
}

/** False if the archive does not have it, which the server takes as the end of the archive. */
export async function fetchSegment({ name, folder, target, identityFile }: SegmentWish): Promise<boolean> {
  const file = join(folder, `${name}.age`)
  if (!existsSync(file)) return false
  await rm(`${target}.part`, { force: true })
  await readEncrypted(file, identityFile, createWriteStream(`${target}.part`, { mode: 0o600, flush: true }))
  await rename(`${target}.part`, target)
  return true
}

const hashFile = (file: string): Promise<string> =>
  text(createReadStream(file).pipe(createHash('sha256').setEncoding('hex')))
