/**
 * Opening wallet tokens with every check, held against the bare operations that no implementation can do without: the
 * agreement with a key as it arrives, the verification of signatures, the hash and the cipher.
 */
import { createDecipheriv, createHmac, createSecretKey, diffieHellman, hash, hkdfSync, sign, verify } from 'node:crypto'
import { openWalletA } from '#server/wallets/formats/wallet-a.ts'
import { openWalletB } from '#server/wallets/formats/wallet-b.ts'
import { KnownCertificates } from '#server/wallets/known-certificates.ts'
import type { OpenedToken } from '#server/wallets/opened-token.ts'
import { keyOfSpki } from '#server/wallets/p256.ts'
import { leaf } from '#server/wallets/samples/authority.ts'
import type { SampleKey } from '#server/wallets/samples/keys.ts'
import { termsA, termsB } from '#server/wallets/samples/terms.ts'
import * as a from '#server/wallets/samples/wallet-a.ts'
import * as b from '#server/wallets/samples/wallet-b.ts'
import type { Figure, Goal } from './figure-table.ts'
import { percentile } from './load.ts'
import { type LoopDelay, loopDelay } from './loop-delay.ts'

/** `tokens` of each kind are measured, after as many that are not; then the delay of the event loop, for so many seconds each. */
export async function walletBench(tokens = 2000, seconds = 4): Promise<readonly Figure[]> {
  return [...speedFigures(tokens), ...(await delayFigures(seconds))]
}

function speedFigures(tokens: number): readonly Figure[] {
  return [
    ...figures('EC_v1', openA(new KnownCertificates()), bareA(1), tokens, { at: 'most', ratio: 1.5 }),
    // A chain is new once in a process, so there is no goal for it.
    ...figures('EC_v1 of a new chain', () => openA(new KnownCertificates())(), bareA(3), tokens),
    ...figures('ECv2', openB, bareB, tokens, { at: 'most', ratio: 1.5 }),
  ]
}

/** Far more than any shop has, and still half of what one core could open. */
const arriving = 1000

async function delayFigures(seconds: number): Promise<readonly Figure[]> {
  const idle = await loopDelay(() => undefined, 0, seconds)
  const open = openA(new KnownCertificates())
  const loaded = await loopDelay(open, arriving, seconds)
  const row = (name: string, of: keyof LoopDelay): Figure => ({
    name: `event loop late, ${arriving} EC_v1 /s, ${name}`,
    value: `${loaded[of].toFixed(2)} ms`,
    against: `idle ${idle[of].toFixed(2)} ms`,
  })
  return [row('median', 'median'), row('99 of 100', 'p99'), row('most', 'max')]
}

function figures(name: string, ours: () => void, bare: () => void, tokens: number, goal?: Goal): readonly Figure[] {
  byTurns(ours, bare, tokens)
  const times = byTurns(ours, bare, tokens)
  const [median, bareMedian] = [percentile(times.ours, 0.5), percentile(times.bare, 0.5)]
  return [
    {
      name: `${name}, verified and decrypted`,
      value: `${Math.round(1000 / median)} /s`,
      against: `bare operations ${Math.round(1000 / bareMedian)} /s`,
      ratio: median / bareMedian,
      ...(goal === undefined ? {} : { goal }),
    },
    { name: `${name}, median`, value: `${median.toFixed(2)} ms` },
    { name: `${name}, 99 of 100`, value: `${percentile(times.ours, 0.99).toFixed(2)} ms` },
  ]
}

/** One of ours, one bare, so that whatever else the machine does meets both. Milliseconds, the shortest first. */
function byTurns(ours: () => void, bare: () => void, count: number) {
  const times = { ours: new Float64Array(count), bare: new Float64Array(count) }
  for (let turn = 0; turn < count; turn += 1) {
    times.ours[turn] = took(ours)
    times.bare[turn] = took(bare)
  }
  return { ours: times.ours.toSorted(), bare: times.bare.toSorted() }
}

function took(run: () => void): number {
  const begun = performance.now()
  run()
  return performance.now() - begun
}

const textA = JSON.stringify(a.mint())
const textB = JSON.stringify(b.mint())

const openA = (known: KnownCertificates) => (): void => mustPass(openWalletA(textA, { ...termsA, known }))
const openB = (): void => mustPass(openWalletB(textB, termsB))

/** A refused token would be measured as a fast one. */
function mustPass({ ok }: OpenedToken): void {
  if (!ok) throw new Error('The token to be measured was refused.')
}

/** Keys go in as key objects: of bytes Node first finds out, by exceptions, that they are none, which takes longer than the cipher. */
const iv = Buffer.alloc(16)

/** With a chain seen before only the token's own signature is left to verify. */
function bareA(verifications: 1 | 3): () => void {
  const { privateKey } = a.processingKey
  const { spki } = a.ephemeralKey
  const verifyOnce = bareVerification(leaf.key)
  const data = Buffer.from(a.mint().paymentData.data, 'base64')
  const key = Buffer.from('6b2880ccb2a51e6ef5b302421c2c3494aec9f18ac64ee70ca145709e96dcf9a9', 'hex')
  return () => {
    diffieHellman({ privateKey, publicKey: keyOfSpki(spki) })
    for (let done = 0; done < verifications; done += 1) verifyOnce()
    hash('sha256', data)
    const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), iv).setAuthTag(data.subarray(-16))
    decipher.update(data.subarray(0, -16))
    decipher.final()
  }
}

/** The key of the maker that is between the root and the token is verified with every token, then the token. */
function bareB(): void {
  const z = diffieHellman({ privateKey: b.privateKey.privateKey, publicKey: keyOfSpki(b.ephemeralKey.spki) })
  const keys = Buffer.from(hkdfSync('sha256', createSecretKey(z), noSalt, 'bench', 64))
  verifyB()
  verifyB()
  createHmac('sha256', createSecretKey(keys.subarray(32)))
    .update(encryptedB)
    .digest()
  const decipher = createDecipheriv('aes-256-ctr', createSecretKey(keys.subarray(0, 32)), iv)
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

const verifyB = bareVerification(b.rootKey)
const encryptedB = Buffer.from(b.encryptedParts(b.usualPlan).encryptedMessage, 'base64')
const noSalt = Buffer.alloc(0)
