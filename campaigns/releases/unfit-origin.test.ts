import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Program } from '../stage/program.ts'
import { startOrigin, UnfitOrigin } from './unfit-origin.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-unfit-'))
})
after(() => rm(folder, { recursive: true }))

let programs = 0
async function startOf(code: string, readyWithinMs = 60_000): Promise<unknown> {
  programs += 1
  const script = join(folder, `program-${programs}.mjs`)
  await writeFile(script, code)
  const logFile = join(folder, `program-${programs}.log`)
  const program = new Program({ name: 'old', script: [script], env: {}, logFile, ready: /ready/, readyWithinMs })
  try {
    return await startOrigin(program).then(
      () => null,
      (error: unknown) => error,
    )
  } finally {
    await program.stop()
  }
}

test('a release whose code does not load with the packages of this checkout is unfit', async () => {
  for (const code of [
    `import { gone } from 'node:path'`,
    `import 'no-such-package'`,
    `import pg from 'node:path'\npg.Gone()`,
  ])
    assert.ok((await startOf(code)) instanceof UnfitOrigin, code)
})

test('what is wrong with the machine, the database or the sandbox is never an unfit release', async () => {
  const refused = `process.stderr.write('\\n  The database does not answer.\\n  Start it.\\n'); process.exit(1)`
  const full = `throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })`
  for (const code of [refused, full]) {
    const error = await startOf(code)
    assert.ok(error instanceof Error && !(error instanceof UnfitOrigin), code)
    assert.match(error.message, /old ended before it was ready/)
  }
  const slow = await startOf('setTimeout(() => {}, 60_000)', 200)
  assert.ok(slow instanceof Error && !(slow instanceof UnfitOrigin))
  assert.match(slow.message, /not ready within 0.2 s/)
})

test('a release that starts is fit', async () => assert.equal(await startOf(`console.log('ready')`), null))
