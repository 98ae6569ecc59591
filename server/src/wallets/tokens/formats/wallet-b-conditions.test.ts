/**
 * Every single condition of the checks B1 to B13: a token that violates only this one, or just meets it. Chapter 40 §12.1, §12.2, §12.4.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { KnownIntermediates } from '../known-intermediates.ts'
import { termsB, verdict } from '../testing/terms.ts'
import * as wallet from '../testing/wallet-b.ts'
import { mint, type TokenObject } from '../testing/wallet-b.ts'
import { loadWalletBTrust } from '../trust.ts'
import { openWalletB, type WalletBTerms } from './wallet-b.ts'

const keyValue = wallet.rootKey.spki.toString('base64')
const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
const now = wallet.now.getTime()

/** Terms with root keys of this version and expiry (null for none). */
function roots(protocolVersion: 'ECv1' | 'ECv2', expiration: number | null): Partial<WalletBTerms> {
  const end = expiration === null ? {} : { keyExpiration: String(expiration) }
  const json = JSON.stringify({ keys: [{ keyValue, protocolVersion, ...end }] })
  const source = 'wallet maker'
  const trust = {
    instanceMode: 'live',
    source,
    environment: 'PRODUCTION',
    json,
    shippedFingerprints: new Set<string>(),
  } as const
  return { trust: loadWalletBTrust(trust) }
}

const plain =
  (was: string, is: string, version: 'ECv1' | 'ECv2' = 'ECv2') =>
  () =>
    mint({ version, plaintext: wallet.plaintext.replace(was, is) })
const message = (change: (parts: Record<string, string>) => object) => () =>
  mint({ signedMessage: (usual) => JSON.stringify(change(JSON.parse(usual))) })
const signedKey = (change: (key: Record<string, string>) => object) => () =>
  mint({ signedKey: (usual) => JSON.stringify(change(JSON.parse(usual))) })
const intermediate = (more: object) => (): object => {
  const token = mint()
  return { ...token, intermediateSigningKey: { ...token.intermediateSigningKey, ...more } }
}
const cryptogram = '"cryptogram":"AAECAwQFBgcICQoLDA0ODxAREhM=",'
const v1 = (): TokenObject => mint({ version: 'ECv1' })
const allowing = (...methods: readonly ('PAN_ONLY' | 'CRYPTOGRAM_3DS')[]) => ({ allowedAuthMethods: methods })
const urlSafe = (text = ''): string => `-_${text.slice(2)}`

type Row = readonly [condition: string, token: () => object, expected: string, terms?: Partial<WalletBTerms>]
const passes = 'passed'

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  // condition                                  token                                                       check
  ['ECv2 with a fifth member',                  () => ({ ...mint(), more: '' }),                            'B1'],
  ['ECv1 with an intermediate key',             () => ({ ...v1(), intermediateSigningKey: mint().intermediateSigningKey }), 'B1'],
  ['a third member beside signedKey',           intermediate({ more: '' }),                                 'B1'],
  ['a signature that is no text',               intermediate({ signatures: [1] }),                          'B1'],
  ['another label',                             () => ({ ...mint(), protocolVersion: 'ECv3' }),             'B1'],
  ['a token inside that is no object',          () => ({ token: '[]' }),                                    'B1'],
  ['tokenization data without a token',         () => ({ type: 'PAYMENT_GATEWAY' }),                        'B1'],
  ['payment data without tokenization data',    () => ({ paymentMethodData: {} }),                          'B1'],

  ['ECv2 where only a root of ECv1 is known',   () => mint(),                                               'B2', roots('ECv1', now + 1)],
  ['ECv1 where only a root of ECv2 is known',   v1,                                                         'B2', roots('ECv2', now + 1)],
  ['a root that ends now',                      () => mint(),                                               'B2', roots('ECv2', now)],
  ['a root that ends a moment later',           () => mint(),                                               passes, roots('ECv2', now + 1)],
  ['a root of ECv1 without an end',             v1,                                                         passes, roots('ECv1', null)],

  ['signedKey with more members',               signedKey((key) => ({ ...key, note: 'x' })),                passes],
  ['signedKey without keyValue',                signedKey(({ keyExpiration }) => ({ keyExpiration })),      'B3'],
  ['signedKey of another curve',                signedKey((key) => ({ ...key, keyValue: otherCurve.export({ format: 'der', type: 'spki' }).toString('base64') })), 'B3'],
  ['signedKey without keyExpiration',           signedKey((key) => ({ keyValue: key['keyValue'] })),        'B3'],
  ['signatures in the URL-safe alphabet',       intermediate({ signatures: mint().intermediateSigningKey?.signatures.map(urlSafe) }), 'B3'],
  ['an intermediate that ends a moment later',  () => mint({ keyExpiration: String(now + 1) }),             passes],

  ['white space in signature',                  () => ({ ...mint(), signature: ` ${mint().signature}` }),   'B5'],
  ['the root’s signature where the intermediate’s is due', () => ({ ...mint(), signature: v1().signature }), 'B5'],

  ['a tag of 31 bytes',                         message((parts) => ({ ...parts, tag: Buffer.alloc(31).toString('base64') })), 'B6'],
  ['white space in the encrypted message',      message((parts) => ({ ...parts, encryptedMessage: ` ${parts['encryptedMessage']}` })), 'B6'],
  ['the URL-safe alphabet in the tag',          message((parts) => ({ ...parts, tag: urlSafe(parts['tag']) })), 'B6'],
  ['no encrypted message',                      message(({ ephemeralPublicKey, tag }) => ({ ephemeralPublicKey, tag })), 'B6'],
  ['no ephemeral key',                          message(({ encryptedMessage, tag }) => ({ encryptedMessage, tag })), 'B6'],
  ['the point at infinity',                     message((parts) => ({ ...parts, ephemeralPublicKey: Buffer.alloc(1).toString('base64') })), 'B6'],

  ['month 0',                                   plain('Month":12', 'Month":0'),                             'B9'],
  ['month 1',                                   plain('Month":12', 'Month":1'),                             passes],
  ['a year of two digits',                      plain('Year":2031', 'Year":31'),                            'B9'],
  ['a year of five digits',                     plain('Year":2031', 'Year":20311'),                         'B9'],
  ['a cryptogram method without a cryptogram',  plain(cryptogram, ''),                                      'B9'],
  ['a cryptogram method with an empty one',     plain(cryptogram, '"cryptogram":"",'),                      'B9'],
  ['the same in ECv1',                          plain(cryptogram, '', 'ECv1'),                              'B9'],
  ['a card number without a cryptogram',        () => mint({ plaintext: wallet.plaintext.replace(cryptogram, '').replace('CRYPTOGRAM_3DS', 'PAN_ONLY') }), passes],
  ['a cryptogram method without an ECI',        plain(',"eciIndicator":"07"', ''),                          passes],
  ['a month that is a fraction in its text',    plain('Month":12', 'Month":11.99999999999999999'),          'B9'],
  ['another payment method',                    plain('"CARD"', '"IBAN"'),                                  'B9'],
  ['an expiry in words',                        plain('1893456000000', 'never'),                            'B9'],
  ['a message that ends a moment later',        plain('1893456000000', String(now + 1)),                    passes],

  ['ECv1 without authMethod, allowed',          plain('"authMethod":"CRYPTOGRAM_3DS",', '', 'ECv1'),        passes, allowing('PAN_ONLY')],
  ['ECv1 without authMethod, not allowed',      plain('"authMethod":"CRYPTOGRAM_3DS",', '', 'ECv1'),        'B13', allowing('CRYPTOGRAM_3DS')],
  ['a cryptogram, not allowed',                 () => mint(),                                               'B13', allowing('PAN_ONLY')],
  ['a cryptogram, allowed',                     () => mint(),                                               passes, allowing('CRYPTOGRAM_3DS')],
]

for (const [condition, token, expected, terms = {}] of rows) {
  test(`${condition}: ${expected}`, () => {
    const text = JSON.stringify(token())
    const found = verdict(openWalletB(text, { ...termsB, known: new KnownIntermediates(), ...terms }))
    assert.equal(found.split(' ')[0], expected)
  })
}

for (const cardHolderAuthenticated of [true, false]) {
  test(`the wallet provider's assurance is recorded: ${cardHolderAuthenticated}`, () => {
    const assurance = { cardHolderAuthenticated, accountVerified: !cardHolderAuthenticated }
    const more = `"paymentMethodDetails":{"assuranceDetails":${JSON.stringify(assurance)},`
    const opened = openWalletB(JSON.stringify(plain('"paymentMethodDetails":{', more)()), termsB)
    assert.ok(opened.ok)
    assert.deepEqual(opened.token.card?.assurance, assurance)
  })
}
