/** A job that no worker starts is never done, and nothing else would notice: every file of this folder that runs due work is compared. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openShop } from '../../test/shop.ts'

const shop = await openShop({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'gatehouse@example.com' }, ['back office'])
after(() => shop[Symbol.asyncDispose]())

test('a worker starts every job of due/ once, each under its own name', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const sources = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', 'due-work.ts'] })
  const written = sources
    .map((path) => readFileSync(folder + path, 'utf8'))
    .flatMap((code) =>
      [...code.matchAll(/(?:runDueWork(?:<\w+>)?|runStatementJob)\(\{\s+name: '([^']+)'/g)].map(([, name]) => name),
    )
  const started = shop.service.workers.map(({ name }) => name)
  assert.ok(written.length > 10)
  assert.deepEqual(
    written.filter((name) => !started.some((one) => one === name)),
    [],
  )
  assert.equal(new Set(started).size, started.length)
})
