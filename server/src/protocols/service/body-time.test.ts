import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { fastify } from 'fastify'
import { limitBodies } from './body-time.ts'

const limitMs = 50
const app = fastify()
limitBodies(app, limitMs)
app.post('/', () => 'answer')
after(() => app.close())

test('a body that does not arrive in time is refused, and its connection closed', async () => {
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\nhalf')
  assert.match(await text(socket), /^HTTP\/1\.1 408 /)
})

test('a request without a connection, which has its body with it, is not limited', async (t) => {
  const faults: unknown[] = []
  const note = (fault: unknown): void => void faults.push(fault)
  process.on('uncaughtException', note)
  t.after(() => process.off('uncaughtException', note))
  const { body } = await app.inject({
    method: 'POST',
    url: '/',
    payload: 'whole',
    headers: { 'content-type': 'text/plain' },
  })
  assert.equal(body, 'answer')
  await pass(2 * limitMs)
  assert.deepEqual(faults, [])
})
