import assert from 'node:assert/strict'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { closeConnectionsWhileDraining, drain, drainState } from '#server/process/drain.ts'

const app = fastify()
app.decorate('draining', drainState())
closeConnectionsWhileDraining(app)
app.get('/', () => 'paid')
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
after(() => agent.destroy())

test('a request that arrives on an open connection while the process drains is answered, and the connection closed', async () => {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const before = await sendRequest(url)
  assert.deepEqual([before.body, before.reply.headers.connection], ['paid', 'keep-alive'])

  const ended = drain(app, 'SIGTERM').then(() => app.close())
  const meanwhile = await sendRequest(url)
  assert.deepEqual([meanwhile.body, meanwhile.reply.headers.connection], ['paid', 'close'])
  assert.equal(meanwhile.port, before.port, 'It came on the same connection.')
  await ended
  await assert.rejects(sendRequest(url), { code: 'ECONNREFUSED' })
})

test('a process that ends for its memory closes its port sooner', async () => {
  const full = fastify()
  full.decorate('draining', drainState())
  await full.listen({ host: '127.0.0.1', port: 0 })
  const begun = performance.now()
  await drain(full, 'memory')
  assert.ok(performance.now() - begun < 1500)
  assert.equal(full.draining.value, true)
  await full.close()
})

async function sendRequest(url: string) {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).on('error', reject)
  })
  const port = reply.socket.localPort
  return { reply, port, body: await text(reply) }
}
