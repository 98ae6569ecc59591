/**
 * The archive of the write-ahead log: one encrypted file per segment. The server repeats a segment whose success it has not noted, so an
 * identical one counts as archived. The fingerprint beside it tells, because nothing here can decrypt what was written before.
 */
import { createHash, type KeyObject } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '../kit/command-error.ts'
import { readEncrypted, writeEncrypted } from './backup-file.ts'

export async function archiveSegment(segment: string, folder: string, recipient: KeyObject): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = basename(segment)
  const file = join(folder, `${name}.age`)
  const fingerprint = `${await digestOf(segment)}\n`
  const noted = join(folder, `${name}.sha256`)
  if (existsSync(file)) {
    if ((await readFile(noted, 'utf8').catch(() => '')) === fingerprint) return
    throw new CommandError(`${file} exists with other content.`, 'Two servers must not archive into one folder.')
  }
  await pipeline(Readable.from([fingerprint]), createWriteStream(`${noted}.part`, { mode: 0o600, flush: true }))
  await rename(`${noted}.part`, noted)
  await writeEncrypted(file, { source: createReadStream(segment), recipient, complete: Promise.resolve() })
}

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

const digestOf = (file: string): Promise<string> =>
  text(createReadStream(file).pipe(createHash('sha256').setEncoding('hex')))
