/**
 * Corrupted input to everything that reads what strangers or merchants may send: ASN.1 elements, certificates, signatures, keys, PEM,
 * base64, JSON, whole tokens. Each may refuse with its own error; nothing may crash or take long.
 */
import { Asn1Error } from '#server/wallets/tokens/asn1/asn1-error.ts'
import { readCertificate } from '#server/wallets/tokens/asn1/certificate.ts'
import { childrenOf, type Element, type Rules, readElement } from '#server/wallets/tokens/asn1/element.ts'
import { readSignedData } from '#server/wallets/tokens/asn1/signed-data.ts'
import { readCertificateText } from '#server/wallets/tokens/certificate-pair.ts'
import { openWalletA } from '#server/wallets/tokens/formats/wallet-a.ts'
import { openWalletB } from '#server/wallets/tokens/formats/wallet-b.ts'
import { pemBlocks } from '#server/wallets/tokens/pem.ts'
import { keyFields, readPrivateKey } from '#server/wallets/tokens/processing-key.ts'
import { strictJsonBytes, strictJsonObject } from '#server/wallets/tokens/strict-json.ts'
import { leaf, pem, root } from '#server/wallets/tokens/testing/authority.ts'
import { labelledKey, oneLineKey } from '#server/wallets/tokens/testing/keys.ts'
import { termsA, termsB, virtual } from '#server/wallets/tokens/testing/terms.ts'
import * as a from '#server/wallets/tokens/testing/wallet-a.ts'
import * as b from '#server/wallets/tokens/testing/wallet-b.ts'
import { base64Bytes, hexBytes } from '#server/wallets/tokens/text-bytes.ts'
import { loadWalletATrust, loadWalletBTrust, TrustError } from '#server/wallets/tokens/trust.ts'
import { type Campaign, type Findings, sizeOf, type Terms } from '../campaign.ts'
import { mangleBytes, mangleText } from '../mangle.ts'
import type { Random } from '../stage/random.ts'

export const walletFuzz: Campaign = {
  name: 'wallet-fuzz',
  asserts: 'parsers of wallet tokens, keys and certificates never crash or hang on malformed input.',
  sizes: { inputs: 20_000 },
  quick: { inputs: 500 },
  run: (terms) => Promise.resolve(run(terms)),
  plantedFault: {
    what: 'The reader of base64 throws at a character that its alphabet does not have.',
    seenIn: 'crashes',
    patches: [
      {
        file: 'server/src/wallets/tokens/text-bytes.ts',
        find: "  return bytes.toString('base64') === text ? bytes : null",
        replace: "  if (/[^\\w+/=]/.test(text)) throw new RangeError('not base64')\n  return bytes",
      },
    ],
  },
}

interface Target {
  readonly name: string
  /** Feeds the reader one corrupted input; returns the input. */
  readonly feed: (random: Random) => string
}

function run(terms: Terms): Findings {
  const inputs = sizeOf(terms, 'inputs')
  const crashes: string[] = []
  let longest = 0
  for (const target of targets) {
    for (let round = 0; round < inputs; round += 1) {
      const begun = performance.now()
      const crash = feedTarget(target, terms.random)
      longest = Math.max(longest, performance.now() - begun)
      if (crash !== null) crashes.push(crash)
    }
  }
  return {
    figures: [
      { name: 'readers', value: targets.length },
      { name: 'malformed inputs', value: targets.length * inputs },
      { name: 'crashes', value: crashes.length, must: 0 },
      { name: 'longest reading', value: `${longest.toFixed(1)} ms` },
      { name: 'readings above a second', value: longest > 1000 ? 1 : 0, must: 0 },
    ],
    faults: crashes,
  }
}

/** Null if the reader accepted or refused the input in a documented way. */
function feedTarget({ name, feed }: Target, random: Random): string | null {
  try {
    feed(random)
    return null
  } catch (error) {
    if (error instanceof Asn1Error || error instanceof TrustError) return null
    return `${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
}

const bytesTarget = (name: string, samples: readonly [Buffer, ...Buffer[]], read: (bytes: Buffer) => void): Target => ({
  name,
  feed: (random) => {
    const bytes = mangleBytes(random, random.pick(samples))
    read(bytes)
    return bytes.toString('hex')
  },
})

const textTarget = (name: string, samples: readonly [string, ...string[]], read: (text: string) => void): Target => ({
  name,
  feed: (random) => {
    const text = mangleText(random, random.pick(samples))
    read(text)
    return text
  },
})

const tokenA = a.mint()
const signatures = [tokenA, a.mint({}, { form: 'BER' })].map(({ paymentData }) => bytesOf(paymentData.signature))
const textsA = [JSON.stringify(tokenA), JSON.stringify(a.mint({}, { form: 'BER' }))] as const
const textsB = [JSON.stringify(b.mint()), JSON.stringify(b.mint({ version: 'ECv1' }))] as const
const key = labelledKey('spoilt key')
const keyTexts = [
  oneLineKey(key),
  key.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  key.privateKey.export({ format: 'pem', type: 'sec1' }).toString(),
] as const
const cms: readonly [Buffer, ...Buffer[]] = [signatures[0] ?? Buffer.alloc(0), ...signatures.slice(1)]

const targets: readonly Target[] = [
  bytesTarget('elements by DER', [leaf.der, ...cms], (bytes) => walk(bytes, 'DER')),
  bytesTarget('elements by BER', cms, (bytes) => walk(bytes, 'BER')),
  bytesTarget('signed data', cms, readSignedData),
  bytesTarget('certificate', [leaf.der, root.der], readCertificate),
  bytesTarget('JSON bytes', [Buffer.from(a.plaintext), Buffer.from(b.plaintext)], strictJsonBytes),
  textTarget('JSON text', [...textsA, ...textsB], mustAgree),
  textTarget('base64', [tokenA.paymentData.signature], mustReturn),
  textTarget('hexadecimal', [tokenA.transactionIdentifier], hexBytes),
  textTarget('PEM', [pem(leaf.der), `${pem(leaf.der)}\n${keyTexts[1]}`], pemBlocks),
  textTarget('private key', keyTexts, (text) => readPrivateKey(text, keyFields.walletAProcessing)),
  textTarget('certificate text', [pem(leaf.der), leaf.der.toString('base64')], readCertificateText),
  textTarget('root file', [pem(root.der)], (text) =>
    loadWalletATrust({ instanceMode: 'sandbox', source: 'sandbox authority', pem: text, sha256: null }),
  ),
  textTarget('key list', [b.keyList()], (json) =>
    loadWalletBTrust({
      instanceMode: 'live',
      source: 'wallet maker',
      environment: 'PRODUCTION',
      json,
      shippedFingerprints: new Set(),
    }),
  ),
  textTarget('wallet A token', textsA, (text) => openWalletA(text, termsA)),
  textTarget('wallet A token, no key', textsA, (text) => openWalletA(text, { ...termsA, flow: virtual })),
  textTarget('wallet B token', textsB, (text) => openWalletB(text, termsB)),
]

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

function walk(bytes: Buffer, rules: Rules): void {
  const descend = (element: Element): void => {
    if ((element.tag & 0x20) !== 0) childrenOf(element).forEach(descend)
  }
  descend(readElement(bytes, rules))
}

/** Both readers must give the same result for what the strict one accepts. */
function mustAgree(text: string): void {
  const value = strictJsonObject(text)
  if (value !== null && JSON.stringify(value) !== JSON.stringify(JSON.parse(text))) throw new Error('Read differently.')
}

/** Encoding the decoded bytes must give the same text. */
function mustReturn(text: string): void {
  const bytes = base64Bytes(text)
  if (bytes !== null && bytes.toString('base64') !== text) throw new Error('Another text for the same bytes.')
}
