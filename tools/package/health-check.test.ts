/** The health check of the image, against processes that serve, refuse, hang or are gone. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { after, test } from 'node:test'
import { root } from '../tidy/source-files.ts'
import { healthCheckOf, readDockerfile } from './testing/dockerfile.ts'

const servers: ReturnType<typeof createServer>[] = []
after(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

async function portOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? String(address.port) : assert.fail('There is no port.')
}

const answering = (status: number): Promise<string> =>
  portOf(({ url }, response) => response.writeHead(url === '/service/health' ? status : 404).end())

/** The program that the Dockerfile names, with the Node of this process. */
async function check(ports: Readonly<Record<string, string>>): Promise<unknown> {
  const [, ...args] = healthCheckOf(await readDockerfile())
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const child = execFile(process.execPath, args, { cwd: root, env: ports }, () => resolve(child.exitCode))
  return promise
}

test('the health check of the image succeeds only while its process serves', async () => {
  const [serving, refusing, hanging] = [await answering(200), await answering(503), await portOf(() => undefined)]
  const gone = await answering(200)
  await new Promise((resolve) => servers.at(-1)?.close(resolve))
  assert.deepEqual(
    await Promise.all([
      check({ PORT: serving }),
      check({ PORT: refusing }),
      check({ PORT: hanging }),
      check({ PORT: gone }),
    ]),
    [0, 1, 1, 1],
  )
})

test('the health check of a worker asks the port of the worker', async () => {
  const [serving, refusing] = [await answering(200), await answering(503)]
  assert.equal(await check({ PORT: refusing, WORKER_PORT: serving }), 0)
  assert.equal(await check({ PORT: serving, WORKER_PORT: refusing }), 1)
  assert.equal(await check({ PORT: serving, WORKER_PORT: '' }), 0)
})
