/**
 * Deletes archived segments of the log that no kept base backup needs. A restore needs the log from the start of its base backup on, along its
 * timeline and the later ones; positions go on across timelines, so the position alone decides, whatever the timeline of a segment. The oldest
 * position counts and not the oldest backup: a server that was restored to a moment begins behind the backups that it made before.
 *
 * Histories of timelines stay, because they are small and every later restore follows them. In doubt nothing is deleted.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { CommandError } from '../kit/command-error.ts'
import { listBackups } from './backup-file.ts'
import { readBaseStart, startNoteOf } from './base-start.ts'

interface Cleaning {
  readonly archive: string
  /** The folder of the base backups that are kept. */
  readonly bases: string
  readonly isDryRun: boolean
}

interface Cleaned {
  /** The oldest segment that a kept base backup needs. */
  readonly oldest: string
  /** The segments, each once, whatever files it has. */
  readonly segments: readonly string[]
}

export async function cleanArchive({ archive, bases, isDryRun }: Cleaning): Promise<Cleaned> {
  const system = await readArchivedSystem(archive)
  const starts = await readStarts(bases, system)
  const oldest = starts.reduce((first, one) => (positionOf(one) < positionOf(first) ? one : first))
  // Without it either the folder is another archive, or the log has a gap: what is older might be all there is.
  if (!existsSync(join(archive, `${oldest}.age`)))
    throw doubt(
      `${archive} does not have ${oldest}, with which the oldest base backup begins.`,
      'Check that the folder is the archive of these backups.',
    )
  const files = (await readdir(archive)).flatMap((file) => {
    const segment = segmentOf(file)
    return segment !== null && positionOf(segment) < positionOf(oldest) ? [{ file, segment }] : []
  })
  // The oldest first, and a segment before its fingerprint, so that an interrupted cleaning leaves no gap.
  const outdated = files.toSorted((a, b) => (positionOf(a.segment) + a.file < positionOf(b.segment) + b.file ? -1 : 1))
  if (!isDryRun) for (const { file } of outdated) await rm(join(archive, file))
  return { oldest, segments: [...new Set(outdated.map(({ segment }) => segment))] }
}

async function readArchivedSystem(archive: string): Promise<string> {
  const text = await readFile(join(archive, 'system'), 'utf8').catch(() => null)
  if (text !== null) return text.trim()
  throw doubt(
    `${archive} does not say of which server it is the archive.`,
    'Give the folder that "gatehouse backup wal" writes.',
  )
}

async function readStarts(bases: string, system: string): Promise<readonly [string, ...string[]]> {
  const names = await listBackups(bases, 'base').catch(() => [])
  const starts: string[] = []
  for (const name of names) {
    const start = await readBaseStart(join(bases, name))
    if (start === null)
      throw doubt(
        `${name} has no note ${basename(startNoteOf(name))} of where its log begins.`,
        'Earlier releases wrote none. Wait until the backup is outdated, or move it to another folder.',
      )
    if (start.system !== system)
      throw doubt(
        `${name} is a backup of another server (${start.system}) than the archive (${system}).`,
        'Keep the base backups of each server in a folder of their own.',
      )
    starts.push(start.segment)
  }
  const [first, ...others] = starts
  if (first === undefined)
    throw doubt(`${bases} has no base backup.`, 'Make one with "gatehouse backup base" into this folder.')
  return [first, ...others]
}

const doubt = (text: string, remedy: string): CommandError => new CommandError(text, `${remedy} Nothing was deleted.`)

/** Null for histories of timelines and what is no file of a segment. A `.backup` only notes when a base backup was made. */
const segmentOf = (file: string): string | null =>
  /^([0-9A-F]{24})(?:\.partial|\.[0-9A-F]{8}\.backup)?\.(?:age|sha256)$/.exec(file)?.[1] ?? null

/** Without the timeline; the order of texts is the order of positions. */
const positionOf = (segment: string): string => segment.slice(8)
