/**
 * Tokens that third parties have published with their keys, of both wallets and every version: each verifies at its own time, decrypts to
 * the published content, and is refused once its time is over, which for all but one kind was years ago (Chapter 40 §22).
 */
import { readFileSync } from 'node:fs'
import { systemClock } from '#server/process/clock.ts'
import vectorA from '#server/wallets/tokens/fixtures/wallet-a.json' with { type: 'json' }
import vectorB from '#server/wallets/tokens/fixtures/wallet-b.json' with { type: 'json' }
import { openWalletA, type WalletATerms } from '#server/wallets/tokens/formats/wallet-a.ts'
import { openWalletB, type WalletBTerms } from '#server/wallets/tokens/formats/wallet-b.ts'
import { KnownCertificates } from '#server/wallets/tokens/known-certificates.ts'
import { KnownIntermediates } from '#server/wallets/tokens/known-intermediates.ts'
import type { OpenedToken } from '#server/wallets/tokens/opened-token.ts'
import { scalarKey, sha256 } from '#server/wallets/tokens/testing/keys.ts'
import { active, verdict } from '#server/wallets/tokens/testing/terms.ts'
import { loadWalletATrust, loadWalletBTrust } from '#server/wallets/tokens/trust.ts'
import type { Campaign, Findings } from '../campaign.ts'

export const walletVectors: Campaign = {
  name: 'wallet-vectors',
  asserts: 'published tokens verify and decrypt at their signing time, and are refused after they expire.',
  sizes: {},
  run: () => Promise.resolve(run()),
  plantedFault: {
    what: 'A message of wallet B never expires.',
    seenIn: 'different from the published result',
    patches: [
      {
        file: 'server/src/wallets/tokens/formats/wallet-b-plaintext.ts',
        find: 'if (expiresAt <= now) throw',
        replace: 'if (expiresAt > now && expiresAt <= now) throw',
      },
    ],
  },
}

interface Vector {
  readonly name: string
  readonly open: (now: Date) => OpenedToken
  readonly at: Date
  readonly expects: string
  /** The published number; null if the token must be refused at any time. */
  readonly number: string | null
  readonly overAt: Date
}

function run(): Findings {
  const faults = vectors.flatMap(({ name, open, at, expects, number, overAt }) => {
    const then = open(at)
    const found = then.ok ? (then.token.card?.number.reveal() ?? null) : null
    return [
      ...(verdict(then) === expects && found === number ? [] : [`${name}: ${verdict(then)} at its signing time`]),
      ...(open(overAt).ok ? [`${name}: accepted at ${overAt.toISOString()}`] : []),
    ]
  })
  const genuine = vectors.filter(({ expects }) => expects === 'passed')
  return {
    figures: [
      { name: 'published tokens', value: vectors.length },
      { name: 'verified and decrypted', value: genuine.length },
      { name: 'published as wrong, refused', value: vectors.length - genuine.length },
      { name: 'refused after expiry', value: vectors.length },
      { name: 'different from the published result', value: faults.length, must: 0 },
    ],
    faults,
  }
}

const now = systemClock().now()

function vectorsA(): readonly Vector[] {
  const pem = readFileSync(
    new URL('../../server/src/wallets/tokens/fixtures/wallet-a-root.pem', import.meta.url),
    'utf8',
  )
  const { paymentData, processingKeyScalarHex, merchantIdentifierBase64, expected } = vectorA
  const terms: Omit<WalletATerms, 'now'> = {
    lifetimeSeconds: 300,
    trust: loadWalletATrust({ instanceMode: 'live', source: 'wallet maker', pem, sha256: sha256(pem).toString('hex') }),
    known: new KnownCertificates(),
    deniedSerials: new Set(),
    flow: {
      kind: 'card',
      reason: 'published key',
      keys: [active(scalarKey(Buffer.from(processingKeyScalarHex, 'hex')))],
      merchantIdentifier: Buffer.from(merchantIdentifierBase64, 'base64').toString(),
      order: { currency: 'USD', amountMinor: BigInt(expected.transactionAmount) },
    },
    bindingValue: null,
  }
  const { transactionId } = paymentData.header
  const text = JSON.stringify({ paymentData, paymentMethod: {}, transactionIdentifier: transactionId })
  return [
    {
      name: 'EC_v1 of a device',
      open: (moment) => openWalletA(text, { ...terms, now: moment }),
      at: new Date(vectorA.signedAt),
      expects: 'passed',
      number: expected.applicationPrimaryAccountNumber,
      overAt: now,
    },
  ]
}

function termsB(rootKeys: unknown, recipient: string, scalar: Buffer): Omit<WalletBTerms, 'now'> {
  const addressed = { name: recipient, gatewayMerchantId: null }
  return {
    trust: loadWalletBTrust({
      instanceMode: 'live',
      source: 'wallet maker',
      environment: 'PRODUCTION',
      json: JSON.stringify(rootKeys),
      shippedFingerprints: new Set(),
    }),
    known: new KnownIntermediates(),
    recipients: { gateway: addressed, merchant: addressed },
    flow: { kind: 'card', reason: 'published key', keys: [active(scalarKey(scalar))] },
    allowedAuthMethods: null,
  }
}

/** The position of the private number in PKCS#8 of the curve. */
const scalarInPkcs8 = [36, 68] as const

function vectorsV2(): readonly Vector[] {
  const { rootKeys, recipient, privateKeyPkcs8, tokens, expected } = vectorB.ecv2
  const terms = termsB(rootKeys, recipient, Buffer.from(privateKeyPkcs8, 'base64').subarray(...scalarInPkcs8))
  // biome-ignore format: a table is read in columns.
  const rows = [
    // token                        expected                    number
    ['valid',                       'passed',                   expected.paymentMethodDetails.pan],
    ['expiredMessage',              'B10 expired-or-altered',   null],
    ['plaintextNotJson',            'B9 expired-or-altered',    null],
    ['invalidTag',                  'B8 expired-or-altered',    null],
    ['expiredIntermediate',         'B4 expired-or-altered',    null],
  ] as const
  return rows.map(([name, expects, number]) => ({
    name: `ECv2 ${name}`,
    open: (moment) => openWalletB(JSON.stringify(tokens[name]), { ...terms, now: moment }),
    at: new Date('2020-01-01T00:00:00Z'),
    expects,
    number,
    // The published keys are valid until then.
    overAt: new Date('2029-12-31T00:00:00Z'),
  }))
}

function vectorsV1(): readonly Vector[] {
  const { rootKeys, otherRootKeys, recipient, privateKeyScalarHex, tokens, validAtSeconds } = vectorB.ecv1
  const scalar = Buffer.from(privateKeyScalarHex, 'hex')
  // biome-ignore format: a table is read in columns.
  const rows = [
    // name                           token                  roots          expected                  number
    ['card',                          tokens.card,           rootKeys,      'passed',                 '4111111111111111'],
    ['tokenized card',                tokens.tokenizedCard,  rootKeys,      'passed',                 '4895370012003478'],
    ['card, other roots',             tokens.card,           otherRootKeys, 'B5 expired-or-altered',  null],
    ['tokenized card, other roots',   tokens.tokenizedCard,  otherRootKeys, 'B5 expired-or-altered',  null],
  ] as const
  return rows.map(([name, token, roots, expects, number]) => {
    const terms = termsB(roots, recipient, scalar)
    return {
      name: `ECv1 ${name}`,
      open: (moment) => openWalletB(JSON.stringify(token), { ...terms, now: moment }),
      at: new Date(validAtSeconds * 1000),
      expects,
      number,
      overAt: now,
    }
  })
}

const vectors: readonly Vector[] = [...vectorsA(), ...vectorsV2(), ...vectorsV1()]
