/** A disk of a few hundred megabytes in memory, which can be filled to the last byte and emptied again. Needs root on Linux. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const canMount = process.platform === 'linux' && process.getuid?.() === 0

export function mountSmallDisk(folder: string, megabytes: number): { unmount(): void } {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'gatehouse-campaign', folder])
  return { unmount: () => void execFileSync('umount', ['-l', folder]) }
}

const ballast = 'ballast'

/** Fills the disk completely. */
export function fillDisk(folder: string): void {
  const path = join(folder, ballast)
  const block = Buffer.alloc(1 << 20)
  try {
    for (;;) writeFileSync(path, block, { flag: 'a' })
  } catch {
    // The last block did not fit, as intended: the rest is filled page by page.
    fillRest(folder)
  }
}

function fillRest(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  const rest = join(folder, `${ballast}-rest`)
  try {
    writeFileSync(rest, Buffer.alloc(bavail * bsize))
  } catch {
    truncateSync(rest, 0)
  }
}

export function emptyDisk(folder: string): void {
  for (const name of [ballast, `${ballast}-rest`]) rmSync(join(folder, name), { force: true })
}
