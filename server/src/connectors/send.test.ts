import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { Pool, RetryAgent } from 'undici'
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

  const request = { method: 'POST', path: '/charge', headers: {}, body: 'amount=1' } as const
  const fault = await send(eager, request, { timeoutMs: 5_000, maxReplyBytes: 1_000 }).catch((error: unknown) => error)

  assert.ok(fault instanceof WireFault)
  assert.equal(fault.sent, true)
  assert.equal(received, 1)
})
