import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '../../../process/startup-error.ts'
import type { Cluster } from './cluster.ts'

// A socket's path is limited to about a hundred bytes, which many data folders exceed.
const folderLengthMax = 80

/**
 * The folder of the server's socket. Every account can write to its parent, so it is used only if it is a real folder that belongs to the
 * server's account and is closed to all others.
 */
export function socketFolder({ name, account }: Cluster): string {
  const preferred = join(tmpdir(), name)
  const folder = preferred.length <= folderLengthMax ? preferred : join('/tmp', name)
  const uid = account?.uid ?? process.getuid?.()
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined && account) {
    chownSync(folder, account.uid, account.gid)
  }

  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== uid) {
    throw new StartupError(
      `The folder ${folder} for the database socket belongs to another user.`,
      `Remove it, or set TMPDIR to a folder of your own.`,
    )
  }
  chmodSync(folder, 0o700)
  return folder
}
