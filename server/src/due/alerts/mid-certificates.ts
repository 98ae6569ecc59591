/**
 * Raises an alert about a MID whose client certificate, by which its acquirer knows it, expires soon: 30 and 7 days before, and when it has expired.
 * Chapter 70 §9.
 */

import { X509Certificate } from 'node:crypto'
import type { AlertKind } from '#domain/alert/alert-kinds.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import type { Alerts, Clock, Ids, Log } from '../../contracts/ports.ts'
import { type DueWork, runDueWork } from '../due-work.ts'

interface WatchedMid {
  readonly name: string
  /** PEM; null if the acquirer knows the MID by something else. */
  readonly certificate: string | null
}

interface CertificateParts {
  /** The enabled ones. */
  readonly listMids: () => Promise<readonly WatchedMid[]>
  /** Those of the texts that no alert was raised with, so that one that a person resolved is not raised again. */
  readonly findUnraised: (kind: AlertKind, texts: readonly string[]) => Promise<readonly string[]>
  readonly alerts: Alerts
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const kind: AlertKind = 'mid-certificate-expiring'
const pollMs = 60 * 60_000

/** No lease: an alert with the same text is open only once. */
export function runMidCertificates({ listMids, findUnraised, alerts, clock, ids, log }: CertificateParts): DueWork {
  return runDueWork({
    name: 'MID certificates',
    claim: async (limit) => {
      const now = clock.now()
      const texts = (await listMids()).flatMap((mid) => expiryText(mid, now) ?? [])
      return texts.length === 0 ? [] : (await findUnraised(kind, texts)).slice(0, limit)
    },
    run: (text) => alerts.raise({ kind, merchantId: null, paymentId: null, text, once: true }),
    concurrency: 1,
    pollMs,
    ids,
    log,
  })
}

/** The same for each stage of one certificate; null before the first. */
export function expiryText({ name, certificate }: WatchedMid, now: Date): string | null {
  const until = certificate === null ? null : endOf(certificate)
  if (until === null) return null
  const which = `The client certificate of MID ${name}`
  const day = utcDay(until)
  if (until <= now) return `${which} expired on ${day}. Its acquirer may refuse every connection: enter a new one.`
  const daysLeft = (until.getTime() - now.getTime()) / dayMs
  const stage = [7, 30].find((days) => daysLeft <= days)
  return stage === undefined
    ? null
    : `${which} expires on ${day}, within ${stage} days. Ask the acquirer for a new one and enter it.`
}

/** Null for a text that is no certificate, which the MID's own checks report. */
function endOf(certificate: string): Date | null {
  try {
    return new X509Certificate(certificate).validToDate
  } catch {
    return null
  }
}
