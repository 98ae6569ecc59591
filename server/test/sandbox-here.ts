/**
 * The sandbox inside the test's process, with the same records as the program. A separate process takes as long to start as a small test
 * file takes to run; the sandbox's own tests and the campaigns test it as a process that is killed and restarted.
 */
import { join } from 'node:path'
import { openServices } from '#sandbox/all/services.ts'
import { startServices } from '#sandbox/kit/program.ts'
import type { SandboxProcess } from '#server/demo/sandbox-process.ts'

/** `authority` is the folder of a wallet authority that several sandboxes share. */
export async function openSandboxHere(dataDir: string, authority: string): Promise<SandboxProcess> {
  const services = await openServices({
    folder: join(dataDir, 'sandbox'),
    authority,
    demo: join(dataDir, 'demo.json'),
  })
  const running = await startServices(services, 0, raise)
  let stopped: Promise<void> | null = null
  return {
    url: running.url,
    stop: () => {
      stopped ??= running.stop()
      return stopped
    },
  }
}

/** Thrown outside of every request, so that it fails the running test. */
function raise(fault: unknown): void {
  setImmediate(() => {
    throw fault
  })
}
