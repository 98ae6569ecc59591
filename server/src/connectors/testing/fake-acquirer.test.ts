import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { FakeAcquirer } from './fake-acquirer.ts'

const fake = new FakeAcquirer()
before(() => fake.listen())
after(() => fake.close())

const openConnection = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const address = { hostname: 'acquirer.invalid', protocol: 'http:', port: '80' }
    fake.connect(address, (error, socket) => (socket ? resolve(socket) : reject(error ?? new Error('No connection.'))))
  })

const request = 'POST /payments HTTP/1.1\r\nhost: acquirer.invalid\r\ncontent-length: 0\r\n\r\n'

test('a request that arrives after its sender gave it up does not count for the next test', async () => {
  const abandoned = await openConnection()
  abandoned.write(request)
  abandoned.destroy()
  fake.answer({ status: 200, body: {} })

  const next = await openConnection()
  next.write(request)
  await once(next, 'data')
  assert.equal(fake.requests, 1)

  // A connection that is used again is not abandoned.
  fake.answer({ status: 200, body: {} })
  next.write(request)
  await once(next, 'data')
  assert.equal(fake.requests, 1)
  next.destroy()
})
