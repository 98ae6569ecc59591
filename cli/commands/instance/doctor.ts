/** Examines everything an instance needs, beginning with what the rest depends on. Chapter 50 §9 (Doctor). */
import { systemClock } from '#server/process/clock.ts'
import type { Config } from '#server/process/config.ts'
import { systemIds } from '#server/process/ids.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import { checkAcquirers } from '../../doctor/acquirers.ts'
import { checkBackups } from '../../doctor/backups.ts'
import { checkCallbacks } from '../../doctor/callbacks.ts'
import { checkConnections } from '../../doctor/connections.ts'
import { checkDatabase, checkKeys } from '../../doctor/data.ts'
import { checkDistribution } from '../../doctor/distribution.ts'
import { type Finding, ok, problemOf, warning } from '../../doctor/finding.ts'
import { checkForms } from '../../doctor/forms.ts'
import { checkLive } from '../../doctor/live.ts'
import { checkDescriptors, checkFolder, checkMemory, checkPort } from '../../doctor/machine.ts'
import { checkMail } from '../../doctor/mail.ts'
import { checkMerchants } from '../../doctor/merchants.ts'
import { checkMonths } from '../../doctor/months.ts'
import { checkPanel } from '../../doctor/panel.ts'
import { checkPrism } from '../../doctor/prism.ts'
import { reach } from '../../doctor/reach.ts'
import { checkReadReplica } from '../../doctor/read-replica.ts'
import { checkRetention } from '../../doctor/retention.ts'
import { checkSingleSignOn } from '../../doctor/single-sign-on.ts'
import { checkStandbys } from '../../doctor/standbys.ts'
import { checkWallets } from '../../doctor/wallets.ts'
import { type Command, command } from '../../kit/command.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { type Database, openDatabase, readInstanceConfig } from '../../kit/instance.ts'
import { flag } from '../../kit/options.ts'

export const doctorCommands: readonly Command[] = [
  command({
    name: 'doctor',
    summary: 'Checks the instance and says how to fix each problem.',
    details: 'Exits with code 1 if there is a problem; warnings alone exit with 0.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      const findings = await examine(context)
      if (json) printJson(context.output, findings)
      else for (const finding of findings) context.output.out(lineOf(finding))
      return findings.some(({ level }) => level === 'problem') ? 1 : 0
    },
  }),
]

async function examine(context: CommandContext): Promise<readonly Finding[]> {
  let environmentConfig: Config
  try {
    environmentConfig = readInstanceConfig(context)
  } catch (error) {
    return [problemOf('configuration', error)]
  }
  const machine = [
    ...(await checkFolder(environmentConfig)),
    checkMemory(),
    checkDescriptors(environmentConfig),
    await checkPort(environmentConfig),
  ]
  let database: Database
  try {
    database = await openDatabase(context)
  } catch (error) {
    // The settings are at fault if their mode contradicts the mode of the database, or if a setting that the mode requires is missing;
    // a database that cannot be used has the error of its connection as cause.
    const isOfSettings = error instanceof StartupError && error.cause === undefined
    return [...machine, problemOf(isOfSettings ? 'configuration' : 'database', error)]
  }
  await using opened = database
  const panel = await checkPanel(opened.config, reach)
  return [configurationFinding(opened.config), ...machine, ...panel, ...(await examineData(opened))]
}

const configurationFinding = ({ instanceMode, modeFrom }: Config): Finding =>
  modeFrom === 'database'
    ? ok('configuration', `Valid; this is a ${instanceMode} instance.`)
    : warning(
        'configuration',
        `Valid; the first start makes this a ${instanceMode} instance.`,
        'To choose another mode, set GATEHOUSE_MODE before the first start.',
      )

/** Stops at the first problem: the later checks would only fail for the same reason. */
async function examineData({ config, pool }: Database): Promise<readonly Finding[]> {
  const base = await checkDatabase(pool)
  if (base.some(({ level }) => level === 'problem')) return base
  const { findings, vault } = await checkKeys(config, pool)
  if (vault === null) return [...base, ...findings]

  const clock = systemClock()
  if (config.instanceMode === 'sandbox') clock.moveTo(await instanceStore(pool).readClockOffsetMs())
  const setup = { instanceMode: config.instanceMode, trustSource: config.wallets.trustSource, byUser: 'doctor' }
  return [
    ...base,
    await checkConnections(pool, config.databasePool + config.panelPool),
    ...(await checkReadReplica(config, pool)),
    ...(await checkStandbys(pool)),
    ...(await checkDistribution(pool)),
    ...findings,
    ...(await checkLive(config, pool, vault)),
    ...(await checkForms(config, pool, reach)),
    ...(await checkAcquirers(config, pool, vault)),
    ...(await checkPrism(config, pool)),
    ...(await checkMerchants(pool, vault)),
    ...(await checkWallets({ ...setup, pool, vault, clock, ids: systemIds(clock) })),
    ...(await checkCallbacks(pool, clock.now())),
    await checkMail(config, pool, clock.now()),
    ...(await checkSingleSignOn(config, pool)),
    await checkRetention(pool, clock.now()),
    await checkMonths(pool, clock.now()),
    await checkBackups(pool, config.instanceMode, clock.now()),
  ]
}

// biome-ignore format: a table is read in columns.
const levelMarks: Readonly<Record<Finding['level'], string>> = {
  ok:      'ok     ',
  warning: 'warning',
  problem: 'PROBLEM',
}

function lineOf({ level, subject, text, remedy }: Finding): string {
  const line = `${levelMarks[level]}  ${subject.padEnd(13)}  ${text}`
  return remedy === null ? line : `${line}\n${' '.repeat(24)}→ ${remedy}`
}
