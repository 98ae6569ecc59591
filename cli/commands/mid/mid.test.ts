import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
  await instance.do('merchant', 'create', 'acme', '--title', 'Acme')
})
after(() => instance[Symbol.asyncDispose]())

const credentials = '{"mid":"s3cret","base_url":"http://127.0.0.1:9"}'
const make = (name: string, ...options: readonly string[]) =>
  instance.do(
    'mid',
    'create',
    name,
    '--connector',
    'sandbox',
    '--side',
    'test',
    '--credentials',
    credentials,
    ...options,
  )
const showMid = async (name: string) => (await instance.do('mid', 'show', name, '--json')).json

test('a MID stores the settings it was created with', async () => {
  await make(
    'full',
    '--payment-mode',
    'DMS',
    '--moto',
    '--card-on-file',
    '--currency',
    'eur,USD',
    '--wallet',
    'walletapay',
    '--payer-field',
    'payer_email,payer_phone',
    '--no-cards',
    '--day-limit',
    'eur:1000.00,JPY:50000',
    '--month-count',
    '20',
    '--cut-off',
    '23:30',
    '--time-zone',
    'Europe/Paris',
    '--auto-capture',
    '72',
    '--descriptor',
    'ACME',
  )
  const mid = await showMid('full')
  assert.deepEqual(mid.payer_fields, ['payer_email', 'payer_phone'])
  const { payment_mode, moto_enabled, card_on_file_enabled, currencies, wallets, cards, day_limit, day_limit_count } =
    mid
  assert.deepEqual(
    { payment_mode, moto_enabled, card_on_file_enabled, currencies, wallets, cards, day_limit, day_limit_count },
    {
      payment_mode: 'DMS',
      moto_enabled: true,
      card_on_file_enabled: true,
      currencies: ['EUR', 'USD'],
      wallets: ['walletapay'],
      cards: false,
      day_limit: ['EUR:1000.00', 'JPY:50000'],
      day_limit_count: null,
    },
  )
  const { month_limit_count, cut_off, time_zone, auto_capture_hours, descriptor, side, enabled } = mid
  assert.deepEqual(
    [month_limit_count, cut_off, time_zone, auto_capture_hours, descriptor, side, enabled],
    [20, '23:30', 'Europe/Paris', 72, 'ACME', 'test', true],
  )
})

test('credentials are hidden except for the address, unless the option asks for them', async () => {
  await make('hidden')
  const { out } = await instance.do('mid', 'show', 'hidden')
  assert.match(out, /credentials\s+mid=\*\*\*, base_url=http:\/\/127\.0\.0\.1:9$/)
  assert.ok(!out.includes('s3cret'))
  assert.match((await instance.do('mid', 'show', 'hidden', '--secrets')).out, /s3cret/)
})

test('credentials are read from a file', async () => {
  const file = join(instance.folder, 'credentials.json')
  await writeFile(file, `${credentials}\n`)
  await instance.do('mid', 'create', 'filed', '--connector', 'sandbox', '--side', 'live', '--credentials', `@${file}`)
  assert.match((await instance.do('mid', 'show', 'filed', '--secrets')).out, /s3cret/)
})

// biome-ignore format: a table is read in columns.
const refusals: readonly (readonly [title: string, connector: string, credentials: string, said: RegExp])[] = [
  ['credentials that lack a part name every fault', 'sandbox', '{"base_url":"nowhere"}', /- mid: .*\n {2}- base_url: /],
  ['credentials that are not JSON are not repeated', 'sandbox', '{s3cret',               /^The credentials are not JSON\.\n(?!.*s3cret)/],
  ['an unknown connector is answered with those there are', 'sandbx', credentials,       /There is no connector "sandbx"\. Did you mean "sandbox"\?/],
]

for (const [title, connector, credentialText, said] of refusals) {
  test(title, async () => {
    const { code, err } = await instance.run([
      'mid',
      'create',
      'refused',
      '--connector',
      connector,
      '--side',
      'test',
      '--credentials',
      credentialText,
    ])
    assert.equal(code, 1)
    assert.match(err, said)
    assert.doesNotMatch((await instance.do('mid', 'list')).out, /refused/)
  })
}

test('an update changes what was given and leaves the rest', async () => {
  await make('changed', '--day-limit', 'EUR:5', '--day-count', '5', '--moto')
  await instance.do('mid', 'update', 'changed', '--no-day-limit', '--no-moto', '--currency', 'EUR')
  const { day_limit, day_limit_count, moto_enabled, currencies, payment_mode } = await showMid('changed')
  assert.deepEqual(
    [day_limit, day_limit_count, moto_enabled, currencies, payment_mode],
    [[], 5, false, ['EUR'], 'SMS/DMS'],
  )
})

test('a MID offers the brands that are enabled on it, and a brand outside the catalogue is reported', async () => {
  await make('branded')
  assert.equal((await instance.do('mid', 'update', 'branded', '--brand', 'bank-redirect,vcard')).err, '')
  assert.deepEqual((await showMid('branded')).brands, ['bank-redirect', 'vcard'])
  const { err } = await instance.do('mid', 'update', 'branded', '--brand', 'no-such')
  assert.match(err, /Note: the catalogue has no brand "no-such"\./)
})

test('credentials are replaced as a whole', async () => {
  await make('rekeyed')
  await instance.do('mid', 'update', 'rekeyed', '--credentials', '{"mid":"other","base_url":"http://127.0.0.1:10"}')
  const { credentials: stored } = (await instance.do('mid', 'show', 'rekeyed', '--secrets', '--json')).json
  assert.deepEqual(JSON.parse(stored), { mid: 'other', base_url: 'http://127.0.0.1:10' })
})

test('a MID is disabled and enabled', async () => {
  await make('switched')
  await instance.do('mid', 'disable', 'switched')
  assert.equal((await showMid('switched')).enabled, false)
  await instance.do('mid', 'enable', 'switched')
  assert.equal((await showMid('switched')).enabled, true)
})

test('a link is created once per channel; linking again changes it', async () => {
  await make('linked')
  await instance.do('mid', 'link', 'acme', 'linked', '--priority', '10', '--week-limit', 'KWD:0.9')
  await instance.do('mid', 'link', 'acme', 'linked', '--weight', '3')
  await instance.do('mid', 'link', 'acme', 'linked', '--channel', 'phone')
  const { rows } = await instance.database.pool.query<{ channel: string | null }>(
    `select channel, priority, weight, week_limit_amounts ->> 'KWD' as week from merchant_mappings order by channel nulls first`,
  )
  assert.deepEqual(rows, [
    { channel: null, priority: 10, weight: 3, week: '900' },
    { channel: 'phone', priority: 100, weight: 1, week: null },
  ])
  assert.deepEqual((await showMid('linked')).merchants, ['acme'])

  await instance.do('mid', 'unlink', 'acme', 'linked', '--channel', 'phone')
  await instance.do('mid', 'unlink', 'acme', 'linked')
  assert.deepEqual((await showMid('linked')).merchants, [])
  assert.equal((await instance.run(['mid', 'unlink', 'acme', 'linked'])).code, 1)
})

test('a new merchant gets its MIDs in the order of their priority', async () => {
  await make('second')
  await make('first')
  await instance.do('merchant', 'create', 'served', '--title', 'Served', '--mid', 'first', '--mid', 'second')
  assert.deepEqual((await instance.do('merchant', 'show', 'served', '--json')).json.mids, ['first', 'second'])
})
