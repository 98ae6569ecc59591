// A company with one kind of order, on the kit alone: what every stand-in can rely on.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isObject } from '#domain/json.ts'
import { startServices } from '../../kit/program.ts'
import type { Call } from '../../kit/routes.ts'
import { payerPages } from './payer-pages.ts'
import { openBase } from './stand-in.ts'

interface Order {
  readonly id: string
  readonly decision: 'open' | 'approve' | 'decline'
}

const returnUrl = 'https://shop.example.com/return'

async function openCompany(folder: string) {
  const orders = new Map<string, Order>()
  const base = await openBase<Order>({
    folder,
    issue: (name) => ({ key: `key-of-${name}` }),
    apply: (order) => orders.set(order.id, order),
    notifications: {
      write: (content, { name }) => ({ headers: { 'x-signed-by': name }, body: JSON.stringify(content) }),
      isAccepted: (status, text) => status === 200 && text === 'taken',
    },
  })
  const place = async (call: Call) => {
    const account = base.accounts.bySecret('key', call.headers['x-key'])
    if (!account) return { status: 401, body: {} }
    const amount = isObject(call.body) ? String(call.body.amount) : ''
    const id = call.key ?? ''
    const effect = { transactionId: id, kind: 'sale', amount, currency: 'EUR', state: 'executed' } as const
    const reply = await base.executeOnce({ call, key: `${account.name} ${id}`, amount }, () => ({
      reply: { status: 200, body: { id, number: orders.size + 1 } },
      line: {
        items: [{ id, decision: 'open' }],
        effects: [{ ...effect, account: account.name, reference: 'R' }],
        notices: [{ id: `N-${id}`, account: account.name, content: { about: id } }],
      },
    }))
    return reply === 'other-request' ? { status: 409, body: {} } : reply
  }
  const pages = payerPages({
    find: (key) => {
      const order = orders.get(key)
      const payment = { merchant: 'Shop', amountMinor: 1000n, currency: 'EUR', card: '' }
      return order && { payment, returnUrl: order.decision === 'open' ? null : returnUrl }
    },
    decide: async (key, decision) => {
      await base.write({ items: [{ id: key, decision }] })
      return returnUrl
    },
  })
  return { base, orders, routes: [['POST /orders', place] as const, ...pages, ...base.routes] }
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stand-in-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function start(t: TestContext, folder: string) {
  const company = await openCompany(folder)
  const running = await startServices([{ routes: company.routes, close: () => company.base.close() }], 0, (fault) =>
    assert.fail(String(fault)),
  )
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (!isStopped) await running.stop()
    isStopped = true
  }
  t.after(stop)
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(running.url + path, {
      method,
      headers: { 'content-type': 'application/json', 'x-key': 'key-of-live', ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, location: response.headers.get('location'), text }
  }
  const order = (id: string, amount = '1000', headers = {}) =>
    ask('POST', '/orders', { amount }, { 'idempotency-key': id, ...headers })
  return { ...company, stop, ask, order }
}

const idsIn = (ledger: { readonly text: string }): readonly string[] =>
  JSON.parse(ledger.text).map(({ transactionId }: { readonly transactionId: string }) => transactionId)

test('the same request under the same key has one effect and one answer, also after a restart', async (t) => {
  const folder = await temporaryFolder(t)
  const before = await start(t, folder)
  const first = await before.order('t-1')
  assert.deepEqual(await before.order('t-1'), first)
  assert.equal((await before.order('t-1', '1001')).status, 409)
  await before.order('t-2')
  await before.stop()

  const after = await start(t, folder)
  assert.deepEqual(await after.order('t-1'), first)
  assert.deepEqual(idsIn(await after.ask('GET', '/ledger')), ['t-1', 't-2'])
  assert.equal(after.orders.size, 2)
})

test('a key that belongs to no account is refused', async (t) => {
  const { order } = await start(t, await temporaryFolder(t))
  assert.equal((await order('t-1', '1000', { 'x-key': 'another' })).status, 401)
})

// biome-ignore format: a table is read in columns.
const faults = [
  // amount   executed  the client sees
  [ '66601',  true,     'no answer'  ],
  [ '66603',  false,    '500'        ],
  [ '66604',  true,     '500'        ],
  [ '66605',  true,     '200 garbage'],
  [ '66606',  false,    'no answer'  ],
] as const

for (const [amount, isExecuted, sight] of faults) {
  test(`amount ${amount}: ${sight}, ${isExecuted ? 'executed' : 'not executed'}; the repeated request gets through once`, async (t) => {
    const { order, ask } = await start(t, await temporaryFolder(t))
    const seen = await order('t-1', amount).then(
      ({ status, text }) => (text.startsWith('<html>') ? `${status} garbage` : String(status)),
      () => 'no answer',
    )
    assert.equal(seen, sight)
    assert.equal(idsIn(await ask('GET', '/ledger')).length, isExecuted ? 1 : 0)
    assert.equal((await order('t-1', amount)).status, 200)
    assert.equal(idsIn(await ask('GET', '/ledger')).length, 1)
  })
}

test('PUT /faults lets every second request fail until DELETE /faults', async (t) => {
  const { order, ask } = await start(t, await temporaryFolder(t))
  assert.equal((await ask('PUT', '/faults', { fault: 'unheard of' })).status, 400)
  await ask('PUT', '/faults', { fault: 'error', every: 2 })
  const statuses = []
  for (const id of ['a', 'b', 'c', 'd']) statuses.push((await order(id)).status)
  assert.deepEqual(statuses, [200, 500, 200, 500])
  await ask('DELETE', '/faults')
  assert.deepEqual([(await order('e')).status, (await order('f')).status], [200, 200])
})

/** A merchant that takes notifications from the second attempt on. */
async function listen(t: TestContext) {
  const arrivals: string[] = []
  const { promise: taken, resolve } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      arrivals.push(`${request.headers['x-signed-by']} ${text}`)
      response.statusCode = arrivals.length === 1 ? 503 : 200
      response.end('taken')
      if (arrivals.length > 1) resolve()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => server.close())
  const address = server.address()
  return { arrivals, taken, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/n` }
}

test('a notification is sent until it is accepted, and one that waits outlives a restart', async (t) => {
  const folder = await temporaryFolder(t)
  const before = await start(t, folder)
  await before.order('t-1')
  await before.stop()

  const merchant = await listen(t)
  const { ask, base } = await start(t, folder)
  assert.equal((await ask('PUT', '/accounts/nobody/notifications', { url: merchant.url })).status, 404)
  assert.equal((await ask('PUT', '/accounts/live/notifications', { url: merchant.url })).status, 200)
  await merchant.taken
  assert.deepEqual(merchant.arrivals, ['live {"about":"t-1"}', 'live {"about":"t-1"}'])
  while ([...base.books.openNotices].length > 0) await new Promise((resolve) => setImmediate(resolve))

  assert.equal((await ask('POST', '/notifications/N-t-1/repeat')).status, 200)
  assert.equal(merchant.arrivals.length, 3)
  assert.equal((await ask('POST', '/notifications/unknown/repeat')).status, 404)
})

test('the payer decides once on the page and goes back to the shop', async (t) => {
  const { order, ask, orders } = await start(t, await temporaryFolder(t))
  await order('t-1')
  assert.equal((await ask('GET', '/pages/unknown')).status, 404)
  assert.match((await ask('GET', '/pages/t-1')).text, /10\.00 EUR/)
  assert.equal((await ask('POST', '/pages/t-1', { decision: 'perhaps' })).status, 400)
  assert.equal((await ask('POST', '/pages/t-1', { decision: 'approve' })).location, returnUrl)
  assert.equal((await ask('POST', '/pages/t-1', { decision: 'decline' })).location, returnUrl)
  assert.equal(orders.get('t-1')?.decision, 'approve')
})
