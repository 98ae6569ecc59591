/**
 * Requests a merchant session from the wallet provider with every live identity certificate, once a day. Chapter 40 §6, "session probe".
 */
import type { Clock, Ids, Log } from '../../contracts/ports.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import { type AlarmBell, alarm } from '../../wallets/accounts/alarm.ts'
import { type DueWork, runDueWork } from '../due-work.ts'
import type { Watches } from './wallet-certificates.ts'

interface SessionProbeOptions {
  readonly watches: Watches
  /** The fault; null if a session was issued, undefined if there is nothing to ask with. */
  readonly probe: (place: WalletRecordKey) => Promise<string | null | undefined>
  readonly nameOf: (place: WalletRecordKey) => string
  readonly bell: AlarmBell
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Above the ten seconds of a request. */
const leaseSeconds = 60
const pollMs = 5000
const dayMs = 86_400_000
const kind = 'wallet session failing'

export function runWalletSessions(options: SessionProbeOptions): DueWork {
  const { watches, clock, ids, log } = options
  return runDueWork({
    name: 'wallet sessions',
    claim: (limit) => watches.claim(clock.now(), limit, leaseSeconds),
    run: (place) => probeSession(options, place),
    concurrency: 2,
    pollMs,
    ids,
    log,
  })
}

async function probeSession(
  { watches, probe, nameOf, bell, clock }: SessionProbeOptions,
  place: WalletRecordKey,
): Promise<void> {
  const fault = await probe(place)
  const text = `The wallet provider refuses a merchant session for ${nameOf(place)}: ${fault}.`
  if (typeof fault === 'string') await alarm(bell, { ...place, kind, subject: '', text })
  else await bell.notices.resolve(place, kind, [], clock.now())
  await watches.keep(place, new Date(clock.now().getTime() + dayMs))
}
