/**
 * Opening wallet tokens with every check, compared with the bare cryptographic operations that every implementation needs: key agreement,
 * signature verification, hash and cipher.
 */
import { createDecipheriv, createHmac, createSecretKey, diffieHellman, hash, hkdfSync, sign, verify } from 'node:crypto'
import { openWalletA } from '#server/wallets/tokens/formats/wallet-a.ts'
import { openWalletB } from '#server/wallets/tokens/formats/wallet-b.ts'
import { KnownCertificates } from '#server/wallets/tokens/known-certificates.ts'
import { KnownIntermediates } from '#server/wallets/tokens/known-intermediates.ts'
import type { OpenedToken } from '#server/wallets/tokens/opened-token.ts'
import { keyOfSpki } from '#server/wallets/tokens/p256.ts'
import { leaf } from '#server/wallets/tokens/testing/authority.ts'
import type { SampleKey } from '#server/wallets/tokens/testing/keys.ts'
import { termsA, termsB } from '#server/wallets/tokens/testing/terms.ts'
import * as a from '#server/wallets/tokens/testing/wallet-a.ts'
import * as b from '#server/wallets/tokens/testing/wallet-b.ts'
import type { Figure } from '../figure-table.ts'
import { type LoopDelay, loopDelay } from '../loop-delay.ts'
import { comparedFigures } from './alternation.ts'

/** Measures `rounds` of each kind; then the delay of the event loop, for `seconds` each. */
export async function walletBench(rounds = 40, seconds = 4): Promise<readonly Figure[]> {
  return [...speedFigures(rounds), ...(await delayFigures(seconds))]
}

function speedFigures(rounds: number): readonly Figure[] {
  const goal = { at: 'most', ratio: 1.5 } as const
  const against = 'bare operations'
  return [
    ...comparedFigures('EC_v1', { ours: openA(new KnownCertificates()), other: bareA(1), against, rounds, goal }),
    // A chain and an intermediate key are new once per process, so there is no goal for them.
    ...comparedFigures('EC_v1 of a new chain', {
      ours: () => openA(new KnownCertificates())(),
      other: bareA(3),
      against,
      rounds,
    }),
    ...comparedFigures('ECv2', { ours: openB(new KnownIntermediates()), other: bareB(1), against, rounds, goal }),
    ...comparedFigures('ECv2 of a new intermediate key', {
      ours: () => openB(new KnownIntermediates())(),
      other: bareB(2),
      against,
      rounds,
    }),
  ]
}

/** Far more than any shop has, and still half of what one core could open. */
const tokensPerSecond = 1000

async function delayFigures(seconds: number): Promise<readonly Figure[]> {
  const idle = await loopDelay(() => undefined, 0, seconds)
  const open = openA(new KnownCertificates())
  const loaded = await loopDelay(open, tokensPerSecond, seconds)
  const row = (name: string, of: keyof LoopDelay): Figure => ({
    name: `event loop late, ${tokensPerSecond} EC_v1 /s, ${name}`,
    value: `${loaded[of].toFixed(2)} ms`,
    against: `idle ${idle[of].toFixed(2)} ms`,
  })
  return [row('median', 'median'), row('99 of 100', 'p99'), row('most', 'max')]
}

const textA = JSON.stringify(a.mint())
const textB = JSON.stringify(b.mint())

export const openA = (known: KnownCertificates) => (): void => mustPass(openWalletA(textA, { ...termsA, known }))
export const openB = (known: KnownIntermediates) => (): void => mustPass(openWalletB(textB, { ...termsB, known }))

/** A refused token would be measured as a fast one. */
function mustPass({ ok }: OpenedToken): void {
  if (!ok) throw new Error('The token for the measurement was refused.')
}

/** Keys are passed as key objects: for bytes Node first tries other formats by exceptions, which takes longer than the cipher. */
const iv = Buffer.alloc(16)

/** With a known chain only the token's own signature is verified. */
function bareA(verifications: 1 | 3): () => void {
  const { privateKey } = a.processingKey
  const { spki } = a.ephemeralKey
  const verifyOnce = bareVerification(leaf.key)
  const data = Buffer.from(a.mint().paymentData.data, 'base64')
  const key = Buffer.from('6b2880ccb2a51e6ef5b302421c2c3494aec9f18ac64ee70ca145709e96dcf9a9', 'hex')
  return () => {
    diffieHellman({ privateKey, publicKey: keyOfSpki(spki) })
    for (let done = 0; done < verifications; done += 1) verifyOnce()
    // The signed data, the key of the cipher, and the id for the replay check.
    hash('sha256', data)
    hash('sha256', key)
    hash('sha256', key)
    const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), iv).setAuthTag(data.subarray(-16))
    decipher.update(data.subarray(0, -16))
    decipher.final()
  }
}

/** With a known intermediate key only the token's own signature is verified. */
function bareB(verifications: 1 | 2): () => void {
  const { privateKey } = b.privateKey
  const { spki } = b.ephemeralKey
  const verifyOnce = bareVerification(b.rootKey)
  const encrypted = Buffer.from(b.encryptedParts(b.usualPlan).encryptedMessage, 'base64')
  return () => {
    const z = diffieHellman({ privateKey, publicKey: keyOfSpki(spki) })
    const keys = Buffer.from(hkdfSync('sha256', createSecretKey(z), noSalt, 'bench', 64))
    for (let done = 0; done < verifications; done += 1) verifyOnce()
    // The two ids for the replay check.
    hash('sha256', encrypted)
    hash('sha256', z)
    createHmac('sha256', createSecretKey(keys.subarray(32)))
      .update(encrypted)
      .digest()
    const decipher = createDecipheriv('aes-256-ctr', createSecretKey(keys.subarray(0, 32)), iv)
    decipher.update(encrypted)
    decipher.final()
  }
}

function bareVerification({ privateKey, publicKey }: SampleKey): () => void {
  const signed = Buffer.alloc(300)
  const signature = sign('sha256', signed, privateKey)
  return () => {
    verify('sha256', signed, publicKey, signature)
  }
}

const noSalt = Buffer.alloc(0)
