import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServices } from './program.ts'
import type { Routes } from './routes.ts'

// Other systems have no second loopback address.
const skip = process.platform === 'linux' ? false : 'needs the address 127.0.0.2'

test('at its second address a program serves only the routes that are meant for it', { skip }, async () => {
  const answer = async () => ({ status: 200, body: {} })
  const routes: Routes = [
    ['GET /shop', answer],
    ['GET /ledger', answer],
  ]
  const front = { host: '127.0.0.2', serves: ([address]: Routes[number]) => address === 'GET /shop' }
  const running = await startServices(
    [{ routes, close: async () => undefined }],
    0,
    (fault) => assert.fail(String(fault)),
    { front },
  )
  const { port } = new URL(running.url)
  const statusAt = async (url: string) => (await fetch(url)).status
  try {
    assert.deepEqual([await statusAt(`${running.url}/shop`), await statusAt(`${running.url}/ledger`)], [200, 200])
    const second = `http://127.0.0.2:${port}`
    assert.deepEqual([await statusAt(`${second}/shop`), await statusAt(`${second}/ledger`)], [200, 404])
  } finally {
    await running.stop()
  }
})
