import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DomainState, WalletDomain } from '../../contracts/wallet-records.ts'
import { afterCheck, sameFile } from './domain-plan.ts'

const added = new Date('2026-03-01T00:00:00Z')
const hour = 3_600_000
const at = (hours: number): Date => new Date(added.getTime() + hours * hour)
const domain: WalletDomain = {
  merchantId: 'm',
  wallet: 'walletapay',
  domain: 'shop.example',
  purpose: 'production',
  controlledBy: 'operator',
  state: 'file ready',
  file: null,
  fileSha256: null,
  lastCheck: null,
  lastFault: null,
  verifiedSince: null,
  succeededAt: null,
  verifiedAtMaker: null,
  addedAt: added,
  nextCheck: added,
}
const verified: WalletDomain = { ...domain, state: 'verified', verifiedSince: at(1), succeededAt: at(1) }

// Chapter 40 §8, "Plan" and "Consequence".
// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [what: string, before: WalletDomain, fault: 'dns' | null, hours: number, state: DomainState, waitHours: number])[] = [
  // what                                          before                                   fault  at        becomes       next check after
  ['unverified, within the first day',             domain,                                  'dns', 0,        'file ready', 0.25],
  ['unverified, at the end of the first day',      domain,                                  'dns', 23.99,    'file ready', 0.25],
  ['unverified, after the first day',              domain,                                  'dns', 24,       'file ready', 6],
  ['verified for the first time',                  domain,                                  null,  5,        'verified',   24],
  ['verified again',                               verified,                                null,  25,       'verified',   24],
  ['the first fault',                              verified,                                'dns', 25,       'failing',    1],
  ['still failing before 72 hours',                { ...verified, state: 'failing' },       'dns', 72.9,     'failing',    1],
  ['72 hours without success',                     { ...verified, state: 'failing' },       'dns', 73,       'suspended',  1],
  ['healed while failing',                         { ...verified, state: 'failing' },       null,  30,       'verified',   24],
  ['healed after a suspension, without action',    { ...verified, state: 'suspended' },     null,  100,      'verified',   24],
]
for (const [what, before, fault, hours, state, waitHours] of rows) {
  test(`a domain ${what} is ${state} and checked again after ${waitHours} h`, () => {
    const after = afterCheck(before, fault, at(hours))
    assert.equal(after.state, state)
    assert.equal(after.lastFault, fault)
    assert.equal(((after.nextCheck?.getTime() ?? 0) - at(hours).getTime()) / hour, waitHours)
  })
}

test('a healed fault keeps the time since which a domain is verified; a suspension resets it', () => {
  assert.deepEqual(afterCheck({ ...verified, state: 'failing' }, null, at(30)).verifiedSince, at(1))
  assert.deepEqual(afterCheck({ ...verified, state: 'suspended' }, null, at(100)).verifiedSince, at(100))
})

test('one trailing line break is ignored on either side, anything else is not', () => {
  const file = Buffer.from('7B227073704964')
  for (const served of ['7B227073704964', '7B227073704964\n', '7B227073704964\r\n'])
    assert.ok(sameFile(Buffer.from(served), file))
  for (const served of ['7B227073704964\n\n', ' 7B227073704964', '7b227073704964', ''])
    assert.ok(!sameFile(Buffer.from(served), file))
  assert.ok(sameFile(file, Buffer.from('7B227073704964\n')))
})
