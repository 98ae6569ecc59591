/**
 * Requests a merchant session from the wallet provider with every live identity certificate, once a day. Chapter 40 §6, "session probe".
 */
import { dayMs } from '#domain/time.ts'
import type { Clock, Ids, Log } from '../../contracts/ports.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import { raiseWalletAlert, type WalletAlertChannels } from '../../wallets/accounts/wallet-alert.ts'
import { type DueWork, runDueWork } from '../due-work.ts'
import type { Watches } from './wallet-certificates.ts'

interface SessionProbeOptions {
  readonly watches: Watches
  /** The fault; null if a session was issued, undefined if there is no certificate to ask with. */
  readonly probe: (key: WalletRecordKey) => Promise<string | null | undefined>
  readonly nameOf: (key: WalletRecordKey) => string
  readonly channels: WalletAlertChannels
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Above the ten seconds of a request. */
const leaseSeconds = 60
const pollMs = 5000
const kind = 'wallet session failing'

export function runSessionProbe(options: SessionProbeOptions): DueWork {
  const { watches, clock, ids, log } = options
  return runDueWork({
    name: 'wallet session probe',
    claim: (limit) => watches.claim(clock.now(), limit, leaseSeconds),
    run: (key) => probeSession(options, key),
    concurrency: 2,
    pollMs,
    ids,
    log,
  })
}

async function probeSession(
  { watches, probe, nameOf, channels, clock }: SessionProbeOptions,
  key: WalletRecordKey,
): Promise<void> {
  const fault = await probe(key)
  const text = `The wallet provider refuses a merchant session for ${nameOf(key)}: ${fault}.`
  if (typeof fault === 'string') await raiseWalletAlert(channels, { ...key, kind, subject: '', text })
  else await channels.walletAlerts.resolve(key, kind, [], clock.now())
  await watches.keep(key, new Date(clock.now().getTime() + dayMs))
}
