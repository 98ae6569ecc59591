/**
 * Checks every wallet's keys and certificates: daily, at the start, and whenever something changes (a stage of an expiry, the expiry
 * itself, the end of a retiring key). Chapter 40 §5 and §6.
 */
import { dayMs, utcDay } from '#domain/time.ts'
import type { Clock, Ids, Log } from '../../contracts/ports.ts'
import type { WalletKeyRecord, WalletRecordKey } from '../../contracts/wallet-records.ts'
import { expiryStage, nextStageAt } from '../../wallets/accounts/expiry-stages.ts'
import { activeKeys } from '../../wallets/accounts/state.ts'
import { raiseWalletAlert, type WalletAlertChannels } from '../../wallets/accounts/wallet-alert.ts'
import { type DueWork, runDueWork } from '../due-work.ts'

export interface Watches {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly WalletRecordKey[]>
  keep(recordKey: WalletRecordKey, nextAt: Date): Promise<void>
}

interface CertificateOptions {
  readonly watches: Watches
  /** Makes every record due, so that changes made while no worker was running are found at once. */
  readonly checkAll: (now: Date) => Promise<void>
  readonly listKeys: (recordKey: WalletRecordKey) => Promise<readonly WalletKeyRecord[]>
  /** Destroys the private part of a key whose time is over. */
  readonly retire: (recordKey: WalletRecordKey, fingerprint: string) => Promise<void>
  /** Informs the merchant when its wallet has become live. */
  readonly announce: (recordKey: WalletRecordKey, now: Date) => Promise<void>
  /** The record's name for people. */
  readonly nameOf: (recordKey: WalletRecordKey) => string
  readonly channels: WalletAlertChannels
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const leaseSeconds = 60
const pollMs = 1000

export function runWalletCertificates(options: CertificateOptions): DueWork {
  const { watches, checkAll, clock, ids, log } = options
  let begun = false
  return runDueWork({
    name: 'wallet certificates',
    claim: async (limit) => {
      if (!begun) await checkAll(clock.now())
      begun = true
      return watches.claim(clock.now(), limit, leaseSeconds)
    },
    run: (recordKey) => checkKeys(options, recordKey),
    concurrency: 4,
    pollMs,
    ids,
    log,
  })
}

async function checkKeys(options: CertificateOptions, recordKey: WalletRecordKey): Promise<void> {
  const { watches, listKeys, retire, announce, clock } = options
  const now = clock.now()
  const keys = await listKeys(recordKey)
  for (const key of keys) if (isOver(key, now)) await retire(recordKey, key.fingerprint)
  const active = (['identity', 'processing'] as const).flatMap((role) => activeKeys(keys, role, now))
  await reportExpiries(options, recordKey, active, now)
  await reportUnknownExpiry(options, recordKey, active, now)
  await announce(recordKey, now)
  await watches.keep(recordKey, nextCheckAt(active, now))
}

async function reportExpiries(
  { channels, nameOf }: CertificateOptions,
  recordKey: WalletRecordKey,
  active: readonly WalletKeyRecord[],
  now: Date,
): Promise<void> {
  const kind = 'wallet certificate expiry'
  const subjects: string[] = []
  for (const key of active) {
    const stage = key.certificateUntil && expiryStage(key.certificateUntil, now)
    if (key.certificateUntil === null || stage === null) continue
    const subject = `${key.fingerprint} ${stage}`
    subjects.push(subject)
    await raiseWalletAlert(channels, {
      ...recordKey,
      kind,
      subject,
      text: textOf(nameOf(recordKey), key, key.certificateUntil, now),
    })
  }
  await channels.walletAlerts.resolve(recordKey, kind, subjects, now)
}

/** Chapter 40 §6, "unknown expiry". Keys of wallet B have no certificate and do not expire. */
async function reportUnknownExpiry(
  { channels, nameOf }: CertificateOptions,
  recordKey: WalletRecordKey,
  active: readonly WalletKeyRecord[],
  now: Date,
): Promise<void> {
  const kind = 'wallet expiry unknown'
  const unknown = active.filter(
    ({ role, certificateUntil }) =>
      recordKey.wallet === 'walletapay' && role === 'processing' && certificateUntil === null,
  )
  for (const { fingerprint } of unknown) {
    const which = `the processing key ${fingerprint.slice(0, 16)} of ${nameOf(recordKey)}`
    const text = `The expiry of ${which} is unknown: add the processing certificate.`
    await raiseWalletAlert(channels, { ...recordKey, kind, subject: fingerprint, text })
  }
  const subjects = unknown.map(({ fingerprint }) => fingerprint)
  await channels.walletAlerts.resolve(recordKey, kind, subjects, now)
}

const isOver = ({ state, until }: WalletKeyRecord, now: Date): boolean =>
  state === 'retiring' && until !== null && until < now

function nextCheckAt(active: readonly WalletKeyRecord[], now: Date): Date {
  const moments = active.flatMap(({ certificateUntil, until }) => [
    certificateUntil && nextStageAt(certificateUntil, now),
    // A key decrypts up to and including that moment.
    until && new Date(until.getTime() + 1),
  ])
  const times = moments.filter((moment) => moment !== null).map((moment) => moment.getTime())
  return new Date(Math.min(now.getTime() + dayMs, ...times))
}

function textOf(name: string, { role, fingerprint }: WalletKeyRecord, until: Date, now: Date): string {
  const which = `The ${role} certificate ${fingerprint.slice(0, 16)} of ${name}`
  const day = utcDay(until)
  if (until <= now) return `${which} expired on ${day}.`
  const days = Math.ceil((until.getTime() - now.getTime()) / dayMs)
  return `${which} expires on ${day}, in ${days} ${days === 1 ? 'day' : 'days'}.`
}
