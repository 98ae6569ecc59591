import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { hostAuthority, startTlsHost } from '../../../test/tls-host.ts'
import { type DomainCheckOptions, domainChecker } from './wallet-domain-check.ts'

const file = Buffer.from('7B2270737049644F6E6546696C65227D')
let path = ''
let answer: { status: number; headers?: Record<string, string>; body: string | Buffer } = { status: 200, body: file }
let silentFor = 0
let host: Awaited<ReturnType<typeof startTlsHost>>
before(async () => {
  host = await startTlsHost('shop.example', (request, response) => {
    path = `${request.headers.host} ${request.url}`
    const reply = () => response.writeHead(answer.status, answer.headers).end(answer.body)
    if (silentFor > 0) setTimeout(reply, silentFor)
    else reply()
  })
})
after(() => host.stop())

const loopback = async () => [{ address: '127.0.0.1', family: 4 }]

const options: DomainCheckOptions = { addresses: { allowPrivate: true, resolve: loopback }, timeoutMs: 2000 }

const check = (over: Partial<DomainCheckOptions> = {}, domain = 'shop.example') =>
  checkWith({ ...options, caPem: hostAuthority, port: host.port, ...over }, domain)

async function checkWith(all: DomainCheckOptions, domain: string) {
  const checker = domainChecker(all)
  try {
    return await checker.check(domain, file)
  } finally {
    await checker.close()
  }
}

test('a domain that serves the file at the well-known path passes', async () => {
  answer = { status: 200, body: file }
  assert.equal(await check(), null)
  assert.match(path, /^shop\.example:\d+ \/\.well-known\/apple-developer-merchantid-domain-association$/)
})

test('a trailing line break is accepted; other bytes are the fault body', async () => {
  answer = { status: 200, body: `${file}\n` }
  assert.equal(await check(), null)
  for (const body of ['other', Buffer.concat([file, file]), Buffer.alloc(70_000, 0x37)]) {
    answer = { status: 200, body }
    assert.equal(await check(), 'body')
  }
})

test('a redirect is not followed, and any other status is reported', async () => {
  answer = { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' }
  assert.equal(await check(), 'redirect')
  for (const status of [204, 404, 500]) {
    answer = { status, body: '' }
    assert.equal(await check(), `status:${status}`)
  }
})

test('a certificate of an unknown authority or for another name is the fault tls', async () => {
  answer = { status: 200, body: file }
  // The system's authorities do not include the sample authority.
  assert.equal(await checkWith({ ...options, port: host.port }, 'shop.example'), 'tls')
  assert.equal(await check({}, 'other.example'), 'tls')
})

test('a host that supports only TLS 1.1 is the fault tls', async () => {
  const old = await startTlsHost('old.example', () => {}, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' })
  assert.equal(await check({ port: old.port }, 'old.example'), 'tls')
  await old.stop()
})

test('no answer is the fault timeout', async () => {
  silentFor = 1000
  assert.equal(await check({ timeoutMs: 200 }), 'timeout')
  silentFor = 0
})

test('a closed port is the fault connect', async () => {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<number>()
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
  })
  assert.equal(await check({ port: await promise }), 'connect')
})

test('a name without an address, or with one in our own network, is the fault dns', async () => {
  const unknown = async () => {
    throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
  }
  assert.equal(await check({ addresses: { allowPrivate: true, resolve: unknown } }), 'dns')
  assert.equal(await check({ addresses: { allowPrivate: false, resolve: loopback } }), 'dns')
})

test('an IP address of our own network in place of a domain is not contacted, in any spelling', async () => {
  answer = { status: 200, body: file }
  for (const domain of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]']) {
    path = ''
    assert.equal(await check({ addresses: { allowPrivate: false, resolve: loopback } }, domain), 'dns', domain)
    assert.equal(path, '', domain)
  }
})
