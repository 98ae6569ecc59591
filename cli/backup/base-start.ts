/**
 * Where the log of a base backup begins, in a note beside the backup. The backup itself is encrypted for a key that is not on this machine,
 * so its label is read while it passes.
 */
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

const start = z.object({
  /** The first segment that a restore of the backup needs. */
  segment: z.string().regex(/^[0-9A-F]{24}$/),
  /** The system identifier: positions in the logs of two servers say nothing about each other. */
  system: z.string().regex(/^\d+$/),
})

type BaseStart = z.infer<typeof start>

/** `gatehouse-20261116T023000Z.base.start` */
export const startNoteOf = (backup: string): string => backup.replace(/\.age$/, '.start')

/** Null without a note, as of a backup of an earlier release or of another program, and for a damaged one. */
export async function readBaseStart(backup: string): Promise<BaseStart | null> {
  const text = await readFile(startNoteOf(backup), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return start.parse(JSON.parse(text))
  } catch {
    return null
  }
}

export async function writeBaseStart(backup: string, found: BaseStart): Promise<void> {
  const note = createWriteStream(startNoteOf(backup), { mode: 0o600, flush: true })
  await pipeline(Readable.from([`${JSON.stringify(found)}\n`]), note)
}

/** The label is the first file of the archive that pg_basebackup writes, a block that names it, then its text. */
const blockBytes = 512
const labelBytes = 4 * blockBytes

interface LabelTap {
  /** Returns everything that the source brings. */
  follow(source: Readable): Readable
  /** Null until the label has passed, and if it does not come first. */
  segment(): string | null
}

export function tapLabel(): LabelTap {
  let head = Buffer.alloc(0)
  const stream = new Transform({
    transform(data: Buffer, _encoding, done) {
      if (head.length < labelBytes) head = Buffer.concat([head, data.subarray(0, labelBytes - head.length)])
      done(null, data)
    },
  })
  return {
    follow: (source) => {
      source.once('error', (error) => stream.destroy(error))
      return source.pipe(stream)
    },
    segment: () => segmentIn(head),
  }
}

function segmentIn(head: Buffer): string | null {
  if (!head.subarray(0, blockBytes).toString('latin1').startsWith('backup_label\0')) return null
  const label = head.subarray(blockBytes).toString('latin1')
  return /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(label)?.[1] ?? null
}
