/** Checks wallet domains when due, and raises an alert when one begins to fail or is suspended. Chapter 40 §8. */
import type { Clock, Ids, Log } from '../../contracts/ports.ts'
import type { WalletDomain } from '../../contracts/wallet-records.ts'
import { afterCheck, expectedFile } from '../../wallets/accounts/domain-plan.ts'
import { raiseWalletAlert, type WalletAlertChannels } from '../../wallets/accounts/wallet-alert.ts'
import { type DueWork, runDueWork } from '../due-work.ts'
import type { DomainChecker } from './wallet-domain-check.ts'

interface DomainRows {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly WalletDomain[]>
  settle(domain: WalletDomain): Promise<void>
}

interface WalletDomainOptions {
  readonly rows: DomainRows
  /** The operator's file, which platform merchants' domains serve. */
  readonly readAssociationFile: () => Promise<Buffer | null>
  readonly checker: DomainChecker
  /** The wallet's state depends on its domains. */
  readonly reportChange: (domain: WalletDomain) => Promise<void>
  readonly channels: WalletAlertChannels
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Above the ten seconds of a check, so that a lease expires only if its process is dead. */
const leaseSeconds = 60
const pollMs = 1000

export function runWalletDomains(options: WalletDomainOptions): DueWork {
  const { rows, clock, ids, log, checker } = options
  return runDueWork({
    name: 'wallet domains',
    claim: (limit) => rows.claim(clock.now(), limit, leaseSeconds),
    run: (domain) => checkDomain(options, domain),
    concurrency: 8,
    pollMs,
    ids,
    log,
    close: () => checker.close(),
  })
}

async function checkDomain(options: WalletDomainOptions, domain: WalletDomain): Promise<void> {
  const { rows, readAssociationFile, checker, clock } = options
  const expected = expectedFile(domain, await readAssociationFile())
  if (expected === null) return rows.settle({ ...domain, nextCheck: null })
  const after = afterCheck(domain, await checker.check(domain.domain, expected), clock.now())
  await rows.settle(after)
  if (after.state !== domain.state) await options.reportChange(after)
  await reportState(options, after)
}

const kinds = [
  ['failing', 'wallet domain failing'],
  ['suspended', 'wallet domain suspended'],
] as const

async function reportState({ channels, clock }: WalletDomainOptions, domain: WalletDomain): Promise<void> {
  const { merchantId, wallet, domain: subject, state, lastFault } = domain
  const recordKey = { merchantId, mode: domain.purpose === 'production' ? 'live' : 'test', wallet } as const
  for (const [held, kind] of kinds) {
    if (held === state)
      await raiseWalletAlert(channels, { ...recordKey, kind, subject, text: textOf(subject, state, lastFault) })
    else await channels.walletAlerts.resolveOne(recordKey, kind, subject, clock.now())
  }
}

const textOf = (domain: string, state: string, fault: string | null): string =>
  state === 'suspended'
    ? `The wallet button is hidden on ${domain}: its check has failed for 72 hours (${fault}).`
    : `The check of ${domain} failed: ${fault}. After 72 hours the wallet button is hidden there.`
