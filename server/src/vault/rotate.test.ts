import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { secret } from '#domain/secret.ts'
import { sealedVersion } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'
import {
  FINGERPRINT_SCOPE,
  PLATFORM_SCOPE,
  type ResealedValue,
  type SealedColumns,
  type SealedValue,
  type Vault,
} from './port.ts'
import { type ResealReport, resealValues, rewrapDataKeys } from './rotate.ts'
import { InMemoryKeys } from './testing/in-memory-keys.ts'
import { openVault } from './vault.ts'

const merchants = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'] as const
const start = new Date('2026-03-01T00:00:00Z')
const later = new Date('2026-04-01T00:00:00Z')
const k1: KeyRing = { current: 'k1', keys: new Map([['k1', createSecretKey(randomBytes(32))]]) }
const k2: KeyRing = { current: 'k2', keys: new Map([...k1.keys, ['k2', createSecretKey(randomBytes(32))]]) }
const onlyK2: KeyRing = { current: 'k2', keys: new Map([...k2.keys].filter(([id]) => id === 'k2')) }

test('after re-wrapping, everything opens without the old key-encryption key, and no sealed value has changed', async () => {
  const { keys, columns } = await shop(3)
  const before = columns.values.map((value) => value.sealed)
  const steps: number[] = []
  const report = await rewrapDataKeys({ ring: k2, keys, onProgress: (soFar) => steps.push(soFar.rewrapped) })

  assert.deepEqual(report, { scopes: 4, rewrapped: 4 })
  assert.deepEqual(steps, [1, 2, 3, 4])
  assert.deepEqual(await keys.countByKek(), new Map([['k2', 4]]))
  assert.deepEqual(
    columns.values.map((value) => value.sealed),
    before,
  )
  await columns.assertIntact(await openVault({ ring: onlyK2, keys, clock: { now: () => later } }))
})

test('interrupted re-wrapping is completed by a repetition, and another repetition does nothing', async () => {
  const { keys, columns } = await shop(1)
  const replaceWrapping = keys.replaceWrapping
  let written = 0
  keys.replaceWrapping = async (row) => {
    written += 1
    if (written === 3) throw new Error('killed')
    return replaceWrapping.call(keys, row)
  }
  await assert.rejects(rewrapDataKeys({ ring: k2, keys }), /killed/)
  await columns.assertIntact(await openVault({ ring: k2, keys, clock: { now: () => later } }))

  keys.replaceWrapping = replaceWrapping
  assert.equal((await rewrapDataKeys({ ring: k2, keys })).rewrapped, 2)
  assert.equal((await rewrapDataKeys({ ring: k2, keys })).rewrapped, 0)
  await columns.assertIntact(await openVault({ ring: onlyK2, keys, clock: { now: () => later } }))
})

test('resealing moves every value to a new data key without changing its content', async () => {
  const { keys, columns } = await shop(5)
  const report = await reseal(keys, columns)

  // Ten cards and two passwords of two merchants, and one MID; the fingerprint key is not renewed.
  assert.deepEqual(report, { scopes: 4, newKeys: 3, resealed: 13, changedMeanwhile: 0, unreadable: 0 })
  assert.ok(columns.values.every((value) => sealedVersion(value.sealed) === 2))
  assert.deepEqual(
    keys.rows.filter((row) => row.scope === FINGERPRINT_SCOPE).map((row) => row.version),
    [1],
  )
  await columns.assertIntact(await openVault({ ring: k2, keys, clock: { now: () => later } }))
})

test('values under old data keys still open after a rotation', async () => {
  const { keys, columns } = await shop(2)
  const old = columns.values.map((value) => ({ ...value }))
  await reseal(keys, columns)
  const vault = await openVault({ ring: k2, keys, clock: { now: () => later } })
  for (const value of old) {
    assert.equal((await vault.open(value.scope, value.purpose, value.sealed)).reveal(), value.key)
  }
})

test('repeating a finished rotation creates no key and writes nothing', async () => {
  const { keys, columns } = await shop(2)
  await reseal(keys, columns)
  const { newKeys, resealed } = await reseal(keys, columns)
  assert.deepEqual({ newKeys, resealed }, { newKeys: 0, resealed: 0 })
})

test('a rotation interrupted at any write is completed by repeating it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), async (writes) => {
      const { keys, columns } = await shop(4)
      columns.failAfter = writes
      await assert.rejects(reseal(keys, columns), /killed/)
      await columns.assertIntact(await openVault({ ring: k2, keys, clock: { now: () => later } }))

      columns.failAfter = Number.POSITIVE_INFINITY
      assert.equal((await reseal(keys, columns)).newKeys, 0)
      assert.ok(columns.values.every((value) => sealedVersion(value.sealed) === 2))
      await columns.assertIntact(await openVault({ ring: k2, keys, clock: { now: () => later } }))
    }),
    { numRuns: 8 },
  )
})

test('a value that is changed during resealing keeps the change', async () => {
  const { keys, columns, vault } = await shop(1)
  const password = columns.values.find((value) => value.purpose === 'password')
  assert.ok(password)
  columns.beforeReplace = async (page) => {
    if (!page.some((value) => value.key === password.key)) return
    password.sealed = await vault.seal(password.scope, 'password', secret('the new password'))
  }
  const report = await reseal(keys, columns)

  assert.equal(report.changedMeanwhile, 1)
  assert.equal((await vault.open(password.scope, 'password', password.sealed)).reveal(), 'the new password')
})

test('a value that does not open is reported, left alone, and does not delay others', async () => {
  const { keys, columns } = await shop(3)
  const [broken] = columns.values
  assert.ok(broken)
  broken.sealed = Buffer.from(broken.sealed)
  broken.sealed.writeUInt8(broken.sealed.readUInt8(20) ^ 1, 20)
  const bytes = Buffer.from(broken.sealed)

  const reports: unknown[] = []
  const report = await reseal(keys, columns, { onUnreadable: (value) => reports.push(value) })
  assert.deepEqual(reports, [{ scope: broken.scope, column: broken.column, key: broken.key }])
  assert.deepEqual({ resealed: report.resealed, unreadable: report.unreadable }, { resealed: 8, unreadable: 1 })
  assert.deepEqual(broken.sealed, bytes)
})

test('a value whose data key is gone is reported and left alone; a fault outside the vault ends the rotation', async () => {
  const { keys, columns } = await shop(3)
  const [orphan, ill] = columns.values
  assert.ok(orphan && ill)
  orphan.sealed = Buffer.from(orphan.sealed)
  orphan.sealed.writeUInt32BE(0, 1)
  const reports: unknown[] = []
  const { unreadable } = await reseal(keys, columns, { onUnreadable: (value) => reports.push(value.key) })
  assert.deepEqual([unreadable, reports], [1, [orphan.key]])

  const broken = {
    olderThan: async function* () {
      // Something that no database returns, so that the fault is not the vault's.
      yield [{ ...ill, sealed: null as unknown as Buffer }]
    },
    replace: async () => 0,
  }
  await assert.rejects(reseal(keys, broken), TypeError)
})

test('the newest data key seals, in whichever order the keys are read', async () => {
  const { keys, columns } = await shop(1)
  await reseal(keys, columns)
  keys.rows.reverse()
  const vault = await openVault({ ring: k2, keys, clock: { now: () => later } })
  assert.equal(sealedVersion(await vault.seal(merchants[0], 'card', secret('4111'))), 2)
})

test('progress only grows, and ends at the report', async () => {
  const { keys, columns } = await shop(5)
  const seen: ResealReport[] = []
  const report = await reseal(keys, columns, { onProgress: (soFar) => seen.push(soFar) })
  assert.deepEqual(seen.at(-1), report)
  assert.ok(seen.every((step, index) => index === 0 || step.resealed >= (seen[index - 1]?.resealed ?? 0)))
  assert.ok(seen.length > 4)
})

test('two simultaneous rotations lose nothing', async () => {
  const { keys, columns } = await shop(4)
  await Promise.all([reseal(keys, columns), reseal(keys, columns), rewrapDataKeys({ ring: k2, keys })])
  await columns.assertIntact(await openVault({ ring: k2, keys, clock: { now: () => later } }))
})

type Cell = { -readonly [Name in keyof SealedValue]: SealedValue[Name] }

/** Sealed columns without a database, two values per page. Every value contains its own key, so that a mix-up shows. */
class InMemoryColumns implements SealedColumns {
  readonly values: Cell[] = []
  failAfter = Number.POSITIVE_INFINITY
  beforeReplace: (page: readonly ResealedValue[]) => Promise<void> = async () => {}

  async *olderThan(scope: string, version: number): AsyncIterable<readonly SealedValue[]> {
    for (const column of new Set(this.values.map((value) => value.column))) {
      const old = this.values.filter(
        (value) => value.scope === scope && value.column === column && sealedVersion(value.sealed) < version,
      )
      for (let at = 0; at < old.length; at += 2) yield old.slice(at, at + 2).map((value) => ({ ...value }))
    }
  }

  async replace(page: readonly ResealedValue[]): Promise<number> {
    await this.beforeReplace(page)
    let written = 0
    for (const { key, column, sealed, resealed } of page) {
      const cell = this.values.find((value) => value.key === key && value.column === column)
      if (!cell?.sealed.equals(sealed)) continue
      if (this.failAfter === 0) throw new Error('killed')
      this.failAfter -= 1
      cell.sealed = resealed
      written += 1
    }
    return written
  }

  async assertIntact(vault: Vault): Promise<void> {
    for (const value of this.values) {
      assert.equal((await vault.open(value.scope, value.purpose, value.sealed)).reveal(), value.key)
    }
  }
}

/** Two merchants with a password and this many cards each, and a MID. */
async function shop(cards: number) {
  const keys = new InMemoryKeys()
  const vault = await openVault({ ring: k1, keys, clock: { now: () => start } })
  const columns = new InMemoryColumns()
  const put = async (value: Omit<SealedValue, 'sealed'>) => {
    columns.values.push({ ...value, sealed: await vault.seal(value.scope, value.purpose, secret(value.key)) })
  }
  for (const scope of merchants) {
    for (let card = 0; card < cards; card += 1) {
      await put({ scope, purpose: 'card', column: 'cards.pan_sealed', key: `card ${card} of ${scope}` })
    }
    await put({ scope, purpose: 'password', column: 'merchants.password_sealed', key: `password of ${scope}` })
  }
  await put({ scope: PLATFORM_SCOPE, purpose: 'credentials', column: 'mids.credentials_sealed', key: 'a MID' })
  return { keys, columns, vault }
}

function reseal(
  keys: InMemoryKeys,
  columns: SealedColumns,
  listeners: Pick<Parameters<typeof resealValues>[0], 'onProgress' | 'onUnreadable'> = {},
): Promise<ResealReport> {
  return resealValues({ ring: k2, keys, columns, now: later, createdBefore: later, ...listeners })
}
