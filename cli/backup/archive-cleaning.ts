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
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '#domain/error-code.ts'
import { CommandError } from '../kit/command-error.ts'
import { listBackups } from './backup-file.ts'
import { readBaseStart, startNoteOf } from './base-start.ts'

const pollMs = 250

interface Cleaning {
  readonly archive: string
  /** The folder of the base backups that are kept. */
  readonly bases: string
  readonly isDryRun: boolean
  /** How long the start of the oldest may still be on its way: a base backup is complete before the server has archived the segment in which it was made. */
  readonly archivedWithinMs?: number
}

interface Cleaned {
  /** The oldest segment that a kept base backup needs. */
  readonly oldest: string
  /** The segments, each once, whatever files it has. */
  readonly segments: readonly string[]
}

export async function cleanArchive({ archive, bases, isDryRun, archivedWithinMs = 0 }: Cleaning): Promise<Cleaned> {
  const system = await readArchivedSystem(archive)
  const starts = await readStarts(bases, system)
  const oldest = starts.reduce((first, one) => (positionOf(one) < positionOf(first) ? one : first))
  // Without it either the folder is another archive, or the log has a gap: what is older might be all there is.
  if (!(await waitForFile(join(archive, `${oldest}.age`), archivedWithinMs)))
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

async function waitForFile(file: string, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < withinMs && !existsSync(file); waitedMs += pollMs) await sleep(pollMs)
  return existsSync(file)
}

async function readArchivedSystem(archive: string): Promise<string> {
  const note = join(archive, 'system')
  const text = await readFile(note, 'utf8').catch((error: unknown) => {
    // Releases before wrote it for the user of PostgreSQL alone.
    if (errorCode(error) === 'EACCES')
      throw doubt(`${note} cannot be opened: access is denied.`, `Let its group read it ("chmod g+r ${note}").`)
    return null
  })
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
