import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '../../../process/startup-error.ts'
import type { Cluster } from './cluster.ts'

// The system allows a socket's path about a hundred bytes, fewer than many a data folder's.
const folderLengthMax = 80

/**
 * The folder of the server's socket. Everybody may write where it lies, so it is used only when it is a real folder that
 * belongs to the server's account, to which it is open alone.
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
