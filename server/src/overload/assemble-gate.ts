/** The gate of a process, with its metrics and its log line. */
import type { Log } from '../contracts/ports.ts'
import { busyLog } from './busy-log.ts'
import { createGate, type Gate, type GateOptions, type RefusalReason } from './gate.ts'

interface GateReport {
  admitted(waitedSeconds: number): void
  refused(reason: RefusalReason): void
}

export function assembleGate(bounds: Pick<GateOptions, 'concurrent' | 'waitMs'>, report: GateReport, log: Log): Gate {
  const tellBusy = busyLog(log)
  return createGate({
    ...bounds,
    onAdmitted: (waitedMs) => report.admitted(waitedMs / 1000),
    onRefused: (reason) => {
      report.refused(reason)
      tellBusy()
    },
  })
}
