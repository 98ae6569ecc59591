/** Makes each fault of a wallet A token, by the fault's name (Chapter 40 §19.2). */

import { signingTime } from '../certificates/cms.ts'
import { newRsaPair } from '../key-pair.ts'
import type { Randomness } from '../randomness.ts'
import type { BenchA, ChangeA } from './change-a.ts'
import { chainFaults } from './faults-a-chain.ts'
import { mintA, type PlanA, type PublicKey, type TokenA } from './mint-a.ts'

const plan = (change: NonNullable<ChangeA['plan']>): ChangeA => ({ plan: change })
const token = (change: NonNullable<ChangeA['token']>): ChangeA => ({ token: change })
/** The plan stays as it is: `mint.ts` sets the signing time and the amount of these. */
const madeInMint = plan((usual) => usual)
const text = (change: NonNullable<ChangeA['text']>): ChangeA => ({ text: change })

// biome-ignore format: a table is read in columns.
export const faultsA: Readonly<Record<string, ChangeA>> = {
  ...chainFaults,
  'not-json':                 text((whole) => whole.slice(0, whole.length / 2)),
  'not-object':               text((whole) => `[${whole}]`),
  'no-payment-data':          token((usual) => without(usual, 'paymentData')),
  'no-transaction-id':        token((usual) => withoutHeader(usual, 'transactionId')),
  'type':                     token((usual) => withPaymentData(usual, { version: 1 })),
  'version':                  token((usual) => withPaymentData(usual, { version: 'EC_v9' })),
  'relabel':                  token((usual, { version }) => withPaymentData(usual, { version: version === 'EC_v1' ? 'RSA_v1' : 'EC_v1' })),
  'duplicate-name':           text((whole) => whole.replace('"data":', '"data":"AAAA","data":')),
  'too-big':                  token((usual) => ({ ...usual, padding: 'x'.repeat(33 * 1024) })),
  'base64':                   token((usual) => withPaymentData(usual, { data: `-_${usual.paymentData.data.slice(2)}` })),
  'off-curve':                token((usual) => withHeader(usual, { ephemeralPublicKey: flipBit(usual.paymentData.header['ephemeralPublicKey'], -1) })),
  'short-data':               token((usual) => withPaymentData(usual, { data: bytesOf(usual.paymentData.data).subarray(0, 16).toString('base64') })),
  'outer-id':                 token((usual, _, { random }) => ({ ...usual, transactionIdentifier: random.bytes('another id', 32).toString('hex') })),
  'cms-truncated':            token((usual) => withSignature(usual, (bytes) => bytes.subarray(0, -1))),
  'cms-trailing':             token((usual) => withSignature(usual, (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]))),
  'cms-attached':             plan((usual) => ({ ...usual, signature: { ...usual.signature, attached: true } })),
  'two-signers':              plan((usual) => ({ ...usual, signature: { ...usual.signature, signers: 2 } })),
  'sha1':                     plan((usual) => ({ ...usual, signature: { ...usual.signature, digest: 'sha1' } })),
  'no-attributes':            plan((usual) => ({ ...usual, signature: { ...usual.signature, attributes: () => null } })),
  'no-signing-time':          plan((usual) => withAttributes(usual, (attributes, time) => attributes.filter((one) => !one.equals(time)))),
  'two-signing-times':        plan((usual) => withAttributes(usual, (attributes, time) => [...attributes, time])),
  'data-flip':                token((usual) => withPaymentData(usual, { data: flipBit(usual.paymentData.data, 0) })),
  'tag-flip':                 token((usual) => withPaymentData(usual, { data: flipBit(usual.paymentData.data, -1) })),
  'ephemeral-swap':           token((usual, _, { random }) => withHeader(usual, { ephemeralPublicKey: random.key('another ephemeral key').spki.toString('base64') })),
  'transaction-id-flip':      token((usual) => withTransactionId(usual, flipHexBit(usual.transactionIdentifier))),
  'application-data-added':   token((usual, _, { random }) => withHeader(usual, { applicationData: random.bytes('application data', 32).toString('hex') })),
  'application-data-removed': {
    plan: (usual, { random }) => ({ ...usual, applicationData: usual.applicationData ?? random.bytes('application data', 32) }),
    token: (usual) => withoutHeader(usual, 'applicationData'),
  },
  'signature-flip':           token((usual) => withPaymentData(usual, { signature: flipBit(usual.paymentData.signature, -1) })),
  'signature-other':          token((usual, usualPlan, { random }) => withPaymentData(usual, { signature: another(usualPlan, random).paymentData.signature })),
  'stale':                    madeInMint,
  'future':                   madeInMint,
  'key-hash-flip':            token((usual) => withHeader(usual, { publicKeyHash: flipBit(usual.paymentData.header['publicKeyHash'], 0) })),
  'wrong-key':                plan(async (usual, bench) => forKey(usual, await strangeKey(usual, bench))),
  'retired-key':              plan(async (usual, bench) => forKey(usual, bench.retired ?? (await strangeKey(usual, bench)))),
  'wrong-merchant':           plan((usual) => ({ ...usual, merchantIdentifier: `${usual.merchantIdentifier}.another` })),
  'iv-12':                    plan((usual) => ({ ...usual, iv: Buffer.alloc(12) })),
  'wrapped-key-other':        plan(async (usual, bench) => ({ ...usual, recipient: await strangeKey(usual, bench) })),
  'wrapped-key-32':           plan((usual, { random }) => ({ ...usual, contentKey: random.bytes('long key', 32) })),
  'plain-not-json':           plan((usual) => ({ ...usual, plaintext: usual.plaintext.slice(0, -1) })),
  'plain-no-number':          plan((usual) => withPlaintext(usual, (content) => without(content, 'applicationPrimaryAccountNumber'))),
  'plain-check-digit':        plan((usual) => withPlaintext(usual, (content) => ({ ...content, applicationPrimaryAccountNumber: wrongCheckDigit(String(content['applicationPrimaryAccountNumber'])) }))),
  'binding':                  plan((usual, { random }) => ({ ...usual, applicationData: random.bytes('another session', 32) })),
  'wrong-currency':           plan((usual) => withPlaintext(usual, (content) => ({ ...content, currencyCode: content['currencyCode'] === '978' ? '840' : '978' }))),
  'wrong-amount':             plan((usual) => withPlaintext(usual, (content) => ({ ...content, transactionAmount: Number(content['transactionAmount']) + 1 }))),
  'amount-major':             madeInMint,
}

const bytesOf = (base64: string | undefined): Buffer => Buffer.from(base64 ?? '', 'base64')

/** Flips one bit of the byte at the index; a negative index counts from the end. */
function flipBit(base64: string | undefined, place: number): string {
  const bytes = bytesOf(base64)
  const index = place < 0 ? bytes.length + place : place
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return bytes.toString('base64')
}

function flipHexBit(hex: string): string {
  return bytesOf(flipBit(Buffer.from(hex, 'hex').toString('base64'), 0)).toString('hex')
}

const without = (object: object, name: string): object =>
  Object.fromEntries(Object.entries(object).filter(([one]) => one !== name))

function withPaymentData(usual: TokenA, changes: Readonly<Record<string, unknown>>): object {
  return { ...usual, paymentData: { ...usual.paymentData, ...changes } }
}

function withHeader(usual: TokenA, changes: Readonly<Record<string, string>>): object {
  return withPaymentData(usual, { header: { ...usual.paymentData.header, ...changes } })
}

function withoutHeader(usual: TokenA, name: string): object {
  return withPaymentData(usual, { header: without(usual.paymentData.header, name) })
}

function withTransactionId(usual: TokenA, transactionId: string): object {
  return { ...withHeader(usual, { transactionId }), transactionIdentifier: transactionId }
}

function withSignature(usual: TokenA, change: (bytes: Buffer) => Buffer): object {
  return withPaymentData(usual, { signature: change(bytesOf(usual.paymentData.signature)).toString('base64') })
}

function withAttributes(
  usual: PlanA,
  change: (attributes: readonly Buffer[], time: Buffer) => readonly Buffer[],
): PlanA {
  const attributes = (all: readonly Buffer[]): readonly Buffer[] => change(all, signingTime(usual.signature.signedAt))
  return { ...usual, signature: { ...usual.signature, attributes } }
}

function withPlaintext(usual: PlanA, change: (content: Readonly<Record<string, unknown>>) => object): PlanA {
  return { ...usual, plaintext: JSON.stringify(change(JSON.parse(usual.plaintext))) }
}

/** Another valid token for the same merchant. */
function another(usual: PlanA, random: Randomness): TokenA {
  return mintA({ ...usual, transactionId: random.bytes('another transaction', 32) })
}

const forKey = (usual: PlanA, key: PublicKey): PlanA => ({ ...usual, recipient: key, named: key })

async function strangeKey({ version }: PlanA, { random }: BenchA): Promise<PublicKey> {
  return version === 'EC_v1' ? random.key('a strange key') : newRsaPair()
}

function wrongCheckDigit(number: string): string {
  return number.slice(0, -1) + ((Number(number.slice(-1)) + 1) % 10)
}
