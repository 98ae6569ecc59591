import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createServer as createLineServer } from 'node:net'
import { test } from 'node:test'
import { systemClock } from '#server/process/clock.ts'
import { readConfig } from '#server/process/config.ts'
import { createWires, jsonBody } from '../connectors/wire.ts'
import { guardedAcquirers } from './acquirers.ts'

const { privateAcquirers } = readConfig('all', {})

const wiresOf = (terms: Parameters<typeof guardedAcquirers>[0]) =>
  createWires({ ...guardedAcquirers(terms, null).wires, clock: systemClock() })

test('a live process sends nothing to a private address or to a name that resolves to one', async () => {
  let requests = 0
  const acquirer = createServer((_request, reply) => {
    requests += 1
    reply.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => acquirer.listen(0, '127.0.0.1', resolve))
  const address = acquirer.address()
  const port = typeof address === 'object' ? address?.port : 0
  const connector = { id: 'acme', secretFields: [] }
  const post = async (wires: ReturnType<typeof createWires>, host: string) => {
    try {
      return await wires
        .to(connector, {}, { hosts: { api: `http://${host}:${port}` } })
        .post('/sale', jsonBody({ number: '4111' }))
    } finally {
      await wires.close()
    }
  }
  const live = () => wiresOf({ instanceMode: 'live', privateAcquirers })
  // Certainly never sent, so that no payment stays open because of it.
  for (const host of ['127.0.0.1', 'localhost'])
    await assert.rejects(post(live(), host), { name: 'WireFault', sent: false }, host)
  assert.equal(requests, 0)

  const { privateAcquirers: listed } = readConfig('all', { ALLOW_PRIVATE_ACQUIRERS: '127.0.0.1,::1' })
  await post(wiresOf({ instanceMode: 'live', privateAcquirers: listed }), '127.0.0.1')
  await post(wiresOf({ instanceMode: 'sandbox', privateAcquirers }), '127.0.0.1')
  assert.equal(requests, 2)
  acquirer.close()
})

test('a live process opens no line to a private address or to a name that resolves to one', async (t) => {
  let connections = 0
  const host = createLineServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  t.after(() => host.close())
  const bound = host.address()
  const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0
  const protocol = {
    framing: { lengthBytes: 2, lengthFormat: 'binary', countsItself: false },
    exchangeKey: () => 'key',
    signOn: () => null,
    echo: () => null,
    isAccepted: () => true,
    replyTo: () => null,
    describe: () => null,
  } as const
  const ask = async (wires: ReturnType<typeof createWires>, name: string): Promise<unknown> => {
    const address = { host: name, port, isEncrypted: false }
    try {
      return await wires.lines
        .open({ connector: 'acme', address, certificate: null, terminal: 'T1', protocol })
        .exchange(Buffer.from('4111'))
    } finally {
      await wires.close()
    }
  }
  for (const name of ['127.0.0.1', 'localhost'])
    await assert.rejects(ask(wiresOf({ instanceMode: 'live', privateAcquirers }), name), { sent: false }, name)
  assert.equal(connections, 0)
  const { privateAcquirers: listed } = readConfig('all', { ALLOW_PRIVATE_ACQUIRERS: '127.0.0.1' })
  await assert.rejects(ask(wiresOf({ instanceMode: 'live', privateAcquirers: listed }), '127.0.0.1'))
  assert.equal(connections, 1)
})

test('a live process takes no payment on a live MID with the sandbox connector', () => {
  const { mayUse } = guardedAcquirers({ instanceMode: 'live', privateAcquirers }, null)
  assert.equal(mayUse({ connector: 'sandbox', mode: 'live' }), false)
  assert.equal(mayUse({ connector: 'sandbox', mode: 'test' }), true)
  assert.equal(mayUse({ connector: 'acme', mode: 'live' }), true)
  const sandbox = guardedAcquirers({ instanceMode: 'sandbox', privateAcquirers }, null)
  assert.equal(sandbox.mayUse({ connector: 'sandbox', mode: 'live' }), true)
})
