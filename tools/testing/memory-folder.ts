/**
 * A folder in memory for what a whole run writes. Each test file gets a database of its own, which is some 800 small files; creating them
 * takes a quarter of the processor time there that it takes on a disk.
 */

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '#server/process/programs/is-alive.ts'

const shared = '/dev/shm'
const prefix = 'gatehouse-run-'
/** A whole run writes less than a gigabyte. Containers often have 64 MB. */
const neededBytes = 4e9

interface MemoryFolder {
  readonly path: string
  remove(): void
}

/** Null where the system has none, or too small a one, or one from which no program can be started. */
export function openMemoryFolder(): MemoryFolder | null {
  if (!isUsable()) return null
  for (const name of readdirSync(shared)) if (isLeftOver(name)) remove(join(shared, name))
  const path = mkdtempSync(join(shared, `${prefix}${process.pid}-`))
  // As /tmp: the database of a run that root began belongs to another user.
  chmodSync(path, 0o1777)
  return { path, remove: () => remove(path) }
}

function isUsable(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, folder]) => folder === shared)
    const [, , kind, options = ''] = mount ?? []
    if (kind !== 'tmpfs' || options.split(',').includes('noexec')) return false
    const { bavail, bsize } = statfsSync(shared)
    return bavail * bsize >= neededBytes && freeMemoryBytes() >= neededBytes
  } catch {
    return false
  }
}

/** The size of the folder says nothing about memory that other programs use. */
function freeMemoryBytes(): number {
  const [, kilobytes = '0'] = /^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** Of a run that was killed. */
function isLeftOver(name: string): boolean {
  const [, pid] = /^gatehouse-run-(\d+)-/.exec(name) ?? []
  return pid !== undefined && !isAlive(Number(pid))
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
