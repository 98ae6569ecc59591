/**
 * Watches the trust anchors of wallet tokens: fetches key lists every day and reports an expiring root. Chapter 40 §6, "root watch". Every
 * worker does this for itself, because every process has the anchors in its own memory. The same daily run deletes refused tokens that are
 * older than 90 days.
 */

import { limits } from '#domain/limits.ts'
import type { Wallet } from '#domain/mid.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import type { Clock, Ids, Log } from '../../contracts/ports.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import { expiryStage } from '../../wallets/accounts/expiry-stages.ts'
import { raiseWalletAlert, type WalletAlertChannels } from '../../wallets/accounts/wallet-alert.ts'
import type { TrustSource, WalletATrust, WalletBEnvironment, WalletBTrust } from '../../wallets/tokens/trust.ts'
import { type DueWork, runDueWork } from '../due-work.ts'

interface TrustWatchOptions {
  readonly anchors: {
    readWalletA(source: TrustSource): Promise<WalletATrust | null>
    readWalletB(source: TrustSource, environment: WalletBEnvironment): Promise<WalletBTrust | null>
    refresh(): Promise<readonly string[]>
  }
  /** The record that alerts about the whole instance belong to. */
  readonly recordKeyOf: (wallet: Wallet) => WalletRecordKey
  /** Refused tokens are stored for 90 days. */
  readonly purge: (before: Date) => Promise<number>
  readonly channels: WalletAlertChannels
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const pollMs = 5000
const environments: readonly WalletBEnvironment[] = ['PRODUCTION', 'TEST']

export function runWalletTrust(options: TrustWatchOptions): DueWork {
  const { clock, ids, log } = options
  // The lists were fetched when they were loaded.
  let nextAt = clock.now().getTime() + dayMs
  let first = true
  return runDueWork({
    name: 'wallet trust',
    claim: async () => {
      const now = clock.now().getTime()
      if (now < nextAt && !first) return []
      const refresh = now >= nextAt
      first = false
      nextAt = now + dayMs
      return [{ refresh }]
    },
    run: ({ refresh }) => checkTrust(options, refresh),
    concurrency: 1,
    pollMs,
    ids,
    log,
  })
}

async function checkTrust(options: TrustWatchOptions, refresh: boolean): Promise<void> {
  const { anchors, purge, clock } = options
  if (refresh) await anchors.refresh()
  await purge(new Date(clock.now().getTime() - limits.wallet.refusedKeptMs))
  await checkRoot(options)
  await checkKeyLists(options)
}

async function checkRoot({ anchors, recordKeyOf, channels, clock }: TrustWatchOptions): Promise<void> {
  const trust = await anchors.readWalletA('wallet maker')
  const now = clock.now()
  const kind = 'wallet root expiry'
  const recordKey = recordKeyOf('walletapay')
  const stage = trust && expiryStage(trust.root.validUntil, now)
  if (trust === null || stage === null) return channels.walletAlerts.resolve(recordKey, kind, [], now)
  const subject = `${trust.fingerprint} ${stage}`
  const text = `The root certificate of the provider of wallet A expires on ${utcDay(trust.root.validUntil)}.`
  await raiseWalletAlert(channels, { ...recordKey, kind, subject, text })
  await channels.walletAlerts.resolve(recordKey, kind, [subject], now)
}

async function checkKeyLists({ anchors, recordKeyOf, channels, clock }: TrustWatchOptions): Promise<void> {
  const now = clock.now()
  const { keysValidMs } = limits.wallet
  const soon = new Date(now.getTime() + keysValidMs)
  const kind = 'wallet keys ending'
  const recordKey = recordKeyOf('walletbpay')
  const ending: string[] = []
  for (const environment of environments) {
    const trust = await anchors.readWalletB('wallet maker', environment)
    if (trust?.keys.some(({ expiresAt }) => expiresAt === null || expiresAt > soon) ?? true) continue
    ending.push(environment)
    const text = `Every root key of wallet B for ${environment} expires within ${keysValidMs / dayMs} days.`
    await raiseWalletAlert(channels, { ...recordKey, kind, subject: environment, text })
  }
  await channels.walletAlerts.resolve(recordKey, kind, ending, now)
}
