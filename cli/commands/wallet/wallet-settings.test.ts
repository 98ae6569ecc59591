import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSandbox } from '#server/demo/sandbox-process.ts'
import { merchantIdentifier, pairOf } from '../../../server/test/wallets/wallet-setup.ts'
import { findUnusedUrl, openTestInstance, type TestInstance } from '../../test/gatehouse.ts'
import { openOtherProgram } from '../../test/other-program.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
  for (const name of ['acme', 'other']) await instance.do('merchant', 'create', name, '--title', 'Acme')
})
after(() => instance[Symbol.asyncDispose]())

const set = (...options: readonly string[]) => instance.run(['wallet', 'settings', 'set', 'acme', ...options])
const showSettings = async (...options: readonly string[]) =>
  (await instance.do('wallet', 'settings', 'show', 'acme', '--json', ...options)).json

const completeOptions =
  `--merchant-identifier ${merchantIdentifier} --country DE --shop-name Acme --enabled --capability supports3DS --network visa,masterCard`
    .split(' ')
    .concat('--trust-source', 'wallet maker')

test('settings are created, shown with their state, and changed one by one', async () => {
  assert.equal((await set(...completeOptions)).code, 0)
  const { state, fields, reasons } = await showSettings()
  assert.equal(state, 'degraded')
  assert.match(String(reasons), /identity certificate, a verified domain/)
  assert.deepEqual(fields.supportedNetworks, ['visa', 'masterCard'])
  await set('--no-country')
  assert.equal((await showSettings()).fields.country, undefined)
  await set('--country', 'FR', '--no-enabled')
  assert.equal((await showSettings()).state, 'disabled')
})

test('an invalid entry is refused in the words of the chapter and changes nothing', async () => {
  const { code, err } = await set('--shop-name', 'New', '--country', 'XX', '--processing-private-key', 'x')
  assert.equal(code, 1)
  assert.match(err, /country: This value is not valid\./)
  assert.match(err, /processing_private_key: Not a key/)
  assert.notEqual((await showSettings()).fields.shopName, 'New')
})

test('keys are read from files, rotate, and are shown only by fingerprint', async () => {
  const [one, two] = [pairOf('cli one'), pairOf('cli two')]
  const file = join(instance.folder, 'one.key')
  await writeFile(file, `${one.privateKey}\n`)
  assert.equal((await set('--processing-private-key', `@${file}`)).code, 0)
  const added = await instance.run(['wallet', 'key', 'add', 'acme', '--private-key', '@-'], { input: two.privateKey })
  assert.match(added.err, /is next/)
  await instance.do('wallet', 'key', 'promote', two.fingerprint.slice(0, 12), 'acme', '--retire-after', '2d')
  const { keys } = await showSettings()
  assert.deepEqual(
    keys.map(({ fingerprint, state }: { fingerprint: string; state: string }) => [fingerprint, state]),
    [
      [one.fingerprint, 'retiring'],
      [two.fingerprint, 'current'],
    ],
  )
  assert.ok(!JSON.stringify(keys).includes(one.privateKey))
  await instance.do('wallet', 'key', 'retire', one.fingerprint, 'acme')
  await instance.do('wallet', 'key', 'certificate', 'acme', `--certificate=${two.certificate}`)
  const { out } = await instance.do('wallet', 'key', 'generate', 'acme')
  assert.match(out, /^-----BEGIN CERTIFICATE REQUEST-----/)
})

test('domains are added in batches, with one answer per line', async () => {
  const ran = await instance.run(['wallet', 'domain', 'add', 'acme', '--file', '-'], {
    input: 'shop.example,test\nhttps://bad.example\nshop.example',
  })
  assert.equal(ran.code, 1)
  assert.match(ran.out, /shop\.example,test +added/)
  assert.match(ran.out, /https:\/\/bad\.example +invalid +This value is not valid\./)
  assert.match(ran.out, /shop\.example +already there/)
  const file = join(instance.folder, 'association')
  await writeFile(file, 'bytes')
  assert.match((await instance.do('wallet', 'domain', 'file', 'acme', 'shop.example', file)).out, /serves 5 bytes/)
  const [domain] = (await instance.do('wallet', 'domain', 'list', 'acme', '--json')).json
  assert.deepEqual([domain.domain, domain.state, domain.purpose], ['shop.example', 'file ready', 'test'])
  await instance.do('wallet', 'domain', 'remove', 'acme', 'shop.example')
  assert.deepEqual((await instance.do('wallet', 'domain', 'list', 'acme', '--json')).json, [])
})

test('a batch without new domains and an empty batch are reported as such', async () => {
  const wrong = await instance.run(['wallet', 'domain', 'add', 'acme', 'not a domain'])
  assert.equal(wrong.code, 1, wrong.err)
  assert.match(wrong.out, /not a domain/)
  const none = await instance.run(['wallet', 'domain', 'add', 'acme'])
  assert.match(none.err, /No domain given/)
})

test('the operator’s record serves platform merchants, who have no keys of their own', async () => {
  const { privateKey, certificate } = pairOf('cli platform')
  await instance.do('wallet', 'platform', 'set', '--merchant-identifier', merchantIdentifier)
  await instance.do('wallet', 'key', 'add', '--platform', '--private-key', privateKey, `--certificate=${certificate}`)
  const other = ['wallet', 'settings', 'set', 'other', '--setup', 'platform']
  const refused = await instance.run([...other, `--certificate=${certificate}`])
  assert.match(refused.err, /certificate: Not used in the platform setup\./)
  await instance.do(...other, '--enabled', '--merchant-identifier', 'merchant.assigned')
  const { out } = await instance.do('wallet', 'settings', 'list')
  assert.match(out, /other +walletapay +live +platform +degraded/)
  const file = join(instance.folder, 'platform-file')
  await writeFile(file, 'operator')
  await instance.do('wallet', 'platform', 'file', file)
})

test('the countries of the wallet provider can be changed and restored', async () => {
  const list = async (...options: readonly string[]) => (await instance.do('wallet', 'countries', ...options)).out
  const before = await list()
  assert.equal(await list('--country', 'FR,DE'), 'DE FR')
  assert.match((await set('--country', 'US')).err, /country: This value is not valid\./)
  assert.equal(await list('--no-country'), before)
})

test('check and doctor repeat the checks that were made at entry', async () => {
  await set('--enabled')
  const { pool } = instance.database
  await pool.query(
    "update wallet_keys set certificate_until = '2020-01-01', certificate = $1 where state = 'current'",
    [pairOf('cli two', { until: '2025-02-01T00:00:00Z' }).certificate],
  )
  const { code, out } = await instance.run(['wallet', 'check', '--merchant', 'acme'])
  assert.equal(code, 1)
  assert.match(out, /problem: processing_certificate: The certificate expired on 2025-02-01\./)
  const doctor = await instance.run(['doctor'])
  assert.match(doctor.out, /PROBLEM +wallets +walletapay of acme \(live\): processing_certificate/)
})

test('a wallet is enabled for tests with certificates of the sandbox, and works at once', async () => {
  const missing = await instance.run(['wallet', 'enable', 'other'])
  assert.match(missing.err, /The sandbox was not found/)
  const sandbox = await startSandbox(instance.folder)
  try {
    const environment = { ...instance.environment, SANDBOX_URL: sandbox.url }
    await instance.do('merchant', 'create', 'fresh', '--title', 'Fresh')
    const ran = await instance.run(['wallet', 'enable', 'fresh'], { environment })
    assert.equal(ran.code, 0, ran.err)
    for (const options of [[], ['--side', 'test'], ['--wallet', 'walletbpay', '--side', 'test']]) {
      const { json } = await instance.do('wallet', 'settings', 'show', 'fresh', '--json', ...options)
      assert.equal(json.state, 'live', `${json.wallet} ${json.side}: ${json.reasons}`)
      assert.equal(json.trustSource, 'sandbox authority')
    }
    // Enabling it again changes nothing.
    assert.equal((await instance.run(['wallet', 'enable', 'fresh'], { environment })).code, 0)
    const platform = await instance.run(['wallet', 'enable', 'other', '--wallet', 'walletapay', '--side', 'live'], {
      environment,
    })
    assert.equal(platform.code, 1)
    assert.match(platform.err, /walletapay cannot be enabled for other: .+--setup own_account/s)
    const { json } = await instance.do('wallet', 'settings', 'show', 'fresh', '--json')
    assert.deepEqual([json.side, json.keys.map(({ side }: { side: string }) => side)], ['live', ['live', 'live']])
  } finally {
    await sandbox.stop()
  }
})

test('a silent sandbox and another program at its address are told apart when a wallet is enabled', async () => {
  await instance.do('merchant', 'create', 'late', '--title', 'Late')
  const enable = async (url: string) => {
    const { code, err } = await instance.run(['wallet', 'enable', 'late'], { environment: { SANDBOX_URL: url } })
    assert.equal(code, 1)
    return err
  }
  assert.match(
    await enable(await findUnusedUrl()),
    /^The sandbox issued no certificate: it does not answer\.\nStart .*$/,
  )
  await using other = await openOtherProgram()
  assert.match(
    await enable(other.url),
    /^The sandbox issued no certificate: its answer cannot be read\.\nAnother program may use http:.*: .*$/,
  )
})

test('open alerts are listed and muted with a reason', async () => {
  const { pool } = instance.database
  await pool.query(
    `insert into wallet_notices (merchant_id, side, wallet, kind, subject, text, first_at, last_at)
     select id, 'live', 'walletapay', 'wallet session failing', '', 'No session.', now(), now() from merchants where name = 'acme'`,
  )
  assert.match((await instance.do('wallet', 'alarm', 'list')).out, /acme +walletapay +live +wallet session failing/)
  const mute = ['wallet', 'alarm', 'mute', 'wallet session failing', 'acme']
  assert.equal((await instance.run(mute)).code, 2)
  await instance.do(...mute, '--reason', 'known')
  assert.match((await instance.do('wallet', 'alarm', 'list')).out, /known/)
})

test('every change is in the history', async () => {
  const { out } = await instance.do('wallet', 'settings', 'history', 'acme')
  const { json } = await instance.do('wallet', 'settings', 'history', 'acme', '--json')
  assert.equal(json[0].side, 'live')
  assert.match(out, /command line \(anna@desk\) +live +Settings were created\./)
  assert.match(out, /The processing key was promoted\./)
})
