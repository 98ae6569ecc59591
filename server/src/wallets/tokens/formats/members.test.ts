/** Every member in the tables of Chapter 40 §11.1, §11.5, §12.1 and §12.4: omitted, and with another type. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsA, termsB, verdict } from '../testing/terms.ts'
import * as a from '../testing/wallet-a.ts'
import * as b from '../testing/wallet-b.ts'
import { openWalletA } from './wallet-a.ts'
import { openWalletB } from './wallet-b.ts'

type Tree = { [name: string]: unknown }

/** The object with the member at the path changed; undefined omits it. */
function changed(object: unknown, path: string, value: unknown): Tree {
  const copy = structuredClone(object) as Tree
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce<Tree>((at, name) => at[name] as Tree, copy)
  parent[last] = value
  return copy
}

const tokenA = (path: string, value: unknown) => openWalletA(JSON.stringify(changed(a.mint(), path, value)), termsA)
const plainA = (path: string, value: unknown) => {
  const plaintext = JSON.stringify(changed(JSON.parse(a.plaintext), path, value))
  return openWalletA(JSON.stringify(a.mint({ plaintext })), termsA)
}
const tokenB = (path: string, value: unknown) => openWalletB(JSON.stringify(changed(b.mint(), path, value)), termsB)
const plainB =
  (version: 'ECv1' | 'ECv2', original: unknown = JSON.parse(b.plaintext)) =>
  (path: string, value: unknown) => {
    const plaintext = JSON.stringify(changed(original, path, value))
    return openWalletB(JSON.stringify(b.mint({ version, plaintext })), termsB)
  }

/** What ECv1 tokens contain for a device number. */
const tokenized = {
  ...JSON.parse(b.plaintext),
  paymentMethod: 'TOKENIZED_CARD',
  paymentMethodDetails: {
    dpan: '4000001000000018',
    expirationMonth: 12,
    expirationYear: 2031,
    authMethod: '3DS',
    '3dsCryptogram': 'AAECAwQFBgcICQoLDA0ODxAREhM=',
    '3dsEciIndicator': '07',
  },
}

const passes = 'passed'
const [A1, A15, B1, B9] = ['A1 malformed', 'A15 expired-or-altered', 'B1 malformed', 'B9 expired-or-altered']
const details = 'paymentMethodDetails'

// biome-ignore format: a table is read in columns.
const rows = [
  // of                 opened by       member                                  left out                 as a number
  ['11.1',              tokenA,         'paymentData',                          A1,                      A1],
  ['11.1',              tokenA,         'paymentData.version',                  A1,                      A1],
  ['11.1',              tokenA,         'paymentData.data',                     A1,                      A1],
  ['11.1',              tokenA,         'paymentData.signature',                A1,                      A1],
  ['11.1',              tokenA,         'paymentData.header',                   A1,                      A1],
  ['11.1',              tokenA,         'paymentData.header.publicKeyHash',     A1,                      A1],
  ['11.1',              tokenA,         'paymentData.header.ephemeralPublicKey', A1,                     A1],
  ['11.1',              tokenA,         'paymentData.header.wrappedKey',        passes,                  A1],
  ['11.1',              tokenA,         'paymentData.header.transactionId',     A1,                      A1],
  ['11.1',              tokenA,         'paymentData.header.applicationData',   passes,                  A1],
  ['11.1',              tokenA,         'paymentMethod',                        A1,                      A1],
  ['11.1',              tokenA,         'paymentMethod.displayName',            passes,                  A1],
  ['11.1',              tokenA,         'paymentMethod.network',                passes,                  A1],
  ['11.1',              tokenA,         'paymentMethod.type',                   passes,                  A1],
  ['11.1',              tokenA,         'transactionIdentifier',                A1,                      A1],
  ['11.5',              plainA,         'applicationPrimaryAccountNumber',      A15,                     A15],
  ['11.5',              plainA,         'applicationExpirationDate',            A15,                     A15],
  ['11.5',              plainA,         'currencyCode',                         A15,                     A15],
  ['11.5',              plainA,         'transactionAmount',                    A15,                     'A18 mismatch'],
  ['11.5',              plainA,         'cardholderName',                       passes,                  A15],
  ['11.5',              plainA,         'deviceManufacturerIdentifier',         A15,                     A15],
  ['11.5',              plainA,         'paymentDataType',                      A15,                     A15],
  ['11.5',              plainA,         'paymentData',                          passes,                  A15],
  ['11.5',              plainA,         'paymentData.onlinePaymentCryptogram',  passes,                  A15],
  ['11.5',              plainA,         'paymentData.eciIndicator',             passes,                  A15],
  ['11.5',              plainA,         'paymentData.emvData',                  passes,                  A15],
  ['11.5',              plainA,         'paymentData.encryptedPINData',         passes,                  A15],
  ['11.5',              plainA,         'merchantTokenIdentifier',              passes,                  A15],
  ['12.1',              tokenB,         'protocolVersion',                      B1,                      B1],
  ['12.1',              tokenB,         'signature',                            B1,                      B1],
  ['12.1',              tokenB,         'intermediateSigningKey',               B1,                      B1],
  ['12.1',              tokenB,         'intermediateSigningKey.signedKey',     B1,                      B1],
  ['12.1',              tokenB,         'intermediateSigningKey.signatures',    B1,                      B1],
  ['12.1',              tokenB,         'signedMessage',                        B1,                      B1],
  ['12.4 ECv2',         plainB('ECv2'), 'messageExpiration',                    B9,                      B9],
  ['12.4 ECv2',         plainB('ECv2'), 'messageId',                            B9,                      B9],
  ['12.4 ECv2',         plainB('ECv2'), 'gatewayMerchantId',                    'B11 expired-or-altered', B9],
  ['12.4 ECv2',         plainB('ECv2'), 'paymentMethod',                        B9,                      B9],
  ['12.4 ECv2',         plainB('ECv2'), details,                                B9,                      B9],
  ['12.4 ECv2',         plainB('ECv2'), `${details}.pan`,                       B9,                      B9],
  ['12.4 ECv2',         plainB('ECv2'), `${details}.expirationMonth`,           B9,                      passes],
  ['12.4 ECv2',         plainB('ECv2'), `${details}.expirationYear`,            B9,                      B9],
  ['12.4 ECv2',         plainB('ECv2'), `${details}.authMethod`,                B9,                      B9],
  ['12.4 ECv2',         plainB('ECv2'), `${details}.cryptogram`,                B9,                      B9],
  ['12.4 ECv2',         plainB('ECv2'), `${details}.eciIndicator`,              passes,                  B9],
  ['12.4 ECv2',         plainB('ECv2'), `${details}.assuranceDetails`,          passes,                  B9],
  ['12.4 ECv1',         plainB('ECv1'), `${details}.authMethod`,                passes,                  B9],
  ['12.4 ECv1 device',  plainB('ECv1', tokenized), `${details}.dpan`,           B9,                      B9],
  ['12.4 ECv1 device',  plainB('ECv1', tokenized), `${details}.authMethod`,     B9,                      B9],
  ['12.4 ECv1 device',  plainB('ECv1', tokenized), `${details}.3dsCryptogram`,  B9,                      B9],
  ['12.4 ECv1 device',  plainB('ECv1', tokenized), `${details}.3dsEciIndicator`, passes,                 B9],
] as const

for (const [section, open, member, leftOut, asNumber] of rows) {
  test(`chapter 40 §${section}: ${member} omitted is ${leftOut}, as a number ${asNumber}`, () => {
    assert.equal(verdict(open(member, undefined)), leftOut)
    assert.equal(verdict(open(member, 1)), asNumber)
  })
}

test('chapter 40 §12.4: a device number exists in ECv1 only', () => {
  assert.equal(verdict(plainB('ECv1')('paymentMethod', 'CARD')), passes)
  assert.equal(verdict(plainB('ECv1', tokenized)('paymentMethod', 'TOKENIZED_CARD')), passes)
  assert.equal(verdict(plainB('ECv2', tokenized)('paymentMethod', 'TOKENIZED_CARD')), B9)
})

test('chapter 40 §11.5: several merchants at once are counted, and the amount is the total', () => {
  const opened = plainA('authenticationResponses', [{ transactionAmount: 99 }, { transactionAmount: 100 }])
  assert.equal(verdict(opened), passes)
  const row = opened.record.checks.find(({ id }) => id === 'A15')
  assert.equal(row?.detail, '2 authentication responses')
})

// Chapter 40 §11.5 and §12.4, "number": twelve to nineteen digits with a valid check digit.
for (const [number, expected] of [
  ['40000000006', 'no'],
  ['400000000002', 'yes'],
  ['4000001000000018', 'yes'],
  ['4000000000000000006', 'yes'],
  ['40000000000000000002', 'no'],
  ['4000001000000019', 'no'],
  ['4000 0010 0000 0018', 'no'],
] as const) {
  test(`a number of ${number.length} characters, ${number}, is ${expected === 'yes' ? 'accepted' : 'refused'}`, () => {
    const [okA, okB] = expected === 'yes' ? [passes, passes] : [A15, B9]
    assert.equal(verdict(plainA('applicationPrimaryAccountNumber', number)), okA)
    assert.equal(verdict(plainB('ECv2')(`${details}.pan`, number)), okB)
  })
}
