import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { merchantId, type PanelClient, panelOf } from '../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../test/shop.ts'
import { merchantIdentifier, pairOf } from '../../../../test/wallets/wallet-setup.ts'

let shop: Shop
let shopId: string
let owner: PanelClient
let place: string

before(async () => {
  shop = await openShop({}, ['back office'])
  owner = await panelOf(shop)
  const creation = await owner.post('/merchants', { name: 'wallet-shop', title: 'Wallet shop' })
  assert.equal(creation.http, 200, creation.text)
  shopId = creation.body.merchant.id
  place = `/merchants/${shopId}/wallets/live/walletapay`
})
after(() => shop[Symbol.asyncDispose]())

const own = { setup: 'own_account', merchantIdentifier }

async function faults(entry: object, path = `${place}/validate`): Promise<ReadonlyMap<string, string>> {
  const { http, body, text } = await owner.post(path, entry)
  assert.equal(http, 200, text)
  return new Map(body.faults.map((fault: { field: string; text: string }) => [fault.field, fault.text]))
}

describe('validation while typing', () => {
  test('a sound pair has no faults, and says until when its certificate holds', async () => {
    const { privateKey, certificate, fingerprint } = pairOf('typed')
    const { body } = await owner.post(`${place}/validate`, { ...own, privateKey, certificate })
    assert.deepEqual(body.faults, [])
    assert.deepEqual(
      body.keys.map((key: { role: string; fingerprint: string; certificateUntil: string }) => [
        key.role,
        key.fingerprint,
        key.certificateUntil,
      ]),
      [['identity', fingerprint, '2035-01-01T00:00:00.000Z']],
    )
  })

  test('nothing of it is stored', async () => {
    assert.equal((await owner.get(place)).body.view, null)
    assert.deepEqual((await owner.get('/audit?action=wallet.save')).body.entries, [])
  })

  test('a wrong certificate, an expired one, and one of another identifier are told at the certificate', async () => {
    const { privateKey } = pairOf('one')
    const wrong = await faults({ ...own, privateKey, certificate: pairOf('two').certificate })
    const expired = await faults({
      ...own,
      privateKey,
      certificate: pairOf('one', { until: '2025-06-01T00:00:00Z' }).certificate,
    })
    const another = await faults({
      ...own,
      privateKey,
      certificate: pairOf('one', { identifier: 'merchant.example.other' }).certificate,
    })
    for (const found of [wrong, expired, another]) assert.deepEqual([...found.keys()], ['certificate'])
    assert.equal(
      new Set([wrong, expired, another].map((found) => found.get('certificate'))).size,
      3,
      'each in words of its own',
    )
  })

  test('line breaks in a key are removed, and the person is told so', async () => {
    const { privateKey, certificate } = pairOf('three')
    const broken = `${privateKey.slice(0, 40)}\n${privateKey.slice(40)}`
    const { body } = await owner.post(`${place}/validate`, { ...own, privateKey: broken, certificate })
    assert.deepEqual([body.faults, body.notes], [[], ['White space was removed.']])
  })

  test('a certificate in the place of the key, half a key, and what is no key are told at the key, each in its own words', async () => {
    const { privateKey, certificate } = pairOf('three')
    const texts = new Set<string>()
    for (const text of [certificate, privateKey.slice(0, 60), 'no key']) {
      const found = await faults({ ...own, privateKey: text, certificate })
      assert.ok(found.has('privateKey'), text)
      texts.add(found.get('privateKey') ?? '')
    }
    assert.equal(texts.size, 3)
  })

  test('fields are told by the names under which they are entered', async () => {
    const found = await faults({ ...own, merchantIdentifier: 'shop', country: 'XX', supportedNetworks: ['nothing'] })
    assert.deepEqual([...found.keys()].toSorted(), ['country', 'merchantIdentifier', 'supportedNetworks'])
    const b = await faults({ authMethods: [] }, `/merchants/${shopId}/wallets/live/walletbpay/validate`)
    assert.deepEqual([...b.keys()], ['authMethods'])
  })

  test('the same entry is refused in the same words when it is saved', async () => {
    const { privateKey } = pairOf('four')
    const entry = { ...own, privateKey, certificate: pairOf('five').certificate }
    const saved = await owner.send('PUT', place, entry)
    assert.equal(saved.http, 422)
    const saveFaults = new Map(
      saved.body.error.fields.map((fault: { field: string; text: string }) => [fault.field, fault.text]),
    )
    assert.deepEqual(saveFaults, await faults(entry))
  })
})

describe('keys', () => {
  test('a next key is promoted, the old one goes on for a while, and retiring destroys its private part', async () => {
    const path = `/merchants/${shopId}/wallets/test/walletapay`
    const first = pairOf('first')
    const second = pairOf('second')
    const entry = { ...own, processingPrivateKey: first.privateKey, processingCertificate: first.certificate }
    assert.equal((await owner.send('PUT', path, entry)).http, 200)
    const added = await owner.post(`${path}/keys`, {
      role: 'processing',
      privateKey: second.privateKey,
      certificate: second.certificate,
    })
    assert.deepEqual([added.http, added.body.key.state], [200, 'next'])
    const promoted = await owner.post(`${path}/keys/${second.fingerprint}/promote`, { retireAfterHours: 24 })
    assert.deepEqual([promoted.http, promoted.body.key.state], [200, 'current'])
    const states = async () =>
      new Map(
        (await owner.get(path)).body.view.keys.map((key: { fingerprint: string; state: string }) => [
          key.fingerprint,
          key.state,
        ]),
      )
    assert.equal((await states()).get(first.fingerprint), 'retiring')
    assert.equal((await owner.post(`${path}/keys/${first.fingerprint}/retire`)).http, 200)
    assert.equal((await states()).get(first.fingerprint), 'retired')
    const { rows } = await shop.base.pool.query('select private_sealed from wallet_keys where fingerprint = $1', [
      first.fingerprint,
    ])
    assert.deepEqual(rows, [{ private_sealed: null }])
    for (const action of ['wallet.promote-key', 'wallet.retire-key'])
      assert.equal((await owner.get(`/audit?action=${action}`)).body.entries.length, 1, action)
    assert.equal((await owner.post(`${path}/keys/${'0'.repeat(64)}/retire`)).http, 422)
  })
})

describe('domains', () => {
  const domains = () => `/merchants/${shopId}/wallet-domains/walletapay`

  test('a batch has an answer per line, and a file is kept byte for byte', async () => {
    const batch = 'pay.example.com\n\nnot a host\npay.example.com\nshop.example.com, test, merchant'
    const { body } = await owner.post(domains(), { domains: batch, purpose: 'production', controlledBy: 'operator' })
    assert.deepEqual(
      body.lines.map(({ result }: { result: string }) => result),
      ['added', 'invalid', 'already there', 'added'],
    )
    const file = Buffer.from('7b227073704964223a2239423631434', 'utf8')
    const upload = await owner.send('PUT', `${domains()}/pay.example.com/file`, { base64: file.toString('base64') })
    assert.equal(upload.http, 200, upload.text)
    const { rows } = await shop.base.pool.query('select file, state from wallet_domains where domain = $1', [
      'pay.example.com',
    ])
    assert.ok(file.equals(rows[0].file))
    assert.equal(rows[0].state, 'file ready')
    assert.equal((await owner.send('PUT', `${domains()}/unknown.example.com/file`, { base64: 'YQ==' })).http, 422)
    assert.equal((await owner.send('PUT', `${domains()}/pay.example.com/file`, { base64: '' })).http, 422)
  })

  test('"verified at the maker" is believed after a fresh check only', async () => {
    const answer = await owner.post(`${domains()}/pay.example.com/verified`)
    assert.equal(answer.http, 422)
    assert.match(answer.body.error.fields[0].text, /The check failed/)
    const without = await owner.post(`${domains()}/shop.example.com/verified`)
    assert.match(without.body.error.fields[0].text, /no file/)
  })
})

describe('the platform setup', () => {
  test('the operator’s record is entered and shown, and a merchant’s people see none of it', async () => {
    const identity = pairOf('platform identity')
    const processing = pairOf('platform processing')
    const entry = {
      merchantIdentifier,
      privateKey: identity.privateKey,
      certificate: identity.certificate,
      processingPrivateKey: processing.privateKey,
      processingCertificate: processing.certificate,
    }
    assert.deepEqual([...(await faults(entry, '/platform-wallet/validate'))], [])
    assert.equal((await owner.send('PUT', '/platform-wallet', entry)).http, 200)
    assert.equal((await owner.send('PUT', '/platform-wallet/file', { base64: 'YQ==' })).http, 200)
    const { view } = (await owner.get('/platform-wallet')).body
    assert.equal(view.settings.fields.merchantIdentifier, merchantIdentifier)
    assert.ok(view.keys.length >= 2)
    assert.ok(!JSON.stringify(view).includes(identity.privateKey))
    const admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [shopId] })
    assert.equal((await admin.get('/platform-wallet')).http, 403)
  })

  test('tasks are ticked in their order, by the operator alone', async () => {
    const path = `/merchants/${shopId}/wallets/live/walletapay`
    assert.equal((await owner.send('PUT', path, { setup: 'platform', shopName: 'Shop', country: 'DE' })).http, 200)
    const early = await owner.post(`${path}/tasks/confirm`)
    assert.equal(early.http, 422)
    const ticked = await owner.post(`${path}/tasks/merchant`, { merchantIdentifier: 'merchant.example.assigned' })
    assert.equal(ticked.http, 200, ticked.text)
    const states = new Map(ticked.body.tasks.map((task: { name: string; state: string }) => [task.name, task.state]))
    assert.deepEqual([states.get('details'), states.get('merchant')], ['done', 'done'])
    const admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [shopId] })
    assert.equal((await admin.post(`${path}/tasks/domains`)).http, 403)
  })

  test('the simulated maker registers a merchant of its own authority', async () => {
    const path = `/merchants/${shopId}/wallets/test/walletapay`
    const entry = { setup: 'platform', shopName: 'Shop', country: 'DE', trustSource: 'sandbox authority' }
    const creation = await owner.post('/merchants', { name: 'platform-shop', title: 'Platform shop' })
    const mine = path.replace(shopId, creation.body.merchant.id)
    assert.equal((await owner.send('PUT', mine, entry)).http, 200)
    await owner.post(`/merchants/${creation.body.merchant.id}/wallet-domains/walletapay`, {
      domains: 'registered.example.com',
      purpose: 'production',
      controlledBy: 'merchant',
    })
    const answer = await owner.post(`${mine}/register`)
    assert.equal(answer.http, 200, answer.text)
    const states = new Map(answer.body.tasks.map((task: { name: string; state: string }) => [task.name, task.state]))
    assert.deepEqual([states.get('merchant'), states.get('domains')], ['done', 'done'])
  })
})

describe('the simulator', () => {
  test('mints a token for a merchant that the gateway takes, and names what can be wrong with one', async () => {
    const demo = await merchantId(shop, 'demo')
    const developer = await panelOf(shop, { role: 'developer' })
    const path = `/merchants/${demo}/simulator/test/walletapay/tokens`
    const { http, body, text } = await developer.post(path, { wishes: { amount: '5.00', currency: 'USD' } })
    assert.equal(http, 200, text)
    assert.ok(String(body.minted.token).length > 100)
    assert.ok((await developer.get('/simulator/faults')).body.faults.length > 10)
    assert.ok((await developer.get('/simulator/cards')).body.cards.length > 0)
    const wrong = await developer.post(path, { wishes: { nothing: 'such' } })
    assert.deepEqual([wrong.http, /no such field/.test(wrong.body.error.message)], [409, true])
    const unset = await developer.post(`/merchants/${shopId}/simulator/live/walletbpay/tokens`, { wishes: {} })
    assert.equal(unset.http, 409)
  })
})

describe('why a button is missing', () => {
  test('a merchant without settings has none, and is told what to do', async () => {
    const { body } = await owner.get(`/merchants/${shopId}/wallets/test/walletbpay/why`)
    assert.equal(body.button.because, 'not enabled')
    assert.notEqual(body.button.remedy, '')
    assert.equal(body.flow.flow, null)
  })

  test('each page is judged by what was said of it', async () => {
    const demo = await merchantId(shop, 'demo')
    const path = `/merchants/${demo}/wallets/live/walletapay`
    assert.equal((await owner.post(`${path}/testing`, {})).http, 200)
    const why = async (query: string) => (await owner.get(`${path}/why${query}`)).body
    const plain = await why('?browser=maker')
    assert.deepEqual([plain.button, plain.flow.flow], [null, 'decrypted'])
    assert.equal((await why('?host=shop.example&secure=false')).button.because, 'no https')
    assert.equal((await why('?host=unknown.example')).button.because, 'domain unverified')
    assert.equal((await owner.get(`${path}/why?secure=perhaps`)).http, 422)
  })
})

describe('while the sandbox is down', () => {
  test('setting up for testing says so and what to do, and changes nothing', async () => {
    await using separate = await openShop({}, ['back office'])
    const panel = await panelOf(separate)
    const { body: made } = await panel.post('/merchants', { name: 'lone-shop', title: 'Lone shop' })
    const path = `/merchants/${made.merchant.id}/wallets/test/walletapay`
    await separate.sandbox.stop()
    const { http, body } = await panel.post(`${path}/testing`, {})
    assert.deepEqual(
      [http, body.error.message],
      [
        409,
        'The sandbox issued no certificate: it does not answer. Start the service with "npm start"; it also starts the sandbox.',
      ],
    )
    assert.equal((await panel.get(path)).body.view, null)
  })
})
