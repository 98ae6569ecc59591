/** The MID health of a process, and where a change of a breaker is reported: log, metrics and alerts. */
import { limits } from '#domain/limits.ts'
import type { ProcessContext } from '../assembly/process-context.ts'
import type { Alerts, Configuration } from '../contracts/ports.ts'
import { midHealthStore } from '../store/configuration/mid-health.ts'
import { type MidHealthParts, openMidHealth, type RunningMidHealth } from './mid-health.ts'

interface BreakerReport {
  readonly configuration: Pick<Configuration, 'mid'>
  readonly alerts: Alerts
  /** Counts an opened breaker, by the MID's name. */
  readonly countOpened: (mid: string) => void
}

export function assembleMidHealth(
  { pool, clock, log }: Pick<ProcessContext, 'pool' | 'clock' | 'log'>,
  report: BreakerReport,
): Promise<RunningMidHealth> {
  return openMidHealth({ rows: midHealthStore(pool), clock, log, onChange: reportBreaker(log, report) })
}

const reportBreaker =
  (log: ProcessContext['log'], { configuration, alerts, countOpened }: BreakerReport): MidHealthParts['onChange'] =>
  async ({ midId, recent: { attempts, failed } }, { before, after }) => {
    const mid = configuration.mid(midId)?.name ?? midId
    if (after.state === 'closed') return log.info({ mid }, 'A MID works again; its circuit breaker is closed.')
    if (before.state === 'open') {
      if (after.since > before.since) log.info({ mid }, 'A probe failed; the circuit breaker of a MID stays open.')
      return
    }
    log.warn({ mid, attempts, failed }, 'The circuit breaker of a MID opened: no payment is sent there.')
    countOpened(mid)
    const text = `${failed} of ${attempts} requests to MID ${mid} failed within ${limits.breaker.windowMs / 1000} seconds: no payment is sent there until probes succeed.`
    await alerts.raise({ kind: 'mid-failing', merchantId: null, paymentId: null, text })
  }
