/**
 * Tokens with one flipped bit, anywhere in their text. Each is refused, or the bit was in an unsigned part and every signed member is
 * unchanged.
 */
import { generateKeyPairSync } from 'node:crypto'
import { openWalletA } from '#server/wallets/tokens/formats/wallet-a.ts'
import { openWalletB } from '#server/wallets/tokens/formats/wallet-b.ts'
import { KnownCertificates } from '#server/wallets/tokens/known-certificates.ts'
import { intermediate, leaf, reissue } from '#server/wallets/tokens/testing/authority.ts'
import { sampleKey } from '#server/wallets/tokens/testing/keys.ts'
import { active, cardFlowA, termsA, termsB, virtual } from '#server/wallets/tokens/testing/terms.ts'
import * as a from '#server/wallets/tokens/testing/wallet-a.ts'
import * as b from '#server/wallets/tokens/testing/wallet-b.ts'
import type { Findings } from '../campaign.ts'
import type { Random } from '../stage/random.ts'

/** The text with one flipped bit; beyond ASCII it becomes another character. */
export function flipBit(random: Random, text: string): string {
  const at = random.between(0, text.length - 1)
  const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << random.between(0, 7)))
  return text.slice(0, at) + flipped + text.slice(at + 1)
}

/** Whether everything that is signed or selects a key is unchanged; the case of hexadecimal texts does not matter. */
export function hasSameMeaning(one: string, other: string, flow: 'card' | 'virtual'): boolean {
  return signedMeaning(one, flow) === signedMeaning(other, flow)
}

/** By the checks alone, which is fast enough for tens of thousands. */
export function openFlippedTokens(random: Random, count: number): Findings {
  const taken: string[] = []
  let unsigned = 0
  for (let round = 0; round < count; round += 1) {
    const sample = random.pick(samples)
    const text = flipBit(random, sample.text)
    if (!sample.opens(text)) continue
    if (hasSameMeaning(sample.text, text, sample.flow)) unsigned += 1
    else taken.push(`${sample.name}: ${text}`)
  }
  return {
    figures: [
      { name: 'bits flipped, checks only', value: count },
      { name: 'of them in unsigned parts', value: unsigned },
      { name: 'altered tokens accepted by the checks', value: taken.length, must: 0 },
    ],
    faults: taken,
  }
}

interface Sample {
  readonly name: string
  readonly text: string
  readonly flow: 'card' | 'virtual'
  readonly opens: (text: string) => boolean
}

const rsa = sampleKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
const rsaLeaf = reissue(leaf, { key: rsa })
const knownCertificates = new KnownCertificates()

const ofA = (name: string, token: object, keys = cardFlowA.keys): readonly Sample[] => {
  const text = JSON.stringify(token)
  const flows = { card: { ...cardFlowA, keys }, virtual }
  return (['card', 'virtual'] as const).map((flow) => ({
    name: `${name}, ${flow} flow`,
    text,
    flow,
    opens: (altered) => openWalletA(altered, { ...termsA, known: knownCertificates, flow: flows[flow] }).ok,
  }))
}

const ofB = (version: 'ECv1' | 'ECv2'): readonly Sample[] => {
  const text = JSON.stringify(b.mint({ version }))
  const flows = { card: termsB.flow, virtual }
  return (['card', 'virtual'] as const).map((flow) => ({
    name: `${version}, ${flow} flow`,
    text,
    flow,
    opens: (altered) => openWalletB(altered, { ...termsB, flow: flows[flow] }).ok,
  }))
}

const [first, ...others] = [
  ...ofA('EC_v1 in DER', a.mint()),
  ...ofA('EC_v1 in BER', a.mint({}, { form: 'BER' })),
  ...ofA(
    'RSA_v1',
    a.mint(
      { version: 'RSA_v1', recipient: rsa, namedKey: rsa },
      { certificates: [rsaLeaf, intermediate], signer: rsaLeaf },
    ),
    [active(rsa)] as const,
  ),
  ...ofB('ECv2'),
  ...ofB('ECv1'),
]
if (first === undefined) throw new Error('There is no sample.')
const samples: readonly [Sample, ...Sample[]] = [first, ...others]

/** For wallet B every member of the token counts, and none of its envelope. */
function signedMeaning(text: string, flow: 'card' | 'virtual'): string {
  // The token was accepted, so it has the documented shape.
  const token = JSON.parse(text) as TokenShape
  if (token.paymentData === undefined) {
    const inner = token.paymentMethodData?.tokenizationData.token
    return JSON.stringify(inner === undefined ? token : JSON.parse(inner))
  }
  const { version, data, signature, header } = token.paymentData
  const { publicKeyHash, ephemeralPublicKey, wrappedKey, applicationData } = header
  const ids = [header.transactionId, token.transactionIdentifier, applicationData].map((id) => id?.toLowerCase())
  // The hash only selects a key, of which virtual flow has none; a member of the other version is not read.
  const key = version === 'EC_v1' ? ephemeralPublicKey : wrappedKey
  return JSON.stringify({ version, data, signature, key, ids, named: flow === 'card' ? publicKeyHash : null })
}

interface TokenShape {
  readonly paymentData?: PaymentData
  readonly transactionIdentifier?: string
  readonly paymentMethodData?: { readonly tokenizationData: { readonly token: string } }
}

interface PaymentData {
  readonly version: string
  readonly data: string
  readonly signature: string
  readonly header: {
    readonly publicKeyHash: string
    readonly transactionId: string
    readonly ephemeralPublicKey?: string
    readonly wrappedKey?: string
    readonly applicationData?: string
  }
}
