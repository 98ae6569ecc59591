/** The common environment of all mutants' tests: one PostgreSQL, its templates and a temporary folder that is removed after the run. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgetFurnished } from '../../server/test/shop-ground.ts'
import { ensureTemplate } from '../../server/test/template.ts'
import { startTestServer } from '../../server/test/test-server.ts'

export interface Ground {
  readonly env: Readonly<Record<string, string>>
  leave(): Promise<void>
}

export async function layGround(): Promise<Ground> {
  const server = await startTestServer()
  // A test that is ended at its first failure leaves its files behind.
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'))
  const run = join(folder, 'run')
  mkdirSync(run)
  await ensureTemplate(server.url)
  return {
    env: { GATEHOUSE_TEST_DATABASE: server.url, GATEHOUSE_TEST_RUN: run, TMPDIR: folder },
    leave: async () => {
      await forgetFurnished(server.url, run).catch(() => undefined)
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
