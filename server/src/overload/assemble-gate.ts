/** The gate of a process, with its metrics and its log line. */
import type { Log } from '../contracts/ports.ts'
import { createGate, type Gate, type GateOptions, type RefusalReason } from './gate.ts'
import { createOverloadLog } from './overload-log.ts'

interface GateReport {
  countAdmitted(waitedSeconds: number): void
  countRefused(reason: RefusalReason): void
}

export function assembleGate(bounds: Pick<GateOptions, 'concurrent' | 'waitMs'>, report: GateReport, log: Log): Gate {
  const logOverload = createOverloadLog(log)
  return createGate({
    ...bounds,
    onAdmitted: (waitedMs) => report.countAdmitted(waitedMs / 1000),
    onRefused: (reason) => {
      report.countRefused(reason)
      logOverload()
    },
  })
}
