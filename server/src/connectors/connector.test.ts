import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { connector } from './connector.ts'
import { sandbox } from './sandbox/index.ts'
import { followUpWith, orderWith, statusQueryWith } from './testing/contract-samples.ts'
import { FakeAcquirer } from './testing/fake-acquirer.ts'
import { createWires, formBody } from './wire.ts'

const { supports } = sandbox
const order = orderWith({})
const clock = { now: () => new Date(0) }

test('credentials are parsed once, when the account is opened, and every operation has them with their type', async (t) => {
  const fake = new FakeAcquirer()
  await fake.listen()
  const wires = createWires({ clock, connect: () => fake.connect })
  t.after(async () => {
    await wires.close()
    fake.close()
  })
  fake.answer({ status: 200, body: {} })
  let parsed = 0
  const credentials = z.object({ host: z.enum(['eu', 'us']), retries: z.coerce.number() }).transform((values) => {
    parsed += 1
    return values
  })
  const counting = connector({
    id: 'counting',
    title: 'Counting',
    credentials,
    hosts: ({ host }) => ({ api: `https://${host}.acquirer.example` }),
    supports,
    secretFields: [],
    recoveryWay: 'lookup',
    recovery: ({ retries }) => ({ idempotencyKey: null, executesWithinMs: retries * 1000 }),
    sign: ({ url }, { host, retries }) => ({ 'x-signed': `${host} ${retries + 1} ${url.host}` }),
    sale: async ({ orderId }, wire) => {
      await wire.post('/sale', formBody({ order: orderId, retries: wire.credentials.retries + 1 }))
      return { result: 'approved', facts: {} }
    },
    status: async () => ({ result: 'never-arrived' }),
  })

  const account = counting.open({ host: 'eu', retries: '4' }, wires, 'test')
  for (const _ of [1, 2]) assert.equal((await account.sale(order)).result, 'approved')
  assert.equal((await account.status(statusQueryWith({}))).result, 'never-arrived')
  assert.equal(parsed, 1)
  assert.equal(fake.last().body, 'order=ORDER-1001&retries=5')
  assert.equal(fake.last().headers['x-signed'], 'eu 5 eu.acquirer.example')
  assert.deepEqual(account.recovery, { way: 'lookup', idempotencyKey: null, executesWithinMs: 4000 })
  assert.throws(() => counting.open({ host: 'moon', retries: '4' }, wires, 'test'), z.ZodError)
})

test('an operation that the connector does not define is not offered, and a late request is not sent', async (t) => {
  const fake = new FakeAcquirer()
  await fake.listen()
  const wires = createWires({ clock, connect: () => fake.connect })
  t.after(async () => {
    await wires.close()
    fake.close()
  })
  fake.answer({ status: 500 })
  const small = connector({
    id: 'small',
    title: 'Small',
    credentials: z.object({ base_url: z.url() }),
    hosts: ({ base_url: api }) => ({ api }),
    supports,
    secretFields: [],
    recoveryWay: 'lookup',
    recovery: () => ({ idempotencyKey: null, executesWithinMs: 0 }),
    sale: async (_order, wire) => {
      await wire.get('/sale')
      return { result: 'unknown', reason: 'no answer', facts: {} }
    },
    capture: async () => ({ result: 'approved', facts: {} }),
    status: async () => ({ result: 'never-arrived' }),
  })
  assert.deepEqual([...small.operations], ['sale', 'capture', 'status'])
  const account = small.open({ base_url: 'https://acquirer.example' }, wires, 'test')
  assert.deepEqual([account.refund, account.events], [undefined, undefined])
  assert.equal((await account.capture?.(followUpWith({})))?.result, 'approved')
  await assert.rejects(account.sale(order, performance.now() - 1), { name: 'WireFault', sent: false })
  assert.equal(fake.requests, 0)
})
