import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { systemClock } from '#server/process/clock.ts'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
})
after(() => instance[Symbol.asyncDispose]())

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A merchant of its own for each test. */
async function make(name: string, ...options: readonly string[]) {
  return (await instance.do('merchant', 'create', name, '--title', `Shop ${name}`, '--json', ...options)).json
}
const showMerchant = async (name: string) => (await instance.do('merchant', 'show', name, '--secrets', '--json')).json

test('a new merchant has two keys, a password, a webhook secret and mappings for the three protocols', async () => {
  const merchant = await make('fresh')
  assert.match(merchant.key, uuid)
  assert.match(merchant.test_key, uuid)
  assert.notEqual(merchant.key, merchant.test_key)
  assert.match(merchant.password, /^[0-9a-f]{32}$/)
  assert.match(merchant.webhook_secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.deepEqual((await showMerchant('fresh')).protocols.toSorted(), ['CHECKOUT', 'S2S_APM', 'S2S_CARD'])
})

test('--without-mappings creates no mappings', async () => {
  await make('bare', '--without-mappings')
  assert.deepEqual((await showMerchant('bare')).protocols, [])
})

test('settings given at creation are stored', async () => {
  const options = [
    '--notification-url',
    'https://a.example/n',
    '--ip',
    '203.0.113.0/24',
    '--ip',
    '2001:db8::1',
    '--time-zone',
    'Europe/Paris',
  ]
  await make(
    'set',
    ...options,
    '--rate',
    '50',
    '--test-only',
    '--currency',
    'eur',
    '--debit-commission',
    'EUR:0.55+1.5%',
  )
  const { notification_url, allowed_ips, time_zone, rate_per_second, test_only, default_currency, ...rest } =
    await showMerchant('set')
  assert.deepEqual(
    { notification_url, allowed_ips, time_zone, rate_per_second, test_only, default_currency },
    {
      notification_url: 'https://a.example/n',
      allowed_ips: ['203.0.113.0/24', '2001:db8::1'],
      time_zone: 'Europe/Paris',
      rate_per_second: 50,
      test_only: true,
      default_currency: 'EUR',
    },
  )
  assert.deepEqual(rest.debit_commission, ['EUR:0.55+1.5%'])
})

test('the VAT rate is set and removed', async () => {
  await make('taxed', '--vat', '19.5')
  assert.equal((await showMerchant('taxed')).vat_percent, '19.5')
  await instance.do('merchant', 'update', 'taxed', '--no-vat')
  assert.equal((await showMerchant('taxed')).vat_percent, null)
})

test('two merchants cannot have the same name', async () => {
  await make('once')
  const { code, err } = await instance.run(['merchant', 'create', 'once', '--title', 'Another'])
  assert.equal(code, 1)
  assert.match(err, /The merchant "once" already exists/)
})

test('a merchant is not created if one of its MIDs does not exist', async () => {
  const { code, err } = await instance.run(['merchant', 'create', 'half', '--title', 'Half', '--mid', 'no-such-mid'])
  assert.equal(code, 1)
  assert.match(err, /There is no MID "no-such-mid"/)
  assert.doesNotMatch((await instance.do('merchant', 'list')).out, /half/)
})

test('the list shows every merchant and no secret', async () => {
  const { password, webhook_secret, key } = await make('listed')
  for (const { out } of [await instance.do('merchant', 'list'), await instance.do('merchant', 'list', '--json')]) {
    assert.ok(out.includes(key))
    assert.ok(!out.includes(password) && !out.includes(webhook_secret))
  }
})

test('secrets are shown only with the option that asks for them', async () => {
  const { password, webhook_secret } = await make('secretive')
  const plain = await instance.do('merchant', 'show', 'secretive')
  assert.ok(!plain.out.includes(password) && !plain.out.includes(webhook_secret))
  const secrets = await showMerchant('secretive')
  assert.deepEqual([secrets.password, secrets.webhook_secrets], [password, [webhook_secret]])
})

test('a merchant is also found by either of its keys', async () => {
  const { key, test_key } = await make('keyed')
  assert.match((await instance.do('merchant', 'show', key)).out, /keyed/)
  assert.match((await instance.do('merchant', 'show', test_key)).out, /keyed/)
})

test('for a merchant that does not exist, the nearest name is suggested', async () => {
  await make('misspelled')
  assert.match(
    (await instance.run(['merchant', 'show', 'mispelled'])).err,
    /There is no merchant "mispelled"\.\nDid you mean "misspelled"\?/,
  )
})

test('an update changes what was given, leaves the rest, and shows the difference', async () => {
  const before = await make('updated', '--rate', '7')
  const { out } = await instance.do(
    'merchant',
    'update',
    'updated',
    '--notification-url',
    'http://127.0.0.1:8090/',
    '--title',
    'New',
  )
  assert.match(out, /notification_url\s+-\s+http:\/\/127\.0\.0\.1:8090\//)
  const now = await showMerchant('updated')
  assert.deepEqual(
    [now.title, now.notification_url, now.rate_per_second, now.key, now.password],
    ['New', 'http://127.0.0.1:8090/', 7, before.key, before.password],
  )
})

test('user name and password in an address are never shown, survive other changes, and are not moved to another host', async () => {
  const masked = 'https://•••@a.example/n'
  await make('hidden', '--notification-url', 'https://shop:canary-pw@a.example/n')
  await instance.do('merchant', 'update', 'hidden', '--notification-url', masked, '--rate', '7')
  const { out } = await instance.do(
    'merchant',
    'update',
    'hidden',
    '--notification-url',
    'https://shop:canary-new@a.example/n',
  )
  assert.match(out, /https:\/\/•••@a\.example\/n \(credentials re-entered\)/)
  assert.equal((await showMerchant('hidden')).notification_url, masked)
  assert.doesNotMatch((await instance.do('merchant', 'list')).out, /canary/)
  const elsewhere = await instance.run([
    'merchant',
    'update',
    'hidden',
    '--notification-url',
    'https://•••@b.example/n',
  ])
  assert.match(elsewhere.err, /Enter the full address with both/)
  const { rows } = await instance.database.pool.query<{ text: string }>(
    'select m::text as text from merchants m union all select a::text from audit_log a',
  )
  assert.ok(rows.every(({ text }) => !text.includes('canary')))
})

test('--no-… removes a setting', async () => {
  await make(
    'cleared',
    '--notification-url',
    'https://a.example/n',
    '--rate',
    '7',
    '--ip',
    '203.0.113.7',
    '--test-only',
  )
  await instance.do('merchant', 'update', 'cleared', '--no-notification-url', '--no-rate', '--no-ip', '--no-test-only')
  const { notification_url, rate_per_second, allowed_ips, test_only } = await showMerchant('cleared')
  assert.deepEqual([notification_url, rate_per_second, allowed_ips, test_only], [null, null, [], false])
})

test('commissions on debits are set per currency, as fixed part, percentage or both', async () => {
  await make('debits', '--debit-commission', 'eur:0.20+3.5%,JPY:30')
  assert.deepEqual((await showMerchant('debits')).debit_commission, ['EUR:0.20+3.5%', 'JPY:30+0%'])
  await instance.do('merchant', 'update', 'debits', '--debit-commission', 'USD:1.2345%')
  assert.deepEqual((await showMerchant('debits')).debit_commission, ['USD:0.00+1.2345%'])
  await instance.do('merchant', 'update', 'debits', '--no-debit-commission')
  assert.deepEqual((await showMerchant('debits')).debit_commission, [])
})

for (const text of ['EUR', 'EUR:', 'EUR:0.201', 'EUR:1.23456%', 'EUR:101%', 'XXX1:1', 'ZZZ:1', 'EUR:1+2', 'EUR:-1']) {
  test(`"${text}" is refused as a commission`, async () => {
    const { code, err } = await instance.run(['merchant', 'update', 'fresh', '--debit-commission', text])
    assert.equal(code, 2)
    assert.match(err, /--debit-commission must be a commission such as EUR:0.20\+3.5%/)
  })
}

test('a merchant is blocked and unblocked', async () => {
  await make('bad')
  await instance.do('merchant', 'block', 'bad')
  assert.equal((await showMerchant('bad')).status, 'blocked')
  await instance.do('merchant', 'unblock', 'bad')
  assert.equal((await showMerchant('bad')).status, 'active')
})

test('after a password rotation the old password stays valid for the overlap', async () => {
  const { password } = await make('rotated')
  const begun = systemClock().now().getTime()
  const rotated = (await instance.do('merchant', 'rotate', 'rotated', '--overlap', '48h', '--json')).json
  const now = await showMerchant('rotated')
  assert.notEqual(rotated.password, password)
  assert.deepEqual([now.password, now.previous_password], [rotated.password, password])
  const hours = (new Date(now.previous_password_until).getTime() - begun) / 3_600_000
  assert.ok(hours >= 48 && hours < 48.1, `${hours} hours`)
})

test('a webhook secret is added beside the old one, and the old one is removed afterwards', async () => {
  const { webhook_secret: old } = await make('hooked')
  const { webhook_secret: added } = (await instance.do('merchant', 'rotate', 'hooked', '--webhook-secret', '--json'))
    .json
  assert.deepEqual((await showMerchant('hooked')).webhook_secrets, [old, added])
  await instance.do('merchant', 'rotate', 'hooked', '--webhook-secret', '--drop-old')
  assert.deepEqual((await showMerchant('hooked')).webhook_secrets, [added])
})

test('the only webhook secret is never removed', async () => {
  const { webhook_secret } = await make('alone')
  assert.equal((await instance.run(['merchant', 'rotate', 'alone', '--webhook-secret', '--drop-old'])).code, 1)
  assert.deepEqual((await showMerchant('alone')).webhook_secrets, [webhook_secret])
})
