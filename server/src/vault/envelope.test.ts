import assert from 'node:assert/strict'
import { createSecretKey, webcrypto } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { secret } from '#domain/secret.ts'
import { type DataKey, newKey, open, type SealContext, seal, sealedVersion, unwrap, wrap } from './envelope.ts'
import { VaultError } from './vault-error.ts'

const merchant = '01890000-0000-7000-8000-000000000001'
const another = '01890000-0000-7000-8000-000000000002'
const pan = '4111111111111111'
const cardOf: SealContext = { scope: merchant, purpose: 'card' }
const dataKey: DataKey = { version: 7, key: newKey() }
const text = fc.string({ unit: 'grapheme', maxLength: 80 })

test('any text comes back unchanged', () => {
  fc.assert(
    fc.property(text, fc.nat(0xffffffff), (value, version) => {
      const key = { version, key: dataKey.key }
      assert.equal(open(key, cardOf, seal(key, cardOf, secret(value))).reveal(), value)
    }),
  )
})

test('a sealed value with any bit changed does not open', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(7), (value, at, bit) => {
      const sealed = seal(dataKey, cardOf, secret(value))
      assert.throws(() => open(dataKey, cardOf, flip(sealed, at, bit)), VaultError)
    }),
  )
})

test('a shortened or extended sealed value does not open', () => {
  const sealed = seal(dataKey, cardOf, secret(pan))
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => open(dataKey, cardOf, sealed.subarray(0, length)), VaultError)
  }
  assert.throws(() => open(dataKey, cardOf, Buffer.concat([sealed, Buffer.alloc(1)])), VaultError)
})

test('a sealed value opens only for its own scope, purpose, key and version', () => {
  const sealed = seal(dataKey, cardOf, secret(pan))
  assert.throws(() => open(dataKey, { ...cardOf, scope: another }, sealed), VaultError)
  assert.throws(() => open(dataKey, { ...cardOf, purpose: 'password' }, sealed), VaultError)
  assert.throws(() => open({ version: 7, key: newKey() }, cardOf, sealed), VaultError)
  assert.throws(() => open({ version: 8, key: dataKey.key }, cardOf, sealed), VaultError)
})

test('equal values are sealed to different bytes, and the bytes do not contain the value', () => {
  const first = seal(dataKey, cardOf, secret(pan))
  assert.notDeepEqual(first, seal(dataKey, cardOf, secret(pan)))
  assert.equal(first.indexOf(pan), -1)
})

test('text without a UTF-8 form is refused instead of being sealed as something else', () => {
  assert.throws(() => seal(dataKey, cardOf, secret('\ud800')), VaultError)
})

test('a sealed value is format, version, nonce, tag and ciphertext of AES-256-GCM, by another implementation', async () => {
  const bytes = Buffer.alloc(32, 9)
  const sealed = seal({ version: 7, key: createSecretKey(bytes) }, cardOf, secret(pan))
  assert.equal(sealed[0], 1)
  assert.equal(sealed.readUInt32BE(1), 7)

  const key = await webcrypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt'])
  const additionalData = Buffer.from(`["value",1,"${merchant}","card",7]`)
  const message = Buffer.concat([sealed.subarray(33), sealed.subarray(17, 33)])
  const plain = await webcrypto.subtle.decrypt(
    { name: 'AES-GCM', iv: sealed.subarray(5, 17), additionalData },
    key,
    message,
  )
  assert.equal(Buffer.from(plain).toString(), pan)
})

test('values sealed and wrapped by the first release still open', () => {
  const kek = createSecretKey(Buffer.alloc(32, 1))
  const wrapped = Buffer.from(
    '0143a400dd8d21daa7c3df0a46d349b40678ef9616a2480f665cb7e92c2059c6ae7d697e814172270db73c6fdf5fcbf1a8a318f3ff787436eb04176c2c',
    'hex',
  )
  const sealed = Buffer.from(
    '0100000003c33785a16f11b56cbc788d7350e6cc7b8ef86e2c57abeb20af9bd6a44b2503ac38592ac0bd0d147ad5d5b5ec',
    'hex',
  )
  const key = unwrap(kek, { scope: merchant, version: 3, kekId: 'k1' }, wrapped)
  assert.equal(open({ version: sealedVersion(sealed), key }, cardOf, sealed).reveal(), pan)
})

test('a wrapped data key opens only with its own key-encryption key, scope, version and key id', () => {
  const kek = newKey()
  const wrapping = { scope: merchant, version: 1, kekId: 'k1' }
  const wrapped = wrap(kek, wrapping, dataKey.key)

  assert.ok(unwrap(kek, wrapping, wrapped).equals(dataKey.key))
  assert.throws(() => unwrap(newKey(), wrapping, wrapped), VaultError)
  assert.throws(() => unwrap(kek, { ...wrapping, scope: another }, wrapped), VaultError)
  assert.throws(() => unwrap(kek, { ...wrapping, version: 2 }, wrapped), VaultError)
  assert.throws(() => unwrap(kek, { ...wrapping, kekId: 'k2' }, wrapped), VaultError)
  for (let length = 0; length < wrapped.length; length += 1) {
    assert.throws(() => unwrap(kek, wrapping, wrapped.subarray(0, length)), VaultError)
  }
  for (let at = 0; at < wrapped.length; at += 1) {
    assert.throws(() => unwrap(kek, wrapping, flip(wrapped, at, 0)), VaultError)
  }
})

test('neither an error nor a key prints a secret', () => {
  const bytes = Buffer.alloc(32, 'K')
  const key = createSecretKey(bytes)
  const sealed = seal({ version: 7, key }, cardOf, secret(pan))
  const errors = [
    () => open({ version: 7, key }, { ...cardOf, purpose: 'password' }, sealed),
    () => open({ version: 7, key }, cardOf, flip(sealed, 40, 0)),
    () => open({ version: 7, key }, cardOf, Buffer.from(pan)),
    () => seal({ version: 7, key }, cardOf, secret(`${pan}\ud800`)),
  ].map(thrown)

  for (const printed of [...errors, key, open({ version: 7, key }, cardOf, sealed)].map(deeply)) {
    assert.ok(!printed.includes(pan))
    assert.ok(!printed.includes(bytes.toString('hex')) && !printed.includes('75, 75') && !printed.includes('KKKK'))
  }
})

function flip(bytes: Buffer, at: number, bit: number): Buffer {
  const changed = Buffer.from(bytes)
  const index = at % changed.length
  changed.writeUInt8(changed.readUInt8(index) ^ (1 << bit), index)
  return changed
}

function thrown(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    assert.ok(error instanceof VaultError)
    return error
  }
}

function deeply(value: unknown): string {
  return inspect(value, { depth: 10, showHidden: true, getters: true }) + JSON.stringify(value) + String(value)
}
