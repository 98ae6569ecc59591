/** Starts the workers of scheduled exports. Their files read where the panel's own exports read. */
import type { DueWork } from '../due/due-work.ts'
import { exportSender } from '../due/exports/export-sender.ts'
import { runExportPlans } from '../due/exports/plan-exports.ts'
import { runExports } from '../due/exports/run-exports.ts'
import { smtpMail } from '../mail/smtp.ts'
import { refuseRun, writeRunFile } from '../panel/exports/run-file.ts'
import { pauseForUnknownZone } from '../panel/exports/unknown-zone.ts'
import { release } from '../process/release.ts'
import { readExportFilter } from '../protocols/admin/api/endpoints/reports/export-filter.ts'
import type { LoadedConfiguration } from '../store/configuration/configuration.ts'
import { dueRunStore } from '../store/exports/export-runs.ts'
import { dueScheduleStore } from '../store/exports/export-schedules.ts'
import type { ReadSource } from '../store/instance/read-source.ts'
import type { ProcessContext } from './process-context.ts'

interface ExportWorkerParts {
  readonly holder: number
  readonly configuration: LoadedConfiguration
  readonly reports: ReadSource
  readonly panelUrl: () => string
}

export function startExportWorkers(
  { config, pool, vault, clock, ids, log }: ProcessContext,
  { holder, configuration, reports, panelUrl }: ExportWorkerParts,
): readonly DueWork[] {
  const context = { pool, clock, ids, reports, configuration, readFilter: readExportFilter }
  return [
    runExportPlans({
      schedules: {
        ...dueScheduleStore(pool, { ids, now: () => clock.now() }),
        pauseForUnknownZone: (schedule) => pauseForUnknownZone(context, schedule),
      },
      clock,
      ids,
      log,
    }),
    runExports({
      runs: {
        ...dueRunStore(pool, { vault, clock, ids, holder }),
        recordRefused: (run, fault) => refuseRun(context, run, fault),
      },
      writeFile: (run) => writeRunFile(context, run),
      sender: exportSender({ allowPrivate: config.allowPrivateCallbacks }, release),
      mail: config.mail && smtpMail(config.mail),
      panelUrl,
      clock,
      ids,
      log,
    }),
  ]
}
