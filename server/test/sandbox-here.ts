/**
 * The sandbox inside the process of the test, with the records it has as a program. A process of its own takes as long to start as a
 * small test file to run; that it can be one, be killed and come back is held by its own tests and by the campaigns.
 */
import { join } from 'node:path'
import { openCompanies } from '#sandbox/all/companies.ts'
import { openStreet } from '#sandbox/kit/program.ts'
import type { SandboxProcess } from '#server/demo/sandbox-process.ts'

/** `authority` is the folder of a wallet authority that several sandboxes share. */
export async function openSandboxHere(dataDir: string, authority: string): Promise<SandboxProcess> {
  const companies = await openCompanies({
    folder: join(dataDir, 'sandbox'),
    authority,
    demo: join(dataDir, 'demo.json'),
  })
  const street = await openStreet(companies, 0, raise)
  let stopped: Promise<void> | null = null
  return {
    url: street.url,
    stop: () => {
      stopped ??= street.stop()
      return stopped
    },
  }
}

/** Outside of every request, so that it fails the test that is running. */
function raise(fault: unknown): void {
  setImmediate(() => {
    throw fault
  })
}
