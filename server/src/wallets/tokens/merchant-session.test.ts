/** Chapter 40 §16, steps 3 to 6, against a session service of the test. */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { hostAuthority, startTlsHost } from '../../../test/tls-host.ts'
import { askForSession, type SessionQuestion } from './merchant-session.ts'
import { leaf, pem, reissue } from './testing/authority.ts'
import { labelledKey } from './testing/keys.ts'

const session = '{"nonce":"1",  "signature":"308"}'
let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.end(session)
let host: Awaited<ReturnType<typeof startTlsHost>>
before(async () => {
  host = await startTlsHost('localhost', (request, response) => answer(request, response), {
    requestCert: true,
    rejectUnauthorized: false,
  })
})
after(() => host.stop())

const key = labelledKey('identity')
const question = (over: Partial<SessionQuestion> = {}): SessionQuestion => ({
  url: `https://localhost:${host.port}/paymentSession`,
  caPem: hostAuthority,
  certificatePem: pem(reissue(leaf, { key }).der),
  privateKey: key.privateKey,
  merchantIdentifier: 'merchant.example',
  displayName: 'Shop',
  domain: 'shop.example',
  ...over,
})

test('a session request uses the identity pair and the documented body, and the answer is returned unchanged', async () => {
  let seen: unknown
  answer = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { socket } = request
      const peer = socket instanceof TLSSocket ? socket.getPeerCertificate().subject.CN : null
      seen = [request.method, peer, JSON.parse(Buffer.concat(chunks).toString())]
      response.end(session)
    })
  }
  assert.deepEqual(await askForSession(question()), { ok: true, session })
  const body = {
    merchantIdentifier: 'merchant.example',
    displayName: 'Shop',
    initiative: 'web',
    initiativeContext: 'shop.example',
  }
  assert.deepEqual(seen, ['POST', 'Sample Leaf', body])
})

test('a redirect is not followed, and anything but 200 with an object is a fault', async () => {
  let calls = 0
  for (const [status, body, fault] of [
    [302, '', 'it answered 302'],
    [400, session, 'it answered 400'],
    [200, '[]', 'the answer is no object'],
    [200, 'x', 'the answer is no object'],
    [200, ' '.repeat(70_000), 'the answer is too long'],
  ] as const) {
    answer = (_request, response) => {
      calls += 1
      response.writeHead(status, { location: 'https://localhost:1/' }).end(body)
    }
    assert.deepEqual(await askForSession(question()), { ok: false, fault })
  }
  assert.equal(calls, 5)
})

test('a server that is not the wallet provider’s gets no request', async () => {
  let calls = 0
  answer = (_request, response) => {
    calls += 1
    response.end(session)
  }
  assert.ok(!(await askForSession(question({ caPem: null }))).ok)
  assert.ok(!(await askForSession(question({ url: `https://127.0.0.1:${host.port}/` }))).ok)
  assert.equal(calls, 0)
})

test('a service that supports only TLS 1.1 gets no request', async () => {
  const old = await startTlsHost('localhost', () => assert.fail('asked'), {
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
  })
  assert.ok(!(await askForSession(question({ url: `https://localhost:${old.port}/` }))).ok)
  await old.stop()
})

test('a failed connection is retried exactly once', async () => {
  let tries = 0
  const broken = createServer((socket: Socket) => {
    tries += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  const address = broken.address()
  const port = typeof address === 'object' ? address?.port : 0
  assert.ok(!(await askForSession(question({ url: `https://localhost:${port}/` }))).ok)
  assert.equal(tries, 2)
  broken.close()
})

test('a service that does not answer is abandoned after the timeout', async () => {
  answer = () => {}
  assert.deepEqual(await askForSession(question(), 50), { ok: false, fault: 'no answer in time' })
})
