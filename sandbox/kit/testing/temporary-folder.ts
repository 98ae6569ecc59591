/** A folder for the records of a service under test; it is deleted after the test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-service-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
