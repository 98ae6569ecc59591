/** Chapter 40 §14: the trust anchors of an instance, and the ways in which a live one refuses the sandbox authority. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readConfig } from '#server/process/config.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import { walletTrustStore } from '#server/store/wallets/wallet-trust.ts'
import { saveWallet } from '#server/wallets/setup/wallets.ts'
import { oids } from '#server/wallets/tokens/asn1/oids.ts'
import { authorityExtensions, mark, pem, reissue, root } from '#server/wallets/tokens/testing/authority.ts'
import { labelledKey, sha256 } from '#server/wallets/tokens/testing/keys.ts'
import { openWalletSetup, requireEntered, silentLog } from '../../../test/wallets/wallet-setup.ts'
import { type AnchorOptions, loadAnchors } from './anchors.ts'
import { guardMode } from './start-guard.ts'
import { providerKeySource, readProviderRoot, sandboxTexts } from './trust-sources.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
let folder: string
before(async () => {
  scene = await openWalletSetup()
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-trust-'))
})
after(async () => {
  await scene.drop()
  await rm(folder, { recursive: true, force: true })
})

const rootPem = pem(root.der)
const marked = pem(reissue(root, { extensions: [...authorityExtensions, mark(oids.sandboxAuthority)] }).der)
const digest = (text: string): string => sha256(text).toString('hex')
const list = (label: string, expiration = '4102444800000'): string =>
  JSON.stringify({
    keys: [
      { keyValue: labelledKey(label).spki.toString('base64'), protocolVersion: 'ECv2', keyExpiration: expiration },
    ],
  })
const inFile = async (name: string, content: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
const load = (over: Partial<AnchorOptions> = {}) =>
  loadAnchors({
    instanceMode: 'live',
    pool: scene.pool,
    clock: scene.clock,
    log: silentLog,
    providerRoot: null,
    providerKeys: { PRODUCTION: null, TEST: null },
    authority: null,
    ...over,
  })

test('the wallet provider’s root is the pinned file; a missing, different or unpinned one stops the start', async () => {
  const path = await inFile('root.pem', rootPem)
  const read = readProviderRoot('live', { path, sha256: digest(rootPem) })
  const anchors = await load({ providerRoot: read })
  assert.equal((await anchors.readWalletA('wallet maker'))?.source, 'wallet maker')
  assert.throws(() => readProviderRoot('live', { path, sha256: '0'.repeat(64) }), StartupError)
  assert.throws(
    () => readProviderRoot('live', { path: join(folder, 'none.pem'), sha256: digest(rootPem) }),
    StartupError,
  )
  assert.throws(() => readConfig('all', { WALLET_A_ROOT_FILE: path }), /WALLET_A_ROOT_SHA256/)
})

test('without a configured root there is no trust anchor, and the instance starts', async () => {
  assert.equal(readProviderRoot('live', null), null)
  const anchors = await load()
  assert.equal(await anchors.readWalletA('wallet maker'), null)
  assert.equal(await anchors.readWalletB('wallet maker', 'PRODUCTION'), null)
})

test('a key list comes from its file, and a damaged one stops the start', async () => {
  const fetchKeys = providerKeySource('live', 'PRODUCTION', await inFile('keys.json', list('maker')))
  const anchors = await load({ providerKeys: { PRODUCTION: fetchKeys, TEST: null } })
  assert.equal((await anchors.readWalletB('wallet maker', 'PRODUCTION'))?.keys.length, 1)
  assert.equal(await anchors.readWalletB('wallet maker', 'TEST'), null)
  const damaged = await inFile('damaged.json', '{"keys":')
  assert.throws(() => providerKeySource('live', 'PRODUCTION', damaged), StartupError)
  assert.throws(() => readConfig('all', { WALLET_B_KEYS: 'http://keys.example/list' }), /WALLET_B_KEYS/)
})

test('a failed fetch or a damaged list leaves the last valid one in force, also after a restart', async () => {
  let answer: () => string = () => list('first')
  const providerKeys = { PRODUCTION: async () => answer(), TEST: null }
  const anchors = await load({ providerKeys })
  const fingerprint = async (of = anchors) => (await of.readWalletB('wallet maker', 'PRODUCTION'))?.keys[0]?.fingerprint
  const first = await fingerprint()
  assert.equal(first, digestOfKey('first'))
  for (const bad of [() => '{"keys":[]}', () => fail()]) {
    answer = bad
    assert.equal((await anchors.refresh()).length, 1)
    assert.equal(await fingerprint(), first)
  }
  assert.equal(await fingerprint(await load({ providerKeys })), first)
  answer = () => list('second')
  assert.deepEqual(await anchors.refresh(), [])
  assert.equal(await fingerprint(), digestOfKey('second'))
})

test('a fetched list is not trusted once the configuration no longer names its source', async () => {
  await walletTrustStore(scene.pool).put({
    source: 'wallet maker',
    name: 'TEST',
    content: list('old'),
    fetchedAt: scene.clock.now(),
  })
  assert.equal(await (await load()).readWalletB('wallet maker', 'TEST'), null)
})

test('a list with expired keys only is fetched again', async () => {
  let fetches = 0
  const anchors = await load({
    providerKeys: {
      PRODUCTION: async () => {
        fetches += 1
        return list('expired', '1000')
      },
      TEST: null,
    },
  })
  await anchors.readWalletB('wallet maker', 'PRODUCTION')
  assert.equal(fetches, 1)
})

test('for an unknown key the source is asked again at most once a minute, and concurrent requests wait for it', async (context) => {
  let fetches = 0
  let now = 0
  context.mock.method(performance, 'now', () => now)
  const providerKeys = {
    PRODUCTION: async () => {
      fetches += 1
      return list(`key ${fetches}`)
    },
    TEST: null,
  }
  const anchors = await load({ providerKeys })
  const first = await anchors.readWalletB('wallet maker', 'PRODUCTION')
  assert.equal(fetches, 1)
  now = 59_999
  await anchors.askAgain('wallet maker')
  assert.equal(fetches, 1)
  now = 60_000
  await Promise.all([anchors.askAgain('wallet maker'), anchors.askAgain('wallet maker')])
  assert.equal(fetches, 2)
  assert.notEqual(await anchors.readWalletB('wallet maker', 'PRODUCTION'), first)
})

test('way 2: a configuration or a database that names the sandbox authority stops the start of a live instance', async () => {
  const keys = { GATEHOUSE_MODE: 'live', GATEHOUSE_KEYS: '{}' }
  assert.throws(() => readConfig('all', { ...keys, WALLET_TRUST: 'sandbox authority' }), /WALLET_TRUST/)
  const other = await openWalletSetup()
  try {
    await guardMode(other.pool, 'live')
    requireEntered(await saveWallet(other.context, await other.place(), { trustSource: 'sandbox authority' }))
    await assert.rejects(guardMode(other.pool, 'live'), /trust a sandbox authority/)
    await other.pool.query('delete from wallet_watches; delete from wallet_settings')
    await guardMode(other.pool, 'live')
    const content = marked
    await walletTrustStore(other.pool).put({
      source: 'sandbox authority',
      name: 'root',
      content,
      fetchedAt: scene.clock.now(),
    })
    await assert.rejects(guardMode(other.pool, 'live'), StartupError)
  } finally {
    await other.drop()
  }
})

test('way 3: a live instance does not load a root marked as sandbox, pinned or not', async () => {
  const path = await inFile('marked.pem', marked)
  assert.throws(
    () => readProviderRoot('live', { path, sha256: digest(marked) }),
    /does not belong to the wallet provider/,
  )
  const anchors = await load({ providerRoot: { pem: marked, sha256: digest(marked) } })
  assert.equal(await anchors.readWalletA('wallet maker'), null)
})

test('way 4: a live instance does not load a key marked as sandbox', async () => {
  // Found by search: one key in 65 536 has the mark.
  const content = list('marked 58315')
  assert.match(digestOfKey('marked 58315'), /^5a5b/)
  const path = await inFile('marked.json', content)
  assert.throws(() => providerKeySource('live', 'PRODUCTION', path), /does not belong to the wallet provider/)
  const anchors = await load({ providerKeys: { PRODUCTION: async () => content, TEST: null } })
  assert.match(String(await anchors.refresh()), /does not belong/)
})

test('way 5: the first start gives a database its mode, and no later start changes it', async () => {
  for (const [first, second] of [
    ['sandbox', 'live'],
    ['live', 'sandbox'],
  ] as const) {
    const other = await openWalletSetup()
    try {
      await guardMode(other.pool, first)
      await assert.rejects(guardMode(other.pool, second), new RegExp(`belongs to a ${first} instance`))
      await guardMode(other.pool, first)
    } finally {
      await other.drop()
    }
  }
})

test('a database whose test clock was moved does not start live', async () => {
  const other = await openWalletSetup()
  try {
    await guardMode(other.pool, 'live')
    await instanceStore(other.pool).advanceClock(86_400_000)
    await assert.rejects(guardMode(other.pool, 'live'), /test clock of this database was moved/)
    assert.equal(await instanceStore(other.pool).resetLiveClock(), true)
    await guardMode(other.pool, 'live')
  } finally {
    await other.drop()
  }
})

test('a live instance cannot load the sandbox authority from any source', async () => {
  const authority = async () =>
    JSON.stringify({
      root_pem: marked,
      wallet_b: { TEST: JSON.parse(list('a')), PRODUCTION: JSON.parse(list('b')) },
      session: { url: 'https://127.0.0.1:1/', ca_pem: rootPem },
    })
  const anchors = await load({ authority })
  assert.equal(await anchors.readWalletA('sandbox authority'), null)
  assert.equal(await anchors.readWalletB('sandbox authority', 'TEST'), null)
})

test('the sandbox authority’s answer is split into its parts, and one of another shape is refused', () => {
  assert.throws(() => sandboxTexts('{}'))
})

const digestOfKey = (label: string): string => sha256(labelledKey(label).spki).toString('hex')
const fail = (): never => {
  throw new Error('away')
}
