/** What a process with the role worker serves. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '../database.ts'
import { spawnGateway } from './gateway-process.ts'

test('a worker serves health and metrics on WORKER_PORT, and neither panel nor payments', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-worker-'))
  const database = await testDatabase()
  const port = await freePort()
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    WORKER_PORT: String(port),
  }
  const worker = spawnGateway(['worker'], { environment })
  t.after(async () => {
    worker.kill('SIGTERM')
    if (worker.exitCode === null) await once(worker, 'exit')
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const ready: unknown[] = await Promise.race([once(worker.stdout, 'data'), once(worker, 'exit').then(() => ['ended'])])
  assert.match(String(ready[0]), /worker is ready/)

  const get = async (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  assert.match(await (await get('/service/health')).text(), /"parts":\{"database":"ok"/)
  assert.match(await (await get('/metrics')).text(), /^gatehouse_callbacks_total\{event="delivered"\} 0$/m)
  for (const path of ['/admin', '/admin/api/session', '/post', '/auth/x'])
    assert.equal((await get(path)).status, 404, path)
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : assert.fail('There is no port.')
}
