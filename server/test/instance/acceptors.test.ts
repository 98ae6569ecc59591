import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { type Acceptors, accept } from '#server/process/acceptors.ts'
import { portOf } from '../hosts/port-of.ts'

interface Scene {
  readonly app: FastifyInstance
  readonly acceptors: Acceptors
  readonly port: number
  /** The number of finished slow requests. */
  readonly finished: { readonly value: number }
  call(): Socket
}

async function openScene(context: TestContext, most = 4096, firstByteMs?: number): Promise<Scene> {
  const app = fastify()
  const finished = { value: 0 }
  app.get('/slow', async () => {
    await sleep(200)
    finished.value += 1
    return 'done'
  })
  app.server.maxConnections = most
  const acceptors = await accept(app, { host: '127.0.0.1', port: 0 }, { firstByteMs })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const sockets: Socket[] = []
  context.after(async () => {
    for (const socket of sockets) socket.destroy()
    await Promise.all([acceptors.close(), app.close()])
  })
  const call = (): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    sockets.push(socket)
    return socket
  }
  return { app, acceptors, port, finished, call }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map(portOf)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function waitUntil(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds() && tries < 2000; tries += 1) await sleep(5)
}

test('a connection on which the caller sends nothing is closed, one with an open request is not', async (context) => {
  const { call } = await openScene(context, 4096, 20)
  const busy = call()
  busy.write('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const silent = call().resume()
  await once(silent, 'close')
  const [answer] = await once(busy, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200/)
})

describe('acceptors', { skip: process.platform !== 'linux' }, () => {
  test('accept several connections per turn of the event loop', async (context) => {
    const { app, call } = await openScene(context)
    let accepted = 0
    app.server.on('connection', () => {
      accepted += 1
    })
    const callers = 64
    for (let number = 0; number < callers; number += 1) call()
    let iterations = 0
    for (; accepted < callers && iterations < 10_000; iterations += 1) {
      await nextIteration()
      // Clients connect while a turn takes long; in short turns each would be accepted as it comes.
      for (const until = performance.now() + 2; performance.now() < until; );
    }
    assert.equal(accepted, callers)
    assert.ok(iterations < callers, `${callers} callers were accepted in ${iterations} turns`)
  })

  test('do not take a port that another instance listens on', async (context) => {
    const { port } = await openScene(context)
    const second = fastify()
    context.after(() => second.close())
    await assert.rejects(accept(second, { host: '127.0.0.1', port }), { code: 'EADDRINUSE' })
  })

  test('give a port to one of two instances that start at the same moment', async (context) => {
    // Another program may take the port first: then both are refused, and another port decides.
    for (const port of await freePorts(5)) {
      const apps = [fastify(), fastify()]
      const starts = await Promise.allSettled(apps.map((app) => accept(app, { host: '127.0.0.1', port })))
      context.after(async () => {
        for (const start of starts) if (start.status === 'fulfilled') void start.value.close()
        await Promise.all(apps.map((app) => app.close()))
      })
      const states = starts.map(({ status }) => status).toSorted()
      if (states.every((status) => status === 'rejected')) continue
      assert.deepEqual(states, ['fulfilled', 'rejected'])
      return
    }
    assert.fail('Five free ports were taken by other programs.')
  })

  test('count the connections of all sockets together against the limit', async (context) => {
    const { call, app } = await openScene(context, 10)
    let dropped = 0
    app.server.on('drop', () => {
      dropped += 1
    })
    const sockets = Array.from({ length: 30 }, () => call())
    let open = 0
    for (const socket of sockets) {
      socket.on('connect', () => (open += 1)).on('close', () => (open -= 1))
      socket.resume()
    }
    await waitUntil(() => dropped === 20 && open === 10)
    assert.deepEqual({ dropped, open }, { dropped: 20, open: 10 })
  })

  test('close even if clients connected and sent nothing', { timeout: 20_000 }, async (context) => {
    const { app, acceptors, call } = await openScene(context)
    let accepted = 0
    app.server.on('connection', () => {
      accepted += 1
    })
    for (let number = 0; number < 16; number += 1) call().resume()
    await waitUntil(() => accepted === 16)
    await Promise.all([acceptors.close(), app.close()])
  })

  test('answer a request that has arrived on a kept connection when they shut', async (context) => {
    const { app, acceptors, call } = await openScene(context)
    const socket = call()
    const request = 'GET /slow HTTP/1.1\r\nhost: here\r\n\r\n'
    socket.write(request)
    await once(socket, 'data')
    // In one go, so that the server has not read the second request when it shuts.
    socket.write(request)
    const shut = acceptors.shut()
    const [answer] = await Promise.race([
      once(socket, 'data'),
      once(socket, 'close').then(() => assert.fail('The connection was closed without an answer.')),
    ])
    assert.match(String(answer), /^HTTP\/1\.1 200/)
    await Promise.all([shut, acceptors.close(), app.close()])
  })

  test('close only after every request is answered', async (context) => {
    const { app, acceptors, finished, call } = await openScene(context)
    const answers: string[] = []
    const sockets = Array.from({ length: 16 }, () => call())
    const ended = sockets.map((socket) =>
      once(
        socket.on('data', (data) => answers.push(String(data))),
        'close',
      ),
    )
    const begun = new Promise<void>((resolve) => {
      let count = 0
      app.server.on('request', () => {
        count += 1
        if (count === sockets.length) resolve()
      })
    })
    for (const socket of sockets) socket.write('GET /slow HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n')
    await begun
    await Promise.all([acceptors.close(), app.close()])
    assert.equal(finished.value, 16)
    await Promise.all(ended)
    assert.equal(answers.filter((answer) => answer.startsWith('HTTP/1.1 200') && answer.endsWith('done')).length, 16)
  })
})
