import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { secret } from '#domain/secret.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { sealedVersion } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'
import { FINGERPRINT_SCOPE, PLATFORM_SCOPE, type Purpose } from './port.ts'
import { resealValues, rewrapDataKeys } from './rotate.ts'
import { InMemoryKeys } from './testing/in-memory-keys.ts'
import { openVault } from './vault.ts'
import { VaultError } from './vault-error.ts'

const merchant = '01890000-0000-7000-8000-000000000001'
const another = '01890000-0000-7000-8000-000000000002'
const pan = '4111111111111111'
const start = new Date('2026-03-01T00:00:00Z')
const clock = { now: () => start }
const later = new Date(start.getTime() + 1)
const ring = ringOf('k1')

test('a value sealed for a merchant opens only for that merchant and purpose', async () => {
  const vault = await openVault({ ring, keys: new InMemoryKeys(), clock })
  const sealed = await vault.seal(merchant, 'card', secret(pan))
  await vault.prepareScope(another)

  assert.equal((await vault.open(merchant, 'card', sealed)).reveal(), pan)
  await assert.rejects(vault.open(another, 'card', sealed), VaultError)
  await assert.rejects(vault.open(PLATFORM_SCOPE, 'card', sealed), VaultError)
  await assert.rejects(vault.open(merchant, 'password', sealed), VaultError)
})

test('any value opens in another process on the same database', async () => {
  const keys = new InMemoryKeys()
  const one = await openVault({ ring, keys, clock })
  const other = await openVault({ ring, keys, clock })
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.constantFrom(merchant, another), async (value, scope) => {
      assert.equal((await other.open(scope, 'card', await one.seal(scope, 'card', secret(value)))).reveal(), value)
    }),
    { numRuns: 30 },
  )
})

test('processes that start and seal at once on an empty database agree on every key', async () => {
  const keys = new InMemoryKeys()
  const vaults = await Promise.all(Array.from({ length: 5 }, () => openVault({ ring, keys, clock })))
  const sealed = await Promise.all(vaults.map((vault) => vault.seal(merchant, 'card', secret(pan))))
  const fingerprints = new Set(vaults.map((vault) => vault.fingerprint(merchant, 'card', secret(pan))))

  assert.equal(fingerprints.size, 1)
  for (const vault of vaults) {
    for (const value of sealed) assert.equal((await vault.open(merchant, 'card', value)).reveal(), pan)
  }
})

test('once a scope is ready, sealing and opening need no database', async () => {
  const keys = new InMemoryKeys()
  const vault = await openVault({ ring, keys, clock })
  await vault.prepareScope(merchant)
  keys.loads = 0
  await vault.open(merchant, 'card', await vault.seal(merchant, 'card', secret(pan)))
  assert.equal(keys.loads, 0)
})

test('simultaneous payments of one merchant share one look-up', async () => {
  const keys = new InMemoryKeys()
  await (await openVault({ ring, keys, clock })).prepareScope(merchant)
  const vault = await openVault({ ring, keys, clock })
  keys.loads = 0
  await Promise.all(Array.from({ length: 20 }, () => vault.seal(merchant, 'card', secret(pan))))
  assert.equal(keys.loads, 1)
})

test('a failed look-up is not cached, so that the next payment tries again', async () => {
  const keys = new InMemoryKeys()
  const vault = await openVault({ ring, keys, clock })
  const load = keys.load
  keys.load = () => Promise.reject(new Error('connection lost'))
  await assert.rejects(vault.seal(merchant, 'card', secret(pan)), /connection lost/)
  keys.load = load
  assert.equal((await vault.open(merchant, 'card', await vault.seal(merchant, 'card', secret(pan)))).reveal(), pan)
})

test('more scopes than memory holds still open', async () => {
  const keys = new InMemoryKeys()
  const vault = await openVault({ ring, keys, clock, maxScopes: 2 })
  const scopes = Array.from({ length: 6 }, (_, index) => `01890000-0000-7000-8000-00000000010${index}`)
  const sealed = await Promise.all(scopes.map((scope) => vault.seal(scope, 'card', secret(scope))))
  for (const [index, scope] of scopes.entries()) {
    assert.equal((await vault.open(scope, 'card', sealed[index] ?? Buffer.alloc(0))).reveal(), scope)
  }
})

test('opening for a scope that never sealed anything creates no key', async () => {
  const keys = new InMemoryKeys()
  const vault = await openVault({ ring, keys, clock })
  const sealed = await vault.seal(merchant, 'card', secret(pan))
  await assert.rejects(vault.open(another, 'card', sealed), VaultError)
  assert.ok(keys.rows.every((row) => row.scope !== another))
})

test("a scope in another spelling is refused, because its values could not be opened by the database's id", async () => {
  const vault = await openVault({ ring, keys: new InMemoryKeys(), clock })
  for (const scope of ['', 'platform', '0189ABCD-0000-7000-8000-000000000001', `${merchant} `, FINGERPRINT_SCOPE]) {
    await assert.rejects(vault.prepareScope(scope), VaultError)
    assert.throws(() => vault.fingerprint(scope, 'card', secret(pan)), VaultError)
  }
})

test('a different key under the same name is found at the start, not at the first payment', async () => {
  const keys = new InMemoryKeys()
  await openVault({ ring, keys, clock })
  await assert.rejects(
    openVault({ ring: ringOf('k1'), keys, clock }),
    (error) =>
      error instanceof StartupError &&
      error.message.startsWith('The key file does not belong to this database: ') &&
      error.remedy.startsWith('Restore the key file'),
  )
})

test('a removed key that still wraps one merchant’s data key is found at the start', async () => {
  const keys = new InMemoryKeys()
  const both = ringOf('k2', ring)
  const vault = await openVault({ ring, keys, clock })
  await vault.prepareScope(merchant)
  await rewrapDataKeys({ ring: both, keys })
  await vault.prepareScope(another)
  assert.deepEqual(
    await keys.countByKek(),
    new Map([
      ['k2', 3],
      ['k1', 1],
    ]),
  )

  await assert.rejects(
    openVault({ ring: without(both, 'k1'), keys, clock }),
    /key-encryption key k1 is not on the key ring/,
  )
})

test('an unreachable database is not mistaken for a wrong key', async () => {
  const keys = new InMemoryKeys()
  keys.countByKek = () => Promise.reject(new Error('connection lost'))
  await assert.rejects(openVault({ ring, keys, clock }), { name: 'Error', message: 'connection lost' })
})

test('a serving process follows a rotation of the key-encryption key without a restart', async () => {
  const keys = new InMemoryKeys()
  const both = ringOf('k2', ring)
  const first = await openVault({ ring, keys, clock })
  const sealed = await first.seal(merchant, 'card', secret(pan))
  const serving = await openVault({ ring, rereadRing: async () => both, keys, clock })
  await rewrapDataKeys({ ring: both, keys })

  assert.equal((await serving.open(merchant, 'card', sealed)).reveal(), pan)
  await serving.prepareScope(another)
  assert.deepEqual(await keys.countByKek(), new Map([['k2', 4]]))
})

test('a serving process opens values of a newer data key at once', async () => {
  const keys = new InMemoryKeys()
  const serving = await openVault({ ring, keys, clock })
  const old = await serving.seal(merchant, 'card', secret(pan))
  await resealValues({ ring, keys, columns: noColumns, now: later, createdBefore: later })

  const renewed = await (await openVault({ ring, keys, clock })).seal(merchant, 'card', secret(pan))
  assert.equal(sealedVersion(renewed), 2)
  assert.equal((await serving.open(merchant, 'card', renewed)).reveal(), pan)
  assert.equal((await serving.open(merchant, 'card', old)).reveal(), pan)
})

test('a serving process seals with a newer data key after its refresh interval', async () => {
  const keys = new InMemoryKeys()
  let at = start
  const serving = await openVault({ ring, keys, clock: { now: () => at }, refreshMs: 1000 })
  await serving.prepareScope(merchant)
  await resealValues({ ring, keys, columns: noColumns, now: later, createdBefore: later })

  at = new Date(start.getTime() + 999)
  assert.equal(sealedVersion(await serving.seal(merchant, 'card', secret(pan))), 1)
  at = new Date(start.getTime() + 1000)
  assert.equal(sealedVersion(await serving.seal(merchant, 'card', secret(pan))), 2)
})

test('fingerprints are equal only for equal values of one scope and purpose', async () => {
  const vault = await openVault({ ring, keys: new InMemoryKeys(), clock })
  const place = fc.record({
    scope: fc.constantFrom(merchant, another, PLATFORM_SCOPE),
    purpose: fc.constantFrom<Purpose>('card', 'password', 'credentials'),
    value: fc.constantFrom(pan, '4111111111111112', ''),
  })
  fc.assert(
    fc.property(place, place, (one, other) => {
      const [first, second] = [one, other].map((each) =>
        vault.fingerprint(each.scope, each.purpose, secret(each.value)),
      )
      const same = one.scope === other.scope && one.purpose === other.purpose && one.value === other.value
      assert.equal(first === second, same)
      assert.match(first ?? '', /^[0-9a-f]{64}$/)
    }),
  )
})

test('fingerprints differ between instances, so that they cannot be computed elsewhere', async () => {
  const one = await openVault({ ring, keys: new InMemoryKeys(), clock })
  const other = await openVault({ ring, keys: new InMemoryKeys(), clock })
  assert.notEqual(one.fingerprint(merchant, 'card', secret(pan)), other.fingerprint(merchant, 'card', secret(pan)))
})

test('fingerprints survive every rotation', async () => {
  const keys = new InMemoryKeys()
  const both = ringOf('k2', ring)
  const before = (await openVault({ ring, keys, clock })).fingerprint(merchant, 'card', secret(pan))
  await rewrapDataKeys({ ring: both, keys })
  await resealValues({ ring: both, keys, columns: noColumns, now: later, createdBefore: later })

  const after = await openVault({ ring: without(both, 'k1'), keys, clock })
  assert.equal(after.fingerprint(merchant, 'card', secret(pan)), before)
})

test('neither the vault nor its errors nor its rows print a secret', async () => {
  const keys = new InMemoryKeys()
  const vault = await openVault({ ring: ringOf('k1'), keys, clock })
  const sealed = await vault.seal(merchant, 'card', secret(pan))
  const opened = await vault.open(merchant, 'card', sealed)
  const error = await vault.open(another, 'card', sealed).catch((reason: unknown) => reason)

  for (const value of [vault, opened, error, sealed, keys.rows]) {
    const printed =
      inspect(value, { depth: 10, showHidden: true, maxArrayLength: null }) + JSON.stringify(value) + value
    assert.ok(!printed.includes(pan))
    // The first digits as a buffer prints them: in hex by inspect, in decimal by JSON.
    assert.doesNotMatch(printed, /34 31 31 31|52,49,49,49/)
  }
})

const noColumns = { olderThan: async function* () {}, replace: async () => 0 }

/** A ring with a new current key in addition to another ring's keys. */
function ringOf(current: string, rest?: KeyRing): KeyRing {
  const key = createSecretKey(crypto.getRandomValues(Buffer.alloc(32)))
  return { current, keys: new Map([...(rest?.keys ?? []), [current, key]]) }
}

function without({ current, keys }: KeyRing, id: string): KeyRing {
  return { current, keys: new Map([...keys].filter(([name]) => name !== id)) }
}
