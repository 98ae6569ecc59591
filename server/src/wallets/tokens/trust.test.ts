import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oids } from './asn1/oids.ts'
import { leaf, mark, pem, reissue, root, signerExtensions } from './testing/authority.ts'
import { labelledKey, type SampleKey, sha256 } from './testing/keys.ts'
import { keyList, rootKey } from './testing/wallet-b.ts'
import {
  type InstanceMode,
  loadWalletATrust,
  loadWalletBTrust,
  TrustError,
  type TrustSource,
  type WalletARootFile,
} from './trust.ts'

const marked = pem(reissue(root, { extensions: [...root.plan.extensions, mark(oids.sandboxAuthority)] }).der)
const digest = (text: string): string => sha256(text).toString('hex')
const loadA = (instanceMode: InstanceMode, source: TrustSource, file: string, changes: Partial<WalletARootFile> = {}) =>
  loadWalletATrust({ instanceMode, source, pem: file, sha256: digest(file), ...changes })

test('a live instance accepts a wallet provider’s root and nothing of a sandbox', () => {
  assert.equal(loadA('live', 'wallet maker', pem(root.der)).fingerprint, sha256(root.der).toString('hex'))
  assert.throws(() => loadA('live', 'sandbox authority', marked), TrustError)
  assert.throws(() => loadA('live', 'sandbox authority', pem(root.der)), TrustError)
  assert.throws(() => loadA('live', 'wallet maker', marked), TrustError)
})

test('a sandbox instance accepts either, each only as what it is', () => {
  assert.equal(loadA('sandbox', 'sandbox authority', marked).source, 'sandbox authority')
  assert.equal(loadA('sandbox', 'wallet maker', pem(root.der)).source, 'wallet maker')
  assert.throws(() => loadA('sandbox', 'wallet maker', marked), TrustError)
  assert.throws(() => loadA('sandbox', 'sandbox authority', pem(root.der)), TrustError)
})

test('a root file without a pinned digest, or with a different one, is refused', () => {
  const file = pem(root.der)
  assert.throws(() => loadA('live', 'wallet maker', file, { sha256: digest(`${file}\n`) }), TrustError)
  assert.throws(() => loadA('live', 'wallet maker', file, { sha256: null }), TrustError)
})

test('a file that is not exactly one CA certificate is refused', () => {
  const damaged = ['', pem(leaf.der), pem(root.der).repeat(2), pem(Buffer.from('3000', 'hex'))]
  const below = pem(reissue(root, { issuer: 'Sample Authority' }).der)
  const [constraints = Buffer.alloc(0)] = root.plan.extensions
  const signsNothing = pem(reissue(root, { extensions: [constraints, ...signerExtensions.slice(1)] }).der)
  for (const file of [...damaged, below, signsNothing]) {
    assert.throws(() => loadA('live', 'wallet maker', file), TrustError)
  }
})

/** Found by search, as a sandbox authority finds its keys: SHA-256 of the public key begins with 5A 5B. */
const sandboxKey = labelledKey('sandbox 52843')
const loadB = (instanceMode: InstanceMode, source: TrustSource, key: SampleKey, shipped: readonly string[] = []) =>
  loadWalletBTrust({
    instanceMode,
    source,
    environment: 'TEST',
    json: keyList(key),
    shippedFingerprints: new Set(shipped),
  })

test('a key with the sandbox mark is refused as a wallet provider’s, unless the release ships it as one', () => {
  assert.throws(() => loadB('live', 'wallet maker', sandboxKey), TrustError)
  assert.throws(() => loadB('sandbox', 'wallet maker', sandboxKey), TrustError)
  assert.throws(() => loadB('live', 'sandbox authority', sandboxKey), TrustError)
  assert.throws(() => loadB('sandbox', 'sandbox authority', rootKey), TrustError)
  assert.equal(loadB('sandbox', 'sandbox authority', sandboxKey).keys.length, 2)
  assert.equal(loadB('live', 'wallet maker', sandboxKey, [sha256(sandboxKey.spki).toString('hex')]).keys.length, 2)
})

const list = (...keys: readonly unknown[]): string => JSON.stringify({ keys })
const keyValue = rootKey.spki.toString('base64')
const loadList = (json: string) =>
  loadWalletBTrust({
    instanceMode: 'live',
    source: 'wallet maker',
    environment: 'TEST',
    json,
    shippedFingerprints: new Set(),
  })

test('only an ECv1 key may be without expiry', () => {
  assert.equal(loadList(list({ keyValue, protocolVersion: 'ECv1' })).keys[0]?.expiresAt, null)
  assert.throws(() => loadList(list({ keyValue, protocolVersion: 'ECv2' })), TrustError)
})

test('a key that cannot be used is left out, and the others of the list are used', () => {
  const good = { keyValue, protocolVersion: 'ECv2', keyExpiration: '1893456000000' }
  const unusable = [
    { keyValue, protocolVersion: 'ECv2' },
    { ...good, keyExpiration: 'never' },
    { ...good, keyValue: 'x' },
    { keyValue, keyExpiration: '1893456000000' },
    1,
  ]
  for (const key of unusable) assert.equal(loadList(list(key, good)).keys.length, 1, JSON.stringify(key))
  assert.throws(() => loadList(list(...unusable)), /no usable key/)
})

test('a sandbox key among a wallet provider’s keys refuses the whole list', () => {
  const sandbox = { keyValue: sandboxKey.spki.toString('base64'), protocolVersion: 'ECv1' }
  assert.throws(() => loadList(list({ keyValue, protocolVersion: 'ECv1' }, sandbox)), TrustError)
})

test('keys of future versions are ignored, and damaged lists are refused', () => {
  const good = { keyValue, protocolVersion: 'ECv1' }
  assert.equal(loadList(list(good, { keyValue: 'x', protocolVersion: 'ECv9' })).keys.length, 1)
  const damaged = [
    '',
    '[]',
    list(),
    list({ protocolVersion: 'ECv1' }),
    list({ ...good, keyValue: `${keyValue}=` }),
    list(1),
  ]
  for (const json of damaged) assert.throws(() => loadList(json), TrustError, json)
})
