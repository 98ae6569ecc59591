import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AuditEntry, chainBeginning, chainVerifier, hashOf } from './audit-chain.ts'

const said = fc.record({
  actor: fc.string(),
  action: fc.string(),
  subject: fc.string(),
  merchantId: fc.option(fc.uuid()),
  before: fc.option(fc.string()),
  after: fc.option(fc.string()),
  address: fc.option(fc.string()),
})

type Said = typeof said extends fc.Arbitrary<infer T> ? T : never

function chainOf(entries: readonly Said[]): readonly AuditEntry[] {
  let previousHash = chainBeginning
  return entries.map((entry, index) => {
    const written = { ...entry, seq: BigInt(index + 1), at: new Date(index).toISOString(), previousHash }
    const hash = hashOf(written)
    previousHash = hash
    return { ...written, hash }
  })
}

function faultsOf(entries: readonly AuditEntry[]): number {
  const verifier = chainVerifier()
  for (const entry of entries) verifier.add(entry)
  return verifier.faults.length
}

test('a chain as it was written has no fault', () => {
  fc.assert(fc.property(fc.array(said), (entries) => faultsOf(chainOf(entries)) === 0))
})

test('any change of any member of any entry is found', () => {
  const members = ['actor', 'action', 'subject', 'merchantId', 'before', 'after', 'address', 'at'] as const
  fc.assert(
    fc.property(fc.array(said, { minLength: 1 }), fc.nat(), fc.constantFrom(...members), (entries, at, member) => {
      const chain = chainOf(entries)
      const place = at % chain.length
      const changed = chain.map((entry, index) =>
        index === place ? { ...entry, [member]: `${entry[member] ?? ''}x` } : entry,
      )
      return faultsOf(changed) > 0
    }),
  )
})

test('what was moved from one member to the next is found', () => {
  const [entry] = chainOf([
    { actor: 'ab', action: 'c', subject: '', merchantId: null, before: null, after: null, address: null },
  ])
  assert.ok(entry)
  assert.ok(faultsOf([{ ...entry, actor: 'a', action: 'bc' }]) > 0)
})

test('an entry that was left out, put in or moved is found', () => {
  fc.assert(
    fc.property(fc.array(said, { minLength: 3, maxLength: 10 }), fc.nat(), (entries, at) => {
      const chain = chainOf(entries)
      // Without its last entry a chain is still one; only a noted hash tells.
      const place = at % (chain.length - 1)
      const [one, next] = [chain[place], chain[place + 1]]
      assert.ok(one && next)
      const without = chain.toSpliced(place, 1)
      const twice = chain.toSpliced(place, 0, one)
      const swapped = chain.with(place, next).with(place + 1, one)
      return [without, twice, swapped].every((changed) => faultsOf(changed) > 0)
    }),
  )
})

test('a hash that was noted is missed when the end of the chain was cut off', () => {
  const chain = chainOf(
    Array.from({ length: 5 }, (_, index) => ({
      actor: 'a',
      action: 'b',
      subject: String(index),
      merchantId: null,
      before: null,
      after: null,
      address: null,
    })),
  )
  const noted = chain[3]?.hash ?? ''
  const lookedFor = (entries: readonly AuditEntry[]): boolean => {
    const verifier = chainVerifier(noted)
    for (const entry of entries) verifier.add(entry)
    return verifier.has(noted)
  }
  assert.equal(lookedFor(chain), true)
  assert.equal(lookedFor(chain.slice(0, 3)), false)
})
