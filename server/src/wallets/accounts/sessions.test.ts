/** Chapter 40 §16, step 3: which address is asked for a merchant session. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { addDomains } from '#server/wallets/setup/wallet-domains.ts'
import { saveWallet } from '#server/wallets/setup/wallets.ts'
import {
  merchantIdentifier,
  openWalletSetup,
  pairOf,
  requireEntered,
  silentLog,
} from '../../../test/wallets/wallet-setup.ts'
import type { WalletAnchors } from './anchors.ts'
import { probeSession, type SessionOptions, walletSessions } from './sessions.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
const configured = await startCounter()
const named = await startCounter()
before(async () => {
  scene = await openWalletSetup()
})
after(async () => {
  await Promise.all([scene.drop(), configured.stop(), named.stop()])
})

/** A server that closes every connection: only whether it was contacted matters. */
async function startCounter() {
  let calls = 0
  const server = createServer((socket) => {
    calls += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    port,
    wasCalled: () => {
      const called = calls > 0
      calls = 0
      return called
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

const anchors: WalletAnchors = {
  readWalletA: async () => null,
  readWalletB: async () => null,
  readSandboxSession: async () => null,
  refresh: async () => [],
  askAgain: async () => {},
  reread: async () => {},
}
const options = (...sessionHosts: readonly string[]): SessionOptions => ({
  ...scene.context,
  log: silentLog,
  anchors,
  config: { sessionUrl: `https://127.0.0.1:${configured.port}/`, sessionHosts: new Set(sessionHosts) },
})

async function shop(): Promise<string> {
  const { merchantId, mode, wallet } = await scene.place()
  const { privateKey, certificate } = pairOf('identity')
  const entry = { enabled: true, merchantIdentifier, shopName: 'Shop', privateKey, certificate }
  requireEntered(await saveWallet(scene.context, { merchantId, mode, wallet }, entry))
  await addDomains(scene.context, { merchantId, wallet }, 'localhost', { purpose: 'test', controlledBy: 'operator' })
  return merchantId
}

test('the address that a browser names is used only over https and if its host is on the list', async () => {
  const merchantId = await shop()
  const elsewhere = `https://localhost:${named.port}/paymentSession`
  // biome-ignore format: a table is read in columns.
  const rows = [
    // named by the browser                       on the list                asked
    [ elsewhere,                                  ['localhost'],             named      ],
    [ elsewhere,                                  ['session.example'],       configured ],
    [ elsewhere,                                  [],                        configured ],
    [ elsewhere.replace('https', 'http'),         ['localhost'],             configured ],
    [ 'https://localhost.evil.example/',          ['localhost'],             configured ],
    [ 'not an address',                           ['localhost'],             configured ],
    [ null,                                       ['localhost'],             configured ],
  ] as const
  for (const [validationUrl, hosts, asked] of rows) {
    const sessions = walletSessions(options(...hosts))
    const answer = await sessions.open({ merchantId, mode: 'live', domain: 'localhost', validationUrl })
    assert.deepEqual(answer, { ok: false, because: 'not available' })
    const other = asked === named ? configured : named
    assert.deepEqual([asked.wasCalled(), other.wasCalled()], [true, false], `${validationUrl} with ${hosts}`)
  }
})

test('a probe of the session service reports the fault, and makes no request without a key pair or a domain', async () => {
  const merchantId = await shop()
  const place = { merchantId, mode: 'live', wallet: 'walletapay' } as const
  assert.equal(typeof (await probeSession(options(), place, null)), 'string')
  assert.ok(configured.wasCalled())
  const bare = await scene.place()
  requireEntered(await saveWallet(scene.context, bare, { enabled: true, merchantIdentifier }))
  assert.equal(await probeSession(options(), bare, 'checkout.example'), undefined)
  assert.equal(await probeSession(options(), { ...place, mode: 'test' }, null), undefined)
  assert.equal(configured.wasCalled(), false)
})
