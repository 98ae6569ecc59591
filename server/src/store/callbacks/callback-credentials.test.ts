import assert from 'node:assert/strict'
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { addressKey } from '#domain/address/callback-address.ts'
import type { CallbackAddresses } from '#server/contracts/ports.ts'
import { openVault } from '#server/vault/vault.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { dataKeyRows } from '../instance/data-keys.ts'
import { addressKeyOf } from './callback-address.ts'
import { callbackAddresses } from './callback-credentials.ts'

const clock = { now: () => new Date('2026-03-01T00:00:00Z') }
const [merchant, other] = [randomUUID(), randomUUID()]
const address = 'https://shop%40eu:p%3Aw@shop.example/notify?o=1'
let database: TestDatabase
let addresses: CallbackAddresses
before(async () => {
  database = await testDatabase()
  const ring = { current: 'k1', keys: new Map([['k1', createSecretKey(randomBytes(32))]]) }
  const vault = await openVault({ ring, keys: dataKeyRows(database.pool), clock })
  addresses = callbackAddresses({ pool: database.pool, vault, clock })
})
after(() => database.drop())

test('an address without credentials is stored as it was given', async () => {
  assert.equal(await addresses.seal(merchant, 'https://Shop.example'), 'https://Shop.example')
  assert.equal((await addresses.open(merchant, 'https://Shop.example')).reveal(), 'https://Shop.example')
})

test('credentials are not in the stored address, and come back when it is opened', async () => {
  const stored = await addresses.seal(merchant, address)
  assert.doesNotMatch(stored, /shop%40eu|p%3Aw/)
  assert.equal((await addresses.open(merchant, stored)).reveal(), address)
})

test('equal credentials of a merchant share one row, whatever the number of addresses', async () => {
  const one = await addresses.seal(merchant, address)
  const two = await addresses.seal(merchant, address.replace('?o=1', '?o=2'))
  assert.equal(two, one.replace('?o=1', '?o=2'))
  const { rows } = await database.pool.query('select id from callback_credentials where merchant_id = $1', [merchant])
  assert.equal(rows.length, 1)
})

test('a reference to credentials cannot be opened for another merchant', async () => {
  await assert.rejects(addresses.open(other, await addresses.seal(merchant, address)))
})

test('a merchant cannot obtain stored credentials by sending an address that contains a reference', async () => {
  const reference = /sealed:[^@]*/.exec(await addresses.seal(merchant, address))?.[0] ?? ''
  const forged = await addresses.seal(merchant, `https://${reference}@elsewhere.example/`)
  assert.equal((await addresses.open(merchant, forged)).reveal(), `https://${reference}@elsewhere.example/`)
})

test('an address that an earlier release stored in clear text is still delivered to', async () => {
  assert.equal((await addresses.open(merchant, address)).reveal(), address)
})

test('the database and the domain compute the same key for an address', async () => {
  const samples = [
    address,
    'https://shop.example',
    'HTTPS://a@Shop.example/x#y',
    'https:\\\\a:b@shop.example/n\\m?x',
    'https:a:b@shop.example/n',
    'https://a@b@shop.example/@x?y@z',
    'http://[::1]:80/a\nb?c',
    'nothing',
  ]
  const { rows } = await database.pool.query<{ key: string }>(
    `select ${addressKeyOf('url')} as key from unnest($1::text[]) as given (url)`,
    [samples],
  )
  assert.deepEqual(
    rows.map(({ key }) => key),
    samples.map(addressKey),
  )
})
