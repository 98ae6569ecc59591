/** The panel on its own listener: always on a live instance, optional in a sandbox. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, mock, test } from 'node:test'
import { portOf } from '../../hosts/port-of.ts'
import { makeUser, PanelClient } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

const keys = { current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } }
const live = await openShop({
  GATEHOUSE_MODE: 'live',
  GATEHOUSE_KEYS: JSON.stringify(keys),
  ADMIN_PORT: '0',
  ADMIN_URL: 'https://panel.example',
})
const sandbox = await openShop({ ADMIN_PORT: '0', MAX_CONNECTIONS: '32' }, ['back office'])
after(() => Promise.all([live, sandbox].map((shop) => shop[Symbol.asyncDispose]())))

const panelOf = ({ service }: Shop) => service.adminApp ?? assert.fail('There is no listener of the panel.')
const requestPanel = (shop: Shop, url: string, headers: Readonly<Record<string, string>> = {}) =>
  panelOf(shop).inject({ url, headers: { host: 'panel.example', ...headers } })

describe('a live instance', () => {
  test('serves neither panel nor metrics on the payment port, and only the status of health', async () => {
    for (const path of ['/admin', '/admin/api/session', '/admin/payments', '/metrics'])
      assert.equal((await live.service.app.inject(path)).statusCode, 404, path)
    assert.equal((await live.service.app.inject('/service/health')).body, '{"status":"healthy"}')
    assert.equal((await live.service.app.inject('/service/alive')).statusCode, 200)
  })

  test('serves panel, metrics and the details of health on the panel’s listener, and no payments', async () => {
    assert.equal((await requestPanel(live, '/admin')).statusCode, 200)
    assert.equal((await requestPanel(live, '/admin/api/session')).statusCode, 401)
    assert.match((await requestPanel(live, '/metrics')).body, /gatehouse/)
    assert.ok((await requestPanel(live, '/service/health')).json().parts)
    assert.equal((await requestPanel(live, '/')).headers['location'], '/admin')
    for (const path of ['/post', '/api/v1/session', '/auth/x', '/sdk/pay-session.js', '/hosted-fields/card'])
      assert.equal((await requestPanel(live, path)).statusCode, 404, path)
  })

  test('the log says once that a proxy is missing in TRUSTED_PROXIES', async (t) => {
    const warn = mock.method(live.base.log, 'warn')
    t.after(() => warn.mock.restore())
    const ask = (headers: Readonly<Record<string, string>>) =>
      live.service.app.inject({ url: '/service/alive', headers, remoteAddress: '10.0.7.20' })
    const lines = () => warn.mock.calls.filter(({ arguments: [, text] }) => /TRUSTED_PROXIES/.test(String(text)))
    await ask({})
    assert.deepEqual(lines(), [])
    for (const payer of ['198.51.100.1', '198.51.100.2']) await ask({ 'x-forwarded-for': payer })
    assert.deepEqual(
      lines().map(({ arguments: [fields] }) => fields),
      [{ address: '10.0.7.20' }],
    )
  })

  test('the panel answers only to its own host name', async () => {
    const elsewhere = { host: 'attacker.example' }
    assert.equal((await requestPanel(live, '/admin', elsewhere)).statusCode, 404)
    assert.equal((await requestPanel(live, '/admin/api/session', elsewhere)).statusCode, 404)
  })

  test('a page of another origin can neither read nor change anything in the panel', async () => {
    const foreign = [
      { origin: 'https://pay.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign)
      assert.equal((await requestPanel(live, '/admin/api/session', headers)).statusCode, 403, JSON.stringify(headers))
    const own = { origin: 'https://panel.example', 'sec-fetch-site': 'same-origin' }
    assert.equal((await requestPanel(live, '/admin/api/session', own)).statusCode, 401)
  })

  test('passkeys are bound to the panel’s public address', async () => {
    const challenge = await panelOf(live).inject({
      method: 'POST',
      url: '/admin/api/session/passkey/challenge',
      headers: { host: 'panel.example', 'content-type': 'application/json' },
      payload: {},
    })
    assert.equal(challenge.statusCode, 200, challenge.body)
    assert.match(challenge.body, /"rpId":"panel\.example"/)
  })
})

describe('a sandbox with ADMIN_PORT', () => {
  test('has its panel there, where users sign in, and not on the payment port', async () => {
    const panel = panelOf(sandbox)
    const url = await panel.listen({ host: '127.0.0.1', port: 0 })
    const browser = new PanelClient(url)
    assert.equal((await browser.signIn(await makeUser(sandbox))).http, 200)
    assert.equal((await browser.get('/session')).http, 200)
    assert.equal((await fetch(`${sandbox.url}/admin`)).status, 404)
    assert.equal((await fetch(`${sandbox.url}/metrics`)).status, 200)
    const phone = await fetch(`${url}/simulator/phone`, { redirect: 'manual' })
    assert.equal(phone.headers.get('location'), `${sandbox.url}/simulator/phone`)
  })
})

describe('each listener', () => {
  /** Resolves when one of them was closed by the listener. */
  const holdIdle = async (url: string, count: number): Promise<void> => {
    const { hostname, port } = new URL(url)
    const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).resume())
    await Promise.race(sockets.map((socket) => once(socket, 'close')))
    for (const socket of sockets) socket.destroy()
  }

  test('closes idle connections of one caller beyond a quarter of its own, and the log and the metrics say so', async (t) => {
    const warn = mock.method(sandbox.base.log, 'warn')
    t.after(() => warn.mock.restore())
    const panel = panelOf(sandbox)
    if (!panel.server.listening) await panel.listen({ host: '127.0.0.1', port: 0 })
    await holdIdle(sandbox.url, 16)
    await holdIdle(`http://127.0.0.1:${portOf(panel.server)}`, 80)
    const lines = warn.mock.calls.map(({ arguments: [, line] }) => String(line))
    assert.deepEqual(
      lines.filter((line) => /idle connections/.test(line)).map((line) => /\d+/.exec(line)?.[0]),
      ['8', '64'],
    )
    assert.match((await requestPanel(sandbox, '/metrics')).body, /gatehouse_gate_refused_total\{reason="idle"\} [1-9]/)
  })
})

describe('a request', () => {
  const sent = (head: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(sandbox.url)
      const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\n\r\n`))
      const parts: Buffer[] = []
      socket.on('data', (part) => parts.push(part))
      socket.on('error', reject)
      socket.on('close', () => resolve(Buffer.concat(parts).toString()))
    })

  test('with two Host headers is refused, because a proxy may use the other one', async () => {
    const answer = await sent('GET /service/alive HTTP/1.1\r\nHost: a.example\r\nhost: b.example\r\nConnection: close')
    assert.match(answer, /^HTTP\/1\.1 400 /)
    const fine = await sent('GET /service/alive HTTP/1.1\r\nHost: a.example\r\nConnection: close')
    assert.match(fine, /^HTTP\/1\.1 200 /)
  })

  test('of a merchant’s server is answered with headers that forbid caching', async () => {
    assert.equal((await sandbox.sale()).headers.get('cache-control'), 'no-store')
    assert.equal((await sandbox.raw({ action: 'SALE' })).headers.get('cache-control'), 'no-store')
    const checkout = await sandbox.send({ path: '/api/v1/session', body: '{}' })
    assert.equal(checkout.headers.get('cache-control'), 'no-store')
  })
})
