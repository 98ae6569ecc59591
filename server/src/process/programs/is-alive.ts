import { errorCode } from '#domain/error-code.ts'

/** True if a process with the id runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: alive, but owned by another user.
    return errorCode(error) === 'EPERM'
  }
}
