/** The stored record of a token: its rows and what each may reveal. Chapter 40 §15. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oids } from '../asn1/oids.ts'
import { type CheckRecord, withReplay } from '../opened-token.ts'
import { intermediate, leaf, mark, reissue, root, type SampleCertificate } from '../testing/authority.ts'
import { labelledKey, sha256 } from '../testing/keys.ts'
import { cardFlowA, termsA, termsB, verdict, virtual } from '../testing/terms.ts'
import * as a from '../testing/wallet-a.ts'
import * as b from '../testing/wallet-b.ts'
import { openWalletA, type WalletATerms } from './wallet-a.ts'
import { openWalletB, type WalletBTerms } from './wallet-b.ts'

const openA = (token: object = a.mint(), terms: Partial<WalletATerms> = {}) =>
  openWalletA(JSON.stringify(token), { ...termsA, ...terms })
const openB = (token: object = b.mint(), terms: Partial<WalletBTerms> = {}) =>
  openWalletB(JSON.stringify(token), { ...termsB, ...terms })
const hex = (bytes: Buffer): string => sha256(bytes).toString('hex')

/** `A11 time passed: …`, as support reads it. */
const lines = ({ checks }: CheckRecord): readonly string[] =>
  checks.map(({ id, name, result, detail }) => `${id} ${name} ${result}${detail === null ? '' : `: ${detail}`}`)

/** With the replay guard's row, as it is stored. */
function stored(opened: ReturnType<typeof openA>): CheckRecord {
  assert.ok(opened.ok, verdict(opened))
  return withReplay(opened.record, opened.token, [])
}

test('the record of a genuine wallet A token lists every check, with times, serials, key, id and amount', () => {
  const late = new Date(a.signedAt.getTime() + 7000)
  assert.deepEqual(lines(stored(openA(a.mint(), { now: late }))), [
    'A1 shape passed',
    'A2 decode passed',
    'A3 outer id passed',
    'A4 cms passed',
    'A5 certificates passed',
    'A6 chain passed: leaf 03, intermediate 02',
    'A7 signer passed',
    'A8 attributes passed',
    'A9 digest passed',
    'A10 signature passed',
    'A11 time passed: signed at 2030-05-06T07:08:09.000Z, 7 s from now',
    `A12 replay passed: token id ${hex(sha256('gatehouse transaction 1'))}`,
    `A13 key passed: current key ${hex(a.processingKey.spki)}`,
    'A14 decrypt passed',
    'A15 plaintext passed: 0 authentication responses',
    'A16 binding not applicable',
    'A17 currency passed: both USD',
    'A18 amount passed: amount equal, 199',
  ])
})

test('the record of a genuine wallet B token lists every check, with root, expiry of keys and message, and both ids', () => {
  const { signedMessage } = b.mint()
  assert.deepEqual(lines(stored(openB())), [
    'B1 shape passed',
    'B2 roots passed',
    `B3 intermediate passed: root key ${hex(b.rootKey.spki).slice(0, 16)}`,
    'B4 intermediate time passed: until 2030-01-01T00:00:00.000Z',
    'B5 signature passed',
    'B6 message passed',
    `B7 replay passed: token id ${hex(sha256(signedMessage))}`,
    `B8 mac passed: current key ${hex(b.privateKey.spki)}`,
    'B9 plaintext passed',
    'B10 time passed: until 2030-01-01T00:00:00.000Z',
    'B11 merchant passed',
    `B12 message id passed: token id ${sha256('gatehouse-message-1').toString('hex')}`,
    'B13 auth method not applicable',
  ])
})

test('a record has wallet, version, flow and its reason, and the root by eight bytes, source and environment', () => {
  const { checks: _a, ...ofA } = stored(openA())
  assert.deepEqual(ofA, {
    wallet: 'walletapay',
    version: 'EC_v1',
    flow: 'card',
    flowReason: 'processing key',
    trust: { rootFingerprint: hex(root.der).slice(0, 16), source: 'wallet maker', environment: null },
    panType: 'DPAN',
    numberKind: 'device number',
    network: 'visa',
  })
  const { checks: _b, ...ofB } = stored(openB(b.mint(), { flow: virtual }))
  assert.deepEqual(ofB, {
    wallet: 'walletbpay',
    version: 'ECv2',
    flow: 'virtual',
    flowReason: 'no processing key',
    trust: { rootFingerprint: hex(b.rootKey.spki).slice(0, 16), source: 'wallet maker', environment: 'PRODUCTION' },
    panType: null,
    numberKind: null,
    network: null,
  })
})

const order = (currency: string, amountMinor: bigint) => ({ flow: { ...cardFlowA, order: { currency, amountMinor } } })
const stranger = labelledKey('a stranger')
const marked = (one: SampleCertificate) =>
  reissue(one, { extensions: [...one.plan.extensions, mark(oids.sandboxAuthority)] })
const [sandboxLeaf, sandboxIntermediate] = [marked(leaf), marked(intermediate)]
const at = (seconds: number) => ({ now: new Date(a.signedAt.getTime() + seconds * 1000) })

// biome-ignore format: a table is read in columns.
const failures = [
  // what                       opened                                                                  the line that failed
  ['an old token',              openA(a.mint(), at(301)),                                               'A11 time failed: signed at 2030-05-06T07:08:09.000Z, 301 s from now'],
  ['a token from the future',   openA(a.mint(), at(-301)),                                              'A11 time failed: signed at 2030-05-06T07:08:09.000Z, -301 s from now'],
  ['a key that is not here',    openA(a.mint({ recipient: stranger, namedKey: stranger })),             `A13 key failed: no active key ${hex(stranger.spki)}`],
  ['another currency',          openA(a.mint(), order('EUR', 199n)),                                    'A17 currency failed: order EUR, token 840'],
  ['another amount',            openA(a.mint(), order('USD', 200n)),                                    'A18 amount failed: order 200, token 199'],
  ['a denied serial',           openA(a.mint(), { deniedSerials: new Set(['03']) }),                    'A6 chain failed: serial 03 is denied'],
  ['a chain of a sandbox',      openA(a.mint({}, { certificates: [sandboxLeaf, sandboxIntermediate], signer: sandboxLeaf })), 'A6 chain failed: of a sandbox authority'],
  ['an old intermediate key',   openB(b.mint({ keyExpiration: '1700000000000' })),                      'B4 intermediate time failed: the intermediate key expired at 2023-11-14T22:13:20.000Z'],
  ['an old message',            openB(b.mint({ plaintext: b.plaintext.replace('1893456000000', '1700000000000') })), 'B10 time failed: expired at 2023-11-14T22:13:20.000Z'],
] as const

for (const [what, opened, line] of failures) {
  test(`the record of ${what} has the failed check's finding, and later checks as not reached`, () => {
    assert.ok(!opened.ok)
    const all = lines(opened.record)
    const place = all.indexOf(line)
    assert.notEqual(place, -1, all.join('\n'))
    for (const later of all.slice(place + 1)) assert.match(later, / (not reached|not applicable)$/)
  })
}
