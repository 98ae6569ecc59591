import assert from 'node:assert/strict'
import { createServer } from 'node:http'
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

test('a live process takes no payment on a live MID with the sandbox connector', () => {
  const { mayUse } = guardedAcquirers({ instanceMode: 'live', privateAcquirers }, null)
  assert.equal(mayUse({ connector: 'sandbox', mode: 'live' }), false)
  assert.equal(mayUse({ connector: 'sandbox', mode: 'test' }), true)
  assert.equal(mayUse({ connector: 'acme', mode: 'live' }), true)
  const sandbox = guardedAcquirers({ instanceMode: 'sandbox', privateAcquirers }, null)
  assert.equal(sandbox.mayUse({ connector: 'sandbox', mode: 'live' }), true)
})
