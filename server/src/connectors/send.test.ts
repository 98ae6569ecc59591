import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { Dispatcher, Pool, RetryAgent } from 'undici'
import { send } from './send.ts'
import { WireFault } from './wire-fault.ts'

test('a request whose connection was reset is not sent again, although its dispatcher would', async (t) => {
  let received = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      received += 1
      socket.resetAndDestroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const pool = new Pool(`http://127.0.0.1:${port}`)
  const eager = new RetryAgent(pool, { methods: ['POST'], minTimeout: 1, maxRetries: 3 })
  t.after(async () => {
    await pool.destroy()
    server.close()
  })

  const request = { method: 'POST', path: '/charge', headers: {}, body: Buffer.from('amount=1') } as const
  const fault = await send(eager, request, { timeoutMs: 5_000, maxReplyBytes: 1_000 }).catch((error: unknown) => error)

  assert.ok(fault instanceof WireFault)
  assert.equal(fault.sent, true)
  assert.equal(received, 1)
})

test('an answer of exactly the allowed length is taken, and one byte more is refused', async (t) => {
  const server = createHttpServer((request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const pool = new Pool(`http://127.0.0.1:${port}`)
  t.after(async () => {
    await pool.destroy()
    server.close()
  })
  const ask = (length: number) =>
    send(
      pool,
      { method: 'GET', path: `/${length}`, headers: {}, body: null },
      { timeoutMs: 5_000, maxReplyBytes: 1_000 },
    )
  assert.equal((await ask(1_000)).bytes.length, 1_000)
  await assert.rejects(ask(1_001), /longer than 1000 bytes/)
})

test('a request that its dispatcher does not even take was not sent, and the fault says why', async () => {
  class Refusing extends Dispatcher {
    override dispatch(): boolean {
      throw new Error('not taken')
    }
  }
  const request = { method: 'GET', path: '/', headers: {}, body: null } as const
  const limits = { timeoutMs: 5_000, maxReplyBytes: 1_000 }
  const fault = await send(new Refusing(), request, limits).catch((error: unknown) => error)
  assert.ok(fault instanceof WireFault)
  assert.equal(fault.sent, false)
  assert.match(fault.message, /not taken/)
})
