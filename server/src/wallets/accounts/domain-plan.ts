/** What a domain check changes in its entry, and when the next check is due. Chapter 40 §8, "Plan" and "Consequence". */
import { limits } from '#domain/limits.ts'
import type { WalletDomain } from '../../contracts/wallet-records.ts'

/** `null` if the file was found as expected. */
export type DomainFault = 'dns' | 'connect' | 'tls' | 'timeout' | 'redirect' | 'body' | `status:${number}`

export function afterCheck(domain: WalletDomain, fault: DomainFault | null, now: Date): WalletDomain {
  const after = { ...domain, ...(fault === null ? afterSuccess(domain, now) : afterFailure(domain, now)) }
  const checked = { ...after, lastCheck: now, lastFault: fault }
  return { ...checked, nextCheck: new Date(now.getTime() + waitMs(checked, now)) }
}

function afterSuccess({ state, verifiedSince }: WalletDomain, now: Date): Partial<WalletDomain> {
  // A fault that healed keeps the time since which the domain is verified; a suspension resets it.
  const since = state === 'verified' || state === 'failing' ? (verifiedSince ?? now) : now
  return { state: 'verified', succeededAt: now, verifiedSince: since }
}

function afterFailure({ state, succeededAt }: WalletDomain, now: Date): Partial<WalletDomain> {
  if (state === 'new' || state === 'file ready') return {}
  const since = now.getTime() - (succeededAt?.getTime() ?? 0)
  return since >= limits.wallet.domainSuspendedMs ? { state: 'suspended', verifiedSince: null } : { state: 'failing' }
}

function waitMs({ state, addedAt }: WalletDomain, now: Date): number {
  const { domainVerifiedMs, domainFailingMs, domainNewForMs, domainNewMs, domainLaterMs } = limits.wallet
  if (state === 'verified') return domainVerifiedMs
  if (state === 'failing' || state === 'suspended') return domainFailingMs
  return now.getTime() - addedAt.getTime() < domainNewForMs ? domainNewMs : domainLaterMs
}

/** The bytes that the domain must serve: its own file, or the operator's for a platform merchant; null if there are none yet. */
export const expectedFile = ({ file }: Pick<WalletDomain, 'file'>, associationFile: Buffer | null): Buffer | null =>
  file ?? associationFile

/** Equal except for one trailing line break, which editors and servers add. */
export function sameFile(served: Buffer, expected: Buffer): boolean {
  return withoutLineBreak(served).equals(withoutLineBreak(expected))
}

function withoutLineBreak(bytes: Buffer): Buffer {
  const end = bytes.at(-1) === 0x0a ? (bytes.at(-2) === 0x0d ? -2 : -1) : bytes.length
  return bytes.subarray(0, end)
}
