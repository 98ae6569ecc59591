/** The certificates that sign wallet A tokens, and those of the session service (Chapter 40 §20.1). */
import { dayMs } from '#domain/time.ts'
import { type KeyPair, newEcPair, newRsaPair } from '../key-pair.ts'
import { type CertifiedKey, extension, issue, mark, mayIssue, maySign, nameOf } from './certificate.ts'
import { encode, oid, sequence } from './der.ts'
import { oids } from './oids.ts'

/** What signs a token: a leaf of either key type, and the certificates up to the root. */
export interface Chain {
  readonly root: CertifiedKey
  readonly intermediate: CertifiedKey
  readonly leafEc: CertifiedKey
  readonly leafRsa: CertifiedKey
}

const YEAR_MS = 365 * dayMs
const ROOT_YEARS = 20
const LEAF_MONTHS = 25
const RENEWED_BEFORE_MS = 30 * dayMs

export const names = {
  root: nameOf('Gatehouse Sandbox Root'),
  intermediate: nameOf('Gatehouse Sandbox Intermediate'),
  merchants: nameOf('Gatehouse Sandbox Merchant Certificates'),
  leaf: nameOf('Gatehouse Sandbox Leaf'),
  sessionRoot: nameOf('Gatehouse Sandbox Session Root'),
  sessionHost: nameOf('Gatehouse Sandbox Session Service'),
} as const

export async function newRoot(now: Date): Promise<CertifiedKey> {
  const key = await newEcPair('P-384')
  const from = dayBefore(now)
  const plan = {
    subject: names.root,
    from,
    until: new Date(from.getTime() + ROOT_YEARS * YEAR_MS),
    extensions: mayIssue,
  }
  return issue(plan, key, { subject: names.root, key })
}

export const intermediateExtensions: readonly Buffer[] = [...mayIssue, mark(oids.walletIntermediate)]
export const leafExtensions: readonly Buffer[] = [...maySign, mark(oids.walletLeaf)]

/** Valid as long as its root. */
export function issueIntermediate(root: CertifiedKey, key: KeyPair, extensions = intermediateExtensions): CertifiedKey {
  return issue({ subject: names.intermediate, from: root.from, until: root.until, extensions }, key, root)
}

export async function newLeaves(intermediate: CertifiedKey, now: Date): Promise<Pick<Chain, 'leafEc' | 'leafRsa'>> {
  const [ec, rsa] = await Promise.all([newEcPair(), newRsaPair()])
  const plan = { subject: names.leaf, ...leafLife(now), extensions: leafExtensions }
  return { leafEc: issue(plan, ec, intermediate), leafRsa: issue(plan, rsa, intermediate) }
}

export function leafLife(now: Date): { readonly from: Date; readonly until: Date } {
  const from = dayBefore(now)
  const until = new Date(from)
  until.setUTCMonth(until.getUTCMonth() + LEAF_MONTHS)
  return { from, until }
}

/** A leaf is renewed a month before it expires, and if the test clock was set back to before its beginning. */
export function isCurrent({ from, until }: CertifiedKey, now: Date): boolean {
  return now >= from && now.getTime() < until.getTime() - RENEWED_BEFORE_MS
}

/** Issues certificates to merchants, and stays when the intermediate is rotated. */
export async function newMerchantIssuer(root: CertifiedKey): Promise<CertifiedKey> {
  const plan = { subject: names.merchants, from: root.from, until: root.until, extensions: mayIssue }
  return issue(plan, await newEcPair(), root)
}

/**
 * The certificate of the session service, under its own root. TLS checks it by the machine's time and not by the test clock, so it is valid
 * at any time.
 */
export async function newSessionHost(): Promise<{
  readonly sessionRoot: CertifiedKey
  readonly sessionHost: CertifiedKey
}> {
  const [rootKey, hostKey] = await Promise.all([newEcPair(), newEcPair()])
  const always = { from: new Date('2020-01-01T00:00:00Z'), until: new Date('2049-12-31T00:00:00Z') }
  const own = { subject: names.sessionRoot, key: rootKey }
  const sessionRoot = issue({ subject: names.sessionRoot, ...always, extensions: mayIssue }, rootKey, own)
  const loopback = encode(0x87, Buffer.from([127, 0, 0, 1]))
  const extensions = [
    ...maySign,
    extension(oids.extendedKeyUsage, sequence(oid(oids.serverAuthentication))),
    extension(oids.subjectAlternativeName, sequence(encode(0x82, Buffer.from('localhost')), loopback)),
  ]
  const sessionHost = issue({ subject: names.sessionHost, ...always, extensions }, hostKey, sessionRoot)
  return { sessionRoot, sessionHost }
}

function dayBefore(now: Date): Date {
  const day = new Date(now.getTime() - dayMs)
  // Certificates have a resolution of one second.
  day.setUTCMilliseconds(0)
  return day
}
