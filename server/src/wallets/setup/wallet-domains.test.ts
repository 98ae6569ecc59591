import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { walletDomainStore } from '#server/store/wallets/wallet-domains.ts'
import { walletFiles } from '#server/wallets/accounts/files.ts'
import { faultsOf, merchantIdentifier, openWalletSetup, requireEntered } from '../../../test/wallets/wallet-setup.ts'
import {
  addDomains,
  confirmVerified,
  type DomainDefaults,
  hostName,
  removeDomain,
  uploadFile,
} from './wallet-domains.ts'
import { savePlatform, savePlatformFile } from './wallet-platform.ts'
import { saveWallet } from './wallets.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

const wishes: DomainDefaults = { purpose: 'production', controlledBy: 'operator' }
const merchant = async () => (await scene.place()).merchantId
const add = (merchantId: string, text: string) =>
  addDomains(scene.context, { merchantId, wallet: 'walletapay' }, text, wishes)
const results = async (merchantId: string, text: string) => (await add(merchantId, text)).map(({ result }) => result)
const find = (merchantId: string, host: string) => walletDomainStore(scene.pool).find(merchantId, 'walletapay', host)
const upload = (merchantId: string, host: string, file: Buffer) =>
  uploadFile(scene.context, { merchantId, wallet: 'walletapay' }, host, file)

// Chapter 40 §8, "Entry".
// biome-ignore format: a table is read in columns.
const entries: readonly (readonly [entered: string, host: string | null])[] = [
  ['shop.example',                       'shop.example'],
  ['SHOP.Example',                       'shop.example'],
  ['münchen.example',                    'xn--mnchen-3ya.example'],
  ['a.b.c.shop.example',                 'a.b.c.shop.example'],
  [`${'a'.repeat(63)}.example`,          `${'a'.repeat(63)}.example`],
  [`${'a'.repeat(64)}.example`,          null],
  [`${'a.'.repeat(123)}example`,         `${'a.'.repeat(123)}example`],
  [`${'a.'.repeat(124)}example`,         null],
  ['example',                            null],
  ['https://shop.example',               null],
  ['shop.example:8443',                  null],
  ['shop.example/pay',                   null],
  ['*.shop.example',                     null],
  ['192.0.2.1',                          null],
  ['[2001:db8::1]',                      null],
  ['shop.123',                           null],
  ['-shop.example',                      null],
  ['shop..example',                      null],
  ['',                                   null],
]
test('a domain is a host name in lower-case ASCII with at least two labels', () => {
  for (const [entered, host] of entries) assert.equal(hostName(entered, 'live'), host, entered)
})

test('localhost is accepted by a sandbox instance only, and counts as verified there', async () => {
  assert.equal(hostName('localhost', 'live'), null)
  const merchantId = await merchant()
  await add(merchantId, 'localhost')
  assert.equal((await find(merchantId, 'localhost'))?.state, 'verified')
})

test('every line of a batch has its result, and valid lines are stored', async () => {
  const merchantId = await merchant()
  await add(merchantId, 'old.example')
  const text = 'new.example\r\nold.example\n\nhttps://bad.example\nshop.example,test,merchant\nx.example,weekend'
  assert.deepEqual(await results(merchantId, text), ['added', 'already there', 'invalid', 'added', 'invalid'])
  const { purpose, controlledBy } = (await find(merchantId, 'shop.example')) ?? assert.fail()
  assert.deepEqual([purpose, controlledBy], ['test', 'merchant'])
})

test('a line has at most three parts', async () => {
  const answers = await results(
    await merchant(),
    'a.example,test,merchant\nb.example,test,merchant,more\nc.example,test,me',
  )
  assert.deepEqual(answers, ['added', 'invalid', 'invalid'])
})

test('a batch has at most 99 lines, valid or not', async () => {
  const lines = ['no host', ...Array.from({ length: 99 }, (_, index) => `l${index}.example`)]
  const answers = await results(await merchant(), lines.join('\n'))
  assert.deepEqual([answers[0], answers[98], answers[99]], ['invalid', 'added', 'over the limit'])
})

test('the 100th domain of a merchant is refused, production and test together', async () => {
  const merchantId = await merchant()
  const lines = Array.from({ length: 99 }, (_, index) => `d${index}.example${index % 2 ? ',test' : ''}`)
  assert.ok((await results(merchantId, lines.join('\n'))).every((result) => result === 'added'))
  const [answer] = await add(merchantId, 'one-too-many.example')
  assert.deepEqual([answer?.result, answer?.text], ['over the limit', 'At most 99 domains are allowed.'])
  await removeDomain(scene.context, { merchantId, wallet: 'walletapay' }, 'd0.example')
  assert.deepEqual(await results(merchantId, 'one-too-many.example'), ['added'])
})

test('simultaneous batches cannot exceed the limit', async () => {
  const merchantId = await merchant()
  const batch = (name: string) => Array.from({ length: 60 }, (_, index) => `${name}${index}.example`).join('\n')
  await Promise.all([add(merchantId, batch('a')), add(merchantId, batch('b'))])
  assert.equal((await walletDomainStore(scene.pool).list(merchantId, 'walletapay')).length, 99)
})

test('a domain begins as new, is ready with its file, and begins again after removal', async () => {
  const merchantId = await merchant()
  await add(merchantId, 'shop.example')
  assert.equal((await find(merchantId, 'shop.example'))?.state, 'new')
  const ready = requireEntered(await upload(merchantId, 'shop.example', Buffer.from('file')))
  assert.equal(ready.state, 'file ready')
  assert.deepEqual(ready.nextCheck, scene.clock.now())
  requireEntered(await removeDomain(scene.context, { merchantId, wallet: 'walletapay' }, 'shop.example'))
  assert.equal(await find(merchantId, 'shop.example'), null)
  await add(merchantId, 'shop.example')
  const { state, file } = (await find(merchantId, 'shop.example')) ?? assert.fail()
  assert.deepEqual([state, file], ['new', null])
  requireEntered(await removeDomain(scene.context, { merchantId, wallet: 'walletapay' }, 'shop.example'))
})

test('a file has 1 byte to 64 KiB and is stored byte for byte', async () => {
  const merchantId = await merchant()
  await add(merchantId, 'file.example')
  assert.deepEqual(faultsOf(await upload(merchantId, 'file.example', Buffer.alloc(0))), [
    'file: This value should not be blank.',
  ])
  assert.deepEqual(faultsOf(await upload(merchantId, 'file.example', Buffer.alloc(65_537))), [
    'file: This value is not valid.',
  ])
  const bytes = Buffer.from(Array.from({ length: 65_536 }, (_, index) => index % 256))
  requireEntered(await upload(merchantId, 'file.example', bytes))
  assert.ok(
    (await walletFiles(scene.pool, { ownHosts: new Set(), mayHave: () => true }).findOfHost('file.example'))?.equals(
      bytes,
    ),
  )
})

test('a file for a host that belongs to another merchant is refused', async () => {
  const [one, two] = [await merchant(), await merchant()]
  for (const merchantId of [one, two]) await add(merchantId, 'shared.example')
  requireEntered(await upload(one, 'shared.example', Buffer.from('one')))
  const refused = faultsOf(await upload(two, 'shared.example', Buffer.from('two')))
  assert.deepEqual(refused, ['domain: The domain belongs to another merchant.'])
  requireEntered(await removeDomain(scene.context, { merchantId: one, wallet: 'walletapay' }, 'shared.example'))
  requireEntered(await upload(two, 'shared.example', Buffer.from('two')))
})

test('a host under the checkout domain is accepted only for the merchant whose name it has', async () => {
  const context = { ...scene.context, checkoutDomain: 'checkout.example' }
  const [one, two] = [await merchant(), await merchant()]
  const { rows } = await scene.pool.query('select name from merchants where id = $1', [one])
  const host = `${rows[0].name}.checkout.example`
  const wishes = { purpose: 'production', controlledBy: 'operator' } as const
  const [own] = await addDomains(context, { merchantId: one, wallet: 'walletapay' }, host, wishes)
  assert.equal(own?.result, 'added')
  const [others] = await addDomains(context, { merchantId: two, wallet: 'walletapay' }, host, wishes)
  assert.deepEqual([others?.result, others?.text], ['invalid', 'The domain belongs to another merchant.'])

  // An entry from before the checkout domain was configured.
  await addDomains(scene.context, { merchantId: two, wallet: 'walletapay' }, host, wishes)
  assert.deepEqual(
    faultsOf(await uploadFile(context, { merchantId: two, wallet: 'walletapay' }, host, Buffer.from('two'))),
    ['domain: The domain belongs to another merchant.'],
  )
  requireEntered(await uploadFile(scene.context, { merchantId: two, wallet: 'walletapay' }, host, Buffer.from('two')))
  const files = walletFiles(scene.pool, { ownHosts: new Set(), mayHave: (merchantId) => merchantId === one })
  assert.equal(await files.findOfHost(host), null)
})

test('platform merchants and the service’s own hosts serve the operator’s file', async () => {
  const place = await scene.place()
  requireEntered(await saveWallet(scene.context, place, { setup: 'platform', enabled: true }))
  await add(place.merchantId, 'early.example')
  assert.equal((await find(place.merchantId, 'early.example'))?.state, 'new')
  requireEntered(await savePlatform(scene.context, { merchantIdentifier }))
  requireEntered(await savePlatformFile(scene.context, Buffer.from('operator')))
  assert.equal((await find(place.merchantId, 'early.example'))?.state, 'file ready')
  await add(place.merchantId, 'late.example')
  assert.equal((await find(place.merchantId, 'late.example'))?.state, 'file ready')
  const files = walletFiles(scene.pool, { ownHosts: new Set(['pay.example']), mayHave: () => true })
  for (const host of ['early.example', 'late.example', 'pay.example'])
    assert.equal(String(await files.findOfHost(host)), 'operator')
  assert.equal(await files.findOfHost('unknown.example'), null)
  const other = await merchant()
  await add(other, 'pay.example')
  requireEntered(await upload(other, 'pay.example', Buffer.from('mine')))
  assert.equal(String(await files.findOfHost('pay.example')), 'operator')
})

test('"verified at the wallet provider" is accepted only after a fresh check', async () => {
  const merchantId = await merchant()
  await add(merchantId, 'maker.example')
  requireEntered(await upload(merchantId, 'maker.example', Buffer.from('file')))
  const say = (fault: 'tls' | null) =>
    confirmVerified(scene.context, { merchantId, wallet: 'walletapay' }, 'maker.example', async () => fault)
  assert.deepEqual(faultsOf(await say('tls')), ['domain: The check failed: tls.'])
  assert.equal((await find(merchantId, 'maker.example'))?.verifiedAtMaker, null)
  const domain = requireEntered(await say(null))
  assert.equal(domain.state, 'verified')
  assert.deepEqual(domain.verifiedAtMaker, scene.clock.now())
})
