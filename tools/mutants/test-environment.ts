/** The common environment of all mutants' tests: one PostgreSQL, its templates and a temporary folder that is removed after the run. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dropDemoTemplate } from '../../server/test/shop-environment.ts'
import { ensureTemplate } from '../../server/test/template.ts'
import { startTestPostgres } from '../../server/test/test-postgres.ts'

export interface TestEnvironment {
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function openTestEnvironment(): Promise<TestEnvironment> {
  const server = await startTestPostgres()
  // A test that is ended at its first failure leaves its files behind.
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'))
  const run = join(folder, 'run')
  mkdirSync(run)
  await ensureTemplate(server.url)
  return {
    env: { GATEHOUSE_TEST_DATABASE: server.url, GATEHOUSE_TEST_RUN: run, TMPDIR: folder },
    close: async () => {
      await dropDemoTemplate(server.url, run).catch(() => undefined)
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
