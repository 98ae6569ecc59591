/**
 * One instance per data folder. A second one would share the sandbox's record and point the MIDs at its own sandbox, so it is refused
 * before it changes anything. The lock names a process; a dead process locks nothing.
 */

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from './programs/is-alive.ts'
import { isGatewayCommand } from './programs/program-file.ts'
import { StartupError } from './startup-error.ts'

export async function lockFolder(dataDir: string): Promise<() => Promise<void>> {
  const file = join(dataDir, 'gatehouse.pid')
  for (let tries = 0; tries < 2; tries += 1) {
    const written = await writeFile(file, String(process.pid), { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? false : Promise.reject(error)),
    )
    if (written) return () => rm(file, { force: true })
    const holder = Number(await readFile(file, 'utf8').catch(() => '0'))
    if (await isGatehouse(holder)) {
      throw new StartupError(
        `Gatehouse is already running on ${dataDir} (process ${holder}).`,
        'Stop it, or set DATA_DIR and PORT to start another instance.',
      )
    }
    await rm(file, { force: true })
  }
  throw new StartupError(
    `${file} could not be written.`,
    'Another instance is starting with the same folder. Try again.',
  )
}

/** The process id may belong to another program by now; where the system tells, only our own program counts. */
async function isGatehouse(pid: number): Promise<boolean> {
  if (pid <= 0 || pid === process.pid || !isAlive(pid)) return false
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
  return command === null || isGatewayCommand(command)
}
