/**
 * Opening wallet tokens with every check, held against the bare operations that no implementation can do without: the
 * key agreement, the verification of signatures, the hash and the cipher, each on keys that are ready.
 */
import { createDecipheriv, createHmac, diffieHellman, hash, hkdfSync, sign, verify } from 'node:crypto'
import { openWalletA } from '#server/wallets/formats/wallet-a.ts'
import { openWalletB } from '#server/wallets/formats/wallet-b.ts'
import { KnownCertificates } from '#server/wallets/known-certificates.ts'
import type { OpenedToken } from '#server/wallets/opened-token.ts'
import { leaf } from '#server/wallets/samples/authority.ts'
import type { SampleKey } from '#server/wallets/samples/keys.ts'
import { termsA, termsB } from '#server/wallets/samples/terms.ts'
import * as a from '#server/wallets/samples/wallet-a.ts'
import * as b from '#server/wallets/samples/wallet-b.ts'
import type { Figure } from './figure-table.ts'
import { percentile } from './load.ts'

export interface WalletTerms {
  readonly rounds: number
  /** Tokens per round. */
  readonly tokens: number
}

export function walletBench({ rounds, tokens }: WalletTerms = { rounds: 7, tokens: 300 }): readonly Figure[] {
  return [
    ...figures('EC_v1', openA(new KnownCertificates()), bareA(1), { rounds, tokens }),
    ...figures('EC_v1, chain not seen before', () => openA(new KnownCertificates())(), bareA(3), { rounds, tokens }),
    ...figures('ECv2', openB, bareB, { rounds, tokens }),
  ]
}

/** Ours and bare by turns, so that whatever else the machine does meets both; the round with the middle ratio counts. */
function figures(name: string, ours: () => void, bare: () => void, { rounds, tokens }: WalletTerms): readonly Figure[] {
  timed(ours, tokens)
  timed(bare, tokens)
  const pairs = Array.from({ length: rounds }, () => ({ ours: timed(ours, tokens), bare: timed(bare, tokens) }))
  const middle = pairs.toSorted((one, two) => ratio(one) - ratio(two))[Math.floor(rounds / 2)]
  if (middle === undefined) throw new RangeError('A measurement takes at least one round.')
  return [
    {
      name: `${name}, verified and decrypted`,
      value: `${Math.round(1000 / mean(middle.ours))} /s`,
      against: `bare operations ${Math.round(1000 / mean(middle.bare))} /s`,
      ratio: ratio(middle),
      goal: { at: 'most', ratio: 1.5 },
    },
    { name: `${name}, median`, value: `${percentile(middle.ours.toSorted(), 0.5).toFixed(2)} ms` },
    { name: `${name}, 99 of 100`, value: `${percentile(middle.ours.toSorted(), 0.99).toFixed(2)} ms` },
  ]
}

const ratio = (pair: { readonly ours: Float64Array; readonly bare: Float64Array }): number =>
  mean(pair.ours) / mean(pair.bare)

const mean = (times: Float64Array): number => times.reduce((sum, time) => sum + time, 0) / times.length

/** Milliseconds of each run. */
function timed(run: () => void, count: number): Float64Array {
  return Float64Array.from({ length: count }, () => {
    const begun = performance.now()
    run()
    return performance.now() - begun
  })
}

const textA = JSON.stringify(a.mint())
const textB = JSON.stringify(b.mint())

const openA = (known: KnownCertificates) => (): void => mustPass(openWalletA(textA, { ...termsA, known }))
const openB = (): void => mustPass(openWalletB(textB, termsB))

/** A refused token would be measured as a fast one. */
function mustPass({ ok }: OpenedToken): void {
  if (!ok) throw new Error('The token to be measured was refused.')
}

/** With a chain seen before only the token's own signature is left to verify. */
function bareA(verifications: 1 | 3): () => void {
  const agreement = { privateKey: a.processingKey.privateKey, publicKey: a.ephemeralKey.publicKey }
  const verifyOnce = bareVerification(leaf.key)
  const data = Buffer.from(a.mint().paymentData.data, 'base64')
  const key = Buffer.from('6b2880ccb2a51e6ef5b302421c2c3494aec9f18ac64ee70ca145709e96dcf9a9', 'hex')
  return () => {
    diffieHellman(agreement)
    for (let done = 0; done < verifications; done += 1) verifyOnce()
    hash('sha256', data)
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(16)).setAuthTag(data.subarray(-16))
    decipher.update(data.subarray(0, -16))
    decipher.final()
  }
}

/** The key of the maker that is between the root and the token is verified with every token, then the token. */
function bareB(): void {
  const z = diffieHellman(agreementB)
  const keys = Buffer.from(hkdfSync('sha256', z, noSalt, 'bench', 64))
  verifyB()
  verifyB()
  createHmac('sha256', keys.subarray(32)).update(encryptedB).digest()
  const decipher = createDecipheriv('aes-256-ctr', keys.subarray(0, 32), Buffer.alloc(16))
  decipher.update(encryptedB)
  decipher.final()
}

function bareVerification({ privateKey, publicKey }: SampleKey): () => void {
  const signed = Buffer.alloc(300)
  const signature = sign('sha256', signed, privateKey)
  return () => {
    verify('sha256', signed, publicKey, signature)
  }
}

const agreementB = { privateKey: b.privateKey.privateKey, publicKey: b.ephemeralKey.publicKey }
const verifyB = bareVerification(b.rootKey)
const encryptedB = Buffer.from(b.encryptedParts(b.usualPlan).encryptedMessage, 'base64')
const noSalt = Buffer.alloc(0)
