/**
 * The sandbox authority, which replaces the providers of both wallets (Chapter 40 §20.1). It is created at first use, with its own keys in
 * every installation, and stored in its folder.
 *
 * Nothing is created before it is needed, so a sandbox without wallets starts at once. The slow part, the search for marked keys, runs on
 * its own thread, and only requests that need these keys wait for it.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { newEcPair } from '../key-pair.ts'
import { findMarkedKeys } from '../marked-keys.ts'
import { readOrMake, replaceFile } from '../stored-file.ts'
import {
  arrangeKeys,
  type Environment,
  environments,
  keepKeys,
  MARKED_KEYS,
  restoreKeys,
  type StoredWalletB,
  type WalletBKeys,
} from '../wallet-b-keys.ts'
import { type CertifiedKey, keep, restore, type StoredCertified } from './certificate.ts'
import {
  type Chain,
  isCurrent,
  issueIntermediate,
  newLeaves,
  newMerchantIssuer,
  newRoot,
  newSessionHost,
} from './chain.ts'
import { type CertificateRequest, issueToMerchant } from './merchant-certificate.ts'

export type RotatedPart = 'leaf' | 'intermediate' | 'wallet-b-intermediate'

/** The keys of one environment of wallet B. */
export type WalletBSigners = Omit<WalletBKeys[Environment], 'former'>

export class Authority {
  readonly #folder: string
  readonly #now: () => number
  #certificates: Promise<Certificates> | undefined
  #walletB: Promise<WalletBKeys> | undefined
  #turn = 0

  private constructor(folder: string, now: () => number) {
    this.#folder = folder
    this.#now = now
  }

  static async open(folder: string, now: () => number): Promise<Authority> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return new Authority(folder, now)
  }

  now(): Date {
    return new Date(this.#now())
  }

  /** The chain that signs the next wallet A token. During a rotation, old and new alternate. */
  async chain(): Promise<Chain> {
    const certificates = await this.#current()
    const { former } = certificates
    this.#turn += 1
    return former !== null && former.until > this.now() && this.#turn % 2 === 0 ? former.chain : certificates.chain
  }

  walletB(): Promise<WalletBKeys> {
    this.#walletB ??= this.#loadWalletB()
    return this.#walletB
  }

  /** The keys that sign the next wallet B token. */
  async walletBSigners(environment: Environment): Promise<WalletBSigners> {
    const { former, ...signers } = (await this.walletB())[environment]
    this.#turn += 1
    const byFormer = former !== null && former.until > this.now() && this.#turn % 2 === 0
    return byFormer ? { ...signers, intermediate: former.key } : signers
  }

  async session(): Promise<Pick<Certificates, 'merchants' | 'sessionRoot' | 'sessionHost'>> {
    return this.#load()
  }

  async issueToMerchant(request: CertificateRequest): Promise<string> {
    return issueToMerchant(request, (await this.#load()).merchants, this.now())
  }

  /** Chapter 40 §20.3. The roots stay, so trust anchors need no update. */
  async rotate(what: RotatedPart, overlapSeconds: number): Promise<void> {
    const until = new Date(this.#now() + overlapSeconds * 1000)
    if (what === 'wallet-b-intermediate') return this.#rotateWalletB(until)
    const certificates = await this.#load()
    const { chain } = certificates
    const { root } = chain
    const intermediate = what === 'leaf' ? chain.intermediate : issueIntermediate(root, await newEcPair())
    const leaves = await newLeaves(intermediate, this.now())
    await this.#store({ ...certificates, chain: { root, intermediate, ...leaves }, former: { chain, until } })
  }

  async #rotateWalletB(until: Date): Promise<void> {
    const keys = await this.walletB()
    const found = await findMarkedKeys(environments.length)
    const renew = (environment: Environment, index: number): WalletBKeys[Environment] => {
      const { intermediate } = keys[environment]
      return { ...keys[environment], intermediate: found[index] ?? intermediate, former: { key: intermediate, until } }
    }
    const rotated = { ...keys, TEST: renew('TEST', 0), PRODUCTION: renew('PRODUCTION', 1) }
    await replaceFile(this.#path('wallet-b.json'), keepKeys(rotated))
    this.#walletB = Promise.resolve(rotated)
  }

  /** With leaves that are valid at the test clock's time. */
  async #current(): Promise<Certificates> {
    const certificates = await this.#load()
    const { chain } = certificates
    if (isCurrent(chain.leafEc, this.now())) return certificates
    const renewed = { ...certificates, chain: { ...chain, ...(await newLeaves(chain.intermediate, this.now())) } }
    await this.#store(renewed)
    return renewed
  }

  #load(): Promise<Certificates> {
    this.#certificates ??= readOrMake(this.#path('authority.json'), async () =>
      keepCertificates(await newCertificates(this.now())),
    ).then(restoreCertificates)
    return this.#certificates
  }

  async #loadWalletB(): Promise<WalletBKeys> {
    const { root } = (await this.#load()).chain
    const stored = await readOrMake<StoredWalletB>(this.#path('wallet-b.json'), async () =>
      keepKeys(arrangeKeys(await findMarkedKeys(MARKED_KEYS), root.until)),
    )
    return restoreKeys(stored)
  }

  async #store(certificates: Certificates): Promise<void> {
    this.#certificates = Promise.resolve(certificates)
    await replaceFile(this.#path('authority.json'), keepCertificates(certificates))
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }
}

interface Certificates {
  readonly chain: Chain
  /** The chain before the last rotation, and how long it may still sign. */
  readonly former: { readonly chain: Chain; readonly until: Date } | null
  readonly merchants: CertifiedKey
  readonly sessionRoot: CertifiedKey
  readonly sessionHost: CertifiedKey
}

async function newCertificates(now: Date): Promise<Certificates> {
  const root = await newRoot(now)
  const intermediate = issueIntermediate(root, await newEcPair())
  return {
    chain: { root, intermediate, ...(await newLeaves(intermediate, now)) },
    former: null,
    merchants: await newMerchantIssuer(root),
    ...(await newSessionHost()),
  }
}

type StoredChain = Readonly<Record<keyof Chain, StoredCertified>>

interface StoredCertificates {
  readonly chain: StoredChain
  readonly former: { readonly chain: StoredChain; readonly until: string } | null
  readonly merchants: StoredCertified
  readonly sessionRoot: StoredCertified
  readonly sessionHost: StoredCertified
}

function keepCertificates({ chain, former, merchants, sessionRoot, sessionHost }: Certificates): StoredCertificates {
  return {
    chain: keepChain(chain),
    former: former && { chain: keepChain(former.chain), until: former.until.toISOString() },
    merchants: keep(merchants),
    sessionRoot: keep(sessionRoot),
    sessionHost: keep(sessionHost),
  }
}

function restoreCertificates({ chain, former, merchants, sessionRoot, sessionHost }: StoredCertificates): Certificates {
  return {
    chain: restoreChain(chain),
    former: former && { chain: restoreChain(former.chain), until: new Date(former.until) },
    merchants: restore(merchants),
    sessionRoot: restore(sessionRoot),
    sessionHost: restore(sessionHost),
  }
}

function keepChain({ root, intermediate, leafEc, leafRsa }: Chain): StoredChain {
  return { root: keep(root), intermediate: keep(intermediate), leafEc: keep(leafEc), leafRsa: keep(leafRsa) }
}

function restoreChain({ root, intermediate, leafEc, leafRsa }: StoredChain): Chain {
  return {
    root: restore(root),
    intermediate: restore(intermediate),
    leafEc: restore(leafEc),
    leafRsa: restore(leafRsa),
  }
}
