/** The panel of a built program, which is loaded with the first visit. See decisions/processes#late-loading. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { testDatabase } from '../database.ts'
import { spawnGateway } from './gateway-process.ts'

describe('a process that serves payments and panel', () => {
  let folder: string
  let database: Awaited<ReturnType<typeof testDatabase>>
  let api: ReturnType<typeof spawnGateway>
  let url: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-panel-'))
    database = await testDatabase()
    const environment = { DATABASE_URL: database.url, DATA_DIR: folder, LOG_LEVEL: 'warn', PORT: '0' }
    api = spawnGateway(['api'], { environment })
    url = await Promise.race([readyAt(api.stdout), once(api, 'exit').then(() => assert.fail('The process ended.'))])
  })

  after(async () => {
    api.kill('SIGTERM')
    if (api.exitCode === null) await once(api, 'exit')
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  test('answers several first visits at once, each by its own endpoint', async () => {
    const [described, refused, unknown, wrong] = await Promise.all([
      fetch(`${url}/admin/api/openapi.json`),
      fetch(`${url}/admin/api/session`),
      fetch(`${url}/admin/api/nothing`),
      fetch(`${url}/admin/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-request-id': 'visit-4' },
        body: JSON.stringify({ email: 1 }),
      }),
    ])
    assert.equal(described.status, 200)
    assert.ok((await described.text()).includes('"operationId":"postSession"'))
    assert.equal(refused.status, 401)
    assert.equal(unknown.status, 404)
    assert.equal(wrong.status, 422)
    assert.equal(wrong.headers.get('x-request-id'), 'visit-4')
    assert.match(await wrong.text(), /"field":"email".*"requestId":"visit-4"/)
  })

  test('counts each visit once', async () => {
    await fetch(`${url}/admin/api/openapi.json`)
    const counted = async (): Promise<number> => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const counts = text.matchAll(/^gatehouse_http_requests_total\{[^}]*protocol="(?:admin|none)"[^}]*\} (\d+)$/gm)
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    }
    // The app that passes a visit on would count it without a protocol.
    const first = await counted()
    await fetch(`${url}/admin/api/openapi.json`)
    assert.equal(await counted(), first + 1)
  })
})

async function readyAt(output: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const part of output) {
    text += part.toString()
    const [, found] = /ready: (http:\S+)/.exec(text) ?? []
    if (found !== undefined) return found
  }
  return assert.fail(text)
}
