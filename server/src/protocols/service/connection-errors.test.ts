import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import fastify from 'fastify'
import { refuseAddress, refuseConnection } from './connection-errors.ts'

const app = fastify({
  clientErrorHandler: refuseConnection,
  frameworkErrors: refuseAddress,
  requestTimeout: 40,
  http: { headersTimeout: 30, connectionsCheckingInterval: 20 },
})
app.post('/post', async () => 'taken')

before(() => app.listen({ host: '127.0.0.1', port: 0 }))
after(() => app.close())

async function answerTo(request: string): Promise<{ readonly head: string; readonly body: unknown }> {
  const address = app.server.address()
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(request)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { head: head.split('\r\n')[0] ?? '', body: JSON.parse(body) }
}

const errorOf = (message: string, row: string) => ({
  result: 'ERROR',
  error_code: 100000,
  error_message: message,
  errors: [{ error_code: 100000, error_message: row }],
})

// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [what: string, request: string, status: string, message: string, row: string])[] = [
  ['no HTTP at all',              'hello\r\n\r\n',                                                       '400 Bad Request',                     'Request data is invalid.', 'This is not a valid HTTP request.'],
  ['headers without an end',      'POST /post HTTP/1.1\r\nhost: a\r\n',                                  '408 Request Timeout',                 'Request data is invalid.', 'The request was not complete in time.'],
  ['headers above the limit',     `POST /post HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,  '431 Request Header Fields Too Large', 'Request is too large.',    'The headers are too large.'],
  ['an address that is no UTF-8', 'GET /%ff HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',           '400 Bad Request',                     'Request data is invalid.', 'The address is not valid.'],
]

for (const [what, request, status, message, row] of cases) {
  test(`${what} is answered with ${status.slice(0, 3)} and our error body`, async () => {
    const { head, body } = await answerTo(request)
    assert.equal(head, `HTTP/1.1 ${status}`)
    assert.deepEqual(body, errorOf(message, row))
  })
}
