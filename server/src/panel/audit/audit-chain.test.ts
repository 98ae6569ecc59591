import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AuditEntry, chainBeginning, chainVerifier, hashOf } from './audit-chain.ts'

const entryContents = fc.record({
  actor: fc.string(),
  action: fc.string(),
  subject: fc.string(),
  merchantId: fc.option(fc.uuid()),
  before: fc.option(fc.string()),
  after: fc.option(fc.string()),
  address: fc.option(fc.string()),
})

type EntryContent = typeof entryContents extends fc.Arbitrary<infer T> ? T : never

function chainOf(entries: readonly EntryContent[]): readonly AuditEntry[] {
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

test('an unchanged chain has no faults', () => {
  fc.assert(fc.property(fc.array(entryContents), (entries) => faultsOf(chainOf(entries)) === 0))
})

test('any change of any field of any entry is detected', () => {
  const members = ['actor', 'action', 'subject', 'merchantId', 'before', 'after', 'address', 'at'] as const
  fc.assert(
    fc.property(
      fc.array(entryContents, { minLength: 1 }),
      fc.nat(),
      fc.constantFrom(...members),
      (entries, at, member) => {
        const chain = chainOf(entries)
        const place = at % chain.length
        const changed = chain.map((entry, index) =>
          index === place ? { ...entry, [member]: `${entry[member] ?? ''}x` } : entry,
        )
        return faultsOf(changed) > 0
      },
    ),
  )
})

test('text moved from one field to the next is detected', () => {
  const [entry] = chainOf([
    { actor: 'ab', action: 'c', subject: '', merchantId: null, before: null, after: null, address: null },
  ])
  assert.ok(entry)
  assert.ok(faultsOf([{ ...entry, actor: 'a', action: 'bc' }]) > 0)
})

test('an entry that was removed, inserted or moved is detected', () => {
  fc.assert(
    fc.property(fc.array(entryContents, { minLength: 3, maxLength: 10 }), fc.nat(), (entries, at) => {
      const chain = chainOf(entries)
      // A chain without its last entry is still valid; only a recorded hash reveals the loss.
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

test('a truncated chain is detected by a recorded hash', () => {
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
