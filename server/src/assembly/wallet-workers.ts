/** Starts the workers that watch wallets: certificates, domains, sessions and trust anchors. Chapter 40 §6, §8. */
import { dayMs } from '#domain/time.ts'
import type { Alerts, Configuration } from '../contracts/ports.ts'
import type { WalletAlertKind, WalletRecordKey } from '../contracts/wallet-records.ts'
import type { DueWork } from '../due/due-work.ts'
import { runSessionProbe } from '../due/wallets/session-probe.ts'
import { runWalletAlerts } from '../due/wallets/wallet-alerts.ts'
import { runWalletCertificates } from '../due/wallets/wallet-certificates.ts'
import { domainChecker } from '../due/wallets/wallet-domain-check.ts'
import { runWalletDomains } from '../due/wallets/wallet-domains.ts'
import { runWalletTrust } from '../due/wallets/wallet-trust.ts'
import type { CertificateSample, WalletAlertSample } from '../observe/wallet-gauges.ts'
import { refusedTokenStore } from '../store/wallets/refused-tokens.ts'
import { walletAlertStore } from '../store/wallets/wallet-alerts.ts'
import { walletDomainStore } from '../store/wallets/wallet-domains.ts'
import { walletKeyStore } from '../store/wallets/wallet-keys.ts'
import { platformRecordKey, walletSettingsStore } from '../store/wallets/wallet-settings.ts'
import { walletWatchStore } from '../store/wallets/wallet-watches.ts'
import { announce } from '../wallets/accounts/announcement.ts'
import type { WalletParts } from '../wallets/accounts/assembly.ts'
import { retireKey } from '../wallets/accounts/rotation.ts'
import type { WalletMail } from '../wallets/accounts/wallet-mail.ts'
import type { ProcessContext } from './process-context.ts'

export function startWalletWorkers(
  { config, pool, clock, ids, log }: ProcessContext,
  { anchors, probe }: WalletParts,
  configuration: Configuration,
  { alerts, mail }: { readonly alerts: Alerts; readonly mail: WalletMail },
): readonly DueWork[] {
  const channels = { walletAlerts: walletAlertStore(pool), alerts, mail, clock, log }
  const shared = { channels, clock, ids, log, nameOf: nameOf(configuration) }
  const watches = walletWatchStore(pool)
  return [
    runWalletCertificates({
      ...shared,
      watches: watches.checks,
      checkAll: (now) => watches.checkAll(now),
      listKeys: (recordKey) => walletKeyStore(pool).list(recordKey),
      retire: async (recordKey, fingerprint) => {
        await retireKey({ pool, clock, ids }, recordKey, fingerprint, 'the end of its time')
      },
      announce: (recordKey, now) => announce(pool, mail, recordKey, now),
    }),
    runWalletDomains({
      ...shared,
      rows: walletDomainStore(pool),
      readAssociationFile: async () =>
        (await walletSettingsStore(pool).find(platformRecordKey('walletapay')))?.associationFile ?? null,
      reportChange: async ({ merchantId, wallet }) => {
        for (const mode of ['live', 'test'] as const) await watches.checkSoon({ merchantId, mode, wallet }, clock.now())
      },
      checker: domainChecker({ addresses: { allowPrivate: config.allowPrivateCallbacks } }),
    }),
    runSessionProbe({ ...shared, watches: watches.probes, probe }),
    runWalletAlerts(channels, { ids, log }),
    runWalletTrust({
      ...shared,
      anchors,
      recordKeyOf: platformRecordKey,
      purge: (before) => refusedTokenStore(pool, ids).purge(before),
    }),
  ]
}

/** For the metric `gatehouse_wallet_certificate_days_left`. */
export async function readCertificateSamples({ pool, clock }: ProcessContext): Promise<readonly CertificateSample[]> {
  const ends = await walletKeyStore(pool).listNextEnds()
  const now = clock.now().getTime()
  return ends.map(({ wallet, role, ends: at }) => ({ wallet, role, daysLeft: (at.getTime() - now) / dayMs }))
}

// biome-ignore format: a table is read in columns.
const alertKinds: Readonly<Record<WalletAlertKind, true>> = {
  'wallet certificate expiry': true,
  'wallet expiry unknown':     true,
  'wallet domain failing':     true,
  'wallet domain suspended':   true,
  'wallet session failing':    true,
  'wallet root expiry':        true,
  'wallet keys ending':        true,
  'processing key mismatch':   true,
  'sandbox token on live':     true,
}

/** For the metric `gatehouse_wallet_alarms`: every kind, including those without an open alert. */
export async function readWalletAlertSamples({ pool }: ProcessContext): Promise<readonly WalletAlertSample[]> {
  const counts = new Map((await walletAlertStore(pool).listCounts()).map(({ kind, count }) => [String(kind), count]))
  return Object.keys(alertKinds).map((kind) => ({ kind, count: counts.get(kind) ?? 0 }))
}

const nameOf =
  (configuration: Configuration) =>
  ({ merchantId, mode }: WalletRecordKey): string => {
    const merchant = configuration.merchant(merchantId)
    return merchant === null ? 'the platform' : `${merchant.name} (${mode})`
  }
