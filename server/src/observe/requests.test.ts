import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { appLogOptions, createLog } from './log.ts'
import type { Metrics, RequestSample } from './metrics.ts'
import { noteRequest, observeRequests } from './requests.ts'

const merchantId = '0196f0c2-1111-7000-8000-000000000001'
const transId = '0196f0c2-1111-7000-8000-000000000002'

function build() {
  const lines: string[] = []
  const samples: RequestSample[] = []
  const log = createLog({ destination: { write: (line) => void lines.push(line) } })
  const metrics: Metrics = {
    gate: { countAdmitted: () => assert.fail(), countRefused: () => assert.fail() },
    request: (sample) => void samples.push(sample),
    exchange: () => assert.fail(),
    callback: () => assert.fail(),
    refusedToken: () => assert.fail(),
    notification: () => assert.fail(),
    missingButton: () => assert.fail(),
    breakerOpened: () => assert.fail(),
    composeText: async () => '',
    contentType: 'text/plain',
  }
  let next = 0
  const ids = { next: () => `generated-${++next}`, random: () => '' }

  const app: FastifyInstance = Fastify(appLogOptions(log))
  observeRequests(app, { log, metrics, ids })
  app.post('/post', (request, reply) => {
    noteRequest(request, { protocol: 's2s-card', action: 'SALE' })
    noteRequest(request, { merchantId, transId, result: 'SUCCESS' })
    void reply.send({ ok: true })
  })
  app.get('/session/:token', (_request, reply) => void reply.send({ ok: true }))
  app.get('/fault', () => {
    throw new Error('broken by 4111111111111111')
  })
  return { app, lines, samples, parsed: () => lines.map((line) => JSON.parse(line)) }
}

describe('every request', () => {
  test('leaves one line that says what it was and how it ended', async () => {
    const { app, parsed } = build()
    await app.inject({ method: 'POST', url: '/post?x=1', headers: { 'x-request-id': 'abc-1' } })
    const [{ time, ms, ...line }, ...rest] = parsed()
    assert.deepEqual(rest, [])
    assert.ok(typeof ms === 'number' && ms >= 0 && time)
    assert.deepEqual(line, {
      level: 'info',
      method: 'POST',
      route: '/post',
      status: 200,
      requestId: 'abc-1',
      protocol: 's2s-card',
      action: 'SALE',
      merchantId,
      transId,
      result: 'SUCCESS',
      msg: 'request',
    })
  })

  test('is counted by protocol, action and result', async () => {
    const { app, samples } = build()
    await app.inject({ method: 'POST', url: '/post' })
    await app.inject('/session/x')
    await app.inject('/nowhere')
    assert.deepEqual(
      samples.map(({ protocol, action, result }) => [protocol, action, result]),
      [
        ['s2s-card', 'SALE', 'SUCCESS'],
        ['none', 'none', '2xx'],
        ['none', 'none', '4xx'],
      ],
    )
    assert.ok(samples.every(({ seconds }) => seconds >= 0 && seconds < 10))
  })

  test('is logged by its route, so that tokens in the path and query strings are not', async () => {
    const { app, lines, parsed } = build()
    await app.inject('/session/tok123?card_number=4111111111111111')
    await app.inject('/tok123/unknown?card_number=4111111111111111')
    assert.deepEqual(
      parsed().map(({ route, status }) => [route, status]),
      [
        ['/session/:token', 200],
        ['none', 404],
      ],
    )
    assert.ok(!lines.join('').includes('tok123') && !lines.join('').includes('card_number'))
  })

  test('that fails is an error in the log, with the fault under the same id', async () => {
    const { app, lines, parsed } = build()
    const answer = await app.inject('/fault')
    assert.equal(answer.statusCode, 500)
    const [fault, line] = parsed()
    assert.deepEqual([fault.err.type, fault.requestId], ['Error', 'generated-1'])
    assert.deepEqual([line.level, line.status, line.requestId], ['error', 500, 'generated-1'])
    assert.ok(!lines.join('').includes('4111111111111111'))
  })

  test('whose caller disconnects still leaves one line and one count', async () => {
    const { app, samples, parsed } = build()
    const running = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    app.get('/slow', async (request) => {
      noteRequest(request, { protocol: 's2s-card', action: 'CAPTURE' })
      running.resolve()
      await release.promise
      return {}
    })
    const socket = await get(app, '/slow')
    await running.promise
    socket.destroy()
    await until(() => samples.length > 0)
    release.resolve()
    await app.close()
    assertAborted(parsed(), samples)
  })

  test('that is cut off without an answer leaves one line and one count', async () => {
    const { app, samples, parsed } = build()
    app.get('/cut', (request, reply) => {
      noteRequest(request, { protocol: 's2s-card', action: 'CAPTURE' })
      reply.hijack()
      request.raw.socket.destroy()
    })
    await get(app, '/cut')
    await until(() => samples.length > 0)
    await app.close()
    assertAborted(parsed(), samples)
  })

  test('that was answered leaves no second line when the connection closes', async () => {
    const { app, samples, parsed } = build()
    const socket = await get(app, '/session/x')
    await until(() => samples.length > 0)
    socket.destroy()
    await app.close()
    assert.deepEqual(
      samples.map(({ result }) => result),
      ['2xx'],
    )
    assert.equal(parsed().filter(({ msg }) => msg === 'request').length, 1)
  })

  function assertAborted(lines: readonly Record<string, unknown>[], samples: readonly RequestSample[]): void {
    const requests = lines.filter(({ msg }) => msg === 'request')
    assert.deepEqual(
      requests.map(({ aborted, status, action }) => [aborted, status, action]),
      [[true, undefined, 'CAPTURE']],
    )
    assert.deepEqual(
      samples.map(({ result }) => result),
      ['aborted'],
    )
  }
})

async function get(app: FastifyInstance, path: string): Promise<Socket> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  assert.ok(typeof address === 'object' && address)
  const socket = connect(address.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return socket
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe('the request id', () => {
  const idFor = async (sent: string | undefined) => {
    const { app, parsed } = build()
    const answer = await app.inject({ url: '/session/x', headers: sent === undefined ? {} : { 'x-request-id': sent } })
    assert.equal(parsed()[0].requestId, answer.headers['x-request-id'])
    return answer.headers['x-request-id']
  }

  test('is created if none is sent, and returned in the header', async () => {
    assert.equal(await idFor(undefined), 'generated-1')
  })

  for (const sent of ['a', 'trace_1.2-3', transId, '2702ae0c4f99506dc29b5615ba9ee3c0', 'x'.repeat(64)])
    test(`of the caller is used if it is valid: ${sent}`, async () => assert.equal(await idFor(sent), sent))

  for (const sent of ['', 'a b', 'a\tb', '{"a":1}', 'é', 'x'.repeat(65), '4111111111111111', 'f5d6a0ab'.repeat(8)])
    test(`of the caller is replaced if it is not: ${JSON.stringify(sent)}`, async () =>
      assert.equal(await idFor(sent), 'generated-1'))
})

test('a note on an unobserved request changes nothing', async () => {
  const app = Fastify()
  app.get('/', (request, reply) => {
    noteRequest(request, { action: 'SALE' })
    void reply.send('fine')
  })
  assert.equal((await app.inject('/')).body, 'fine')
})
