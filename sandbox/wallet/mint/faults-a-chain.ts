/** Wallet A tokens with wrong certificates: checks A5 to A7 of Chapter 40 §11.2. */
import { dayMs } from '#domain/time.ts'
import { type CertificatePlan, type CertifiedKey, issue, mark, maySign, nameOf } from '../certificates/certificate.ts'
import {
  type Chain,
  intermediateExtensions,
  issueIntermediate,
  leafExtensions,
  leafLife,
  names,
  newRoot,
} from '../certificates/chain.ts'
import { oids } from '../certificates/oids.ts'
import { newEcPair } from '../key-pair.ts'
import type { BenchA, ChangeA } from './change-a.ts'
import type { PlanA } from './mint-a.ts'

/** What signs the token instead. `certificates` is given if it is not simply signer and intermediate. */
interface Signing {
  readonly signer?: CertifiedKey
  readonly intermediate?: CertifiedKey
  readonly further?: readonly CertifiedKey[]
}

const changeSigning = (change: (bench: BenchA, leaf: CertifiedKey) => Signing | Promise<Signing>): ChangeA => ({
  plan: async (usual, bench) => withSigning(usual, bench, await change(bench, usual.signature.signer)),
})

// biome-ignore format: a table is read in columns.
export const chainFaults: Readonly<Record<string, ChangeA>> = {
  'leaf-oid':             changeSigning(({ chain, now }, leaf) => ({ signer: leafLike(leaf, chain, now, { extensions: maySign }) })),
  'intermediate-oid':     changeSigning(({ chain }) => ({ intermediate: issueIntermediate(chain.root, chain.intermediate.key, intermediateExtensions.slice(0, -1)) })),
  'two-leaves':           changeSigning(({ chain, now }, leaf) => ({ further: [leafLike(leaf, chain, now)] })),
  'extra-certificate':    changeSigning(async ({ chain, now }) => ({ further: [await issueUnrelated(chain, now)] })),
  'other-root-inside':    changeSigning(async ({ now }) => ({ further: [await newRoot(now)] })),
  'foreign-root':         changeSigning(async ({ chain, now }, leaf) => issueForeign(chain, leaf, now)),
  'swapped-intermediate': changeSigning(async ({ chain }) => ({ intermediate: issueIntermediate(chain.root, await newEcPair()) })),
  'intermediate-not-ca':  changeSigning(({ chain }) => ({ intermediate: issueIntermediate(chain.root, chain.intermediate.key, [...intermediateExtensions.slice(1, -1), mark(oids.walletIntermediate)]) })),
  'leaf-expired':         changeSigning(({ chain, now }, leaf) => ({ signer: leafLike(leaf, chain, now, { from: daysFrom(now, -800), until: daysFrom(now, -1) }) })),
  'leaf-future':          changeSigning(({ chain, now }, leaf) => ({ signer: leafLike(leaf, chain, now, { from: daysFrom(now, 1), until: daysFrom(now, 800) }) })),
  'denied-serial':        changeSigning(({ chain, now }, leaf) => ({ signer: leafLike(leaf, chain, now, { serial: DENIED_SERIAL }) })),
  'signer-intermediate':  { plan: (usual, { chain }) => ({ ...usual, signature: { ...usual.signature, signer: chain.intermediate } }) },
  'rsa-in-ec':            changeSigning(({ chain }) => ({ signer: chain.leafRsa })),
}

/** Always the same, so that a list of denied serials can be set up once. */
const DENIED_SERIAL = 0x5eed0000deadn

function withSigning(usual: PlanA, { chain }: BenchA, signing: Signing): PlanA {
  const { signer = usual.signature.signer, intermediate = chain.intermediate, further = [] } = signing
  return { ...usual, signature: { ...usual.signature, signer, certificates: [signer, intermediate, ...further] } }
}

/** The leaf's key in a new certificate with other properties. */
function leafLike(
  leaf: CertifiedKey,
  { intermediate }: Chain,
  now: Date,
  changes: Partial<CertificatePlan> = {},
): CertifiedKey {
  const plan = { subject: names.leaf, ...leafLife(now), extensions: leafExtensions, ...changes }
  return issue(plan, leaf.key, intermediate)
}

async function issueUnrelated({ root }: Chain, now: Date): Promise<CertifiedKey> {
  return issue({ subject: nameOf('Unrelated'), ...leafLife(now), extensions: maySign }, await newEcPair(), root)
}

async function issueForeign(chain: Chain, leaf: CertifiedKey, now: Date): Promise<Signing> {
  const intermediate = issueIntermediate(await newRoot(now), await newEcPair())
  return { signer: leafLike(leaf, { ...chain, intermediate }, now), intermediate }
}

const daysFrom = (now: Date, days: number): Date => new Date(now.getTime() + days * dayMs)
