/** Exports that are written and sent by a schedule. Chapter 70 §5. */
import { exportPeriods } from '#domain/export/export-period.ts'
import { may } from '#server/panel/access/permissions.ts'
import { readGrant } from '#server/panel/access/users.ts'
import {
  createExportSchedule,
  listSchedulesFor,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
  runSchedule,
} from '#server/panel/exports/export-schedules.ts'
import { listRuns } from '#server/panel/exports/stored-runs.ts'
import { scheduledColumnNames } from '#server/panel/reports/exported-rows.ts'
import { exportKinds } from '#server/panel/reports/exports.ts'
import { machineTime } from '#server/process/clock.ts'
import { requireExportFilter } from '#server/protocols/admin/api/endpoints/reports/export-filter.ts'
import { loadConfiguration } from '#server/store/configuration/configuration.ts'
import { userStore } from '#server/store/people/users.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { argument, flag, list, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { record, table } from '../../kit/table.ts'

const name = argument('NAME', readers.nonEmpty)
const mostRuns = 200

export const exportCommands: readonly Command[] = [
  command({
    name: 'export schedule add',
    changes: true,
    summary: 'Schedules an export by mail or to an HTTPS address; prints the signing secret of an HTTPS target once.',
    details:
      'The export has the merchants and rights of its owner, a user of the panel. Filters are those of the search, such as status=SETTLED.',
    args: { name },
    options: {
      owner: value('EMAIL', 'The user whose rights the export has.', readers.email),
      to: list('EMAIL', 'Who gets the file by mail.', readers.email),
      url: value('URL', 'Where the file is posted.', readers.webAddress),
      kind: value('KIND', `${exportKinds.join(' or ')}; default payments.`, readers.oneOf(exportKinds)),
      period: value('PERIOD', `${exportPeriods.join(', ')}; default day.`, readers.oneOf(exportPeriods)),
      zone: value('ZONE', 'The time zone of period and time; default UTC.', readers.timeZone),
      time: value('TIME', 'When the file is written, on the day after the period; default 06:00.', readers.timeOfDay),
      filter: list(
        'NAME=VALUE',
        'A filter of the search.',
        readers.textMatching(/^\w+=.+$/, 'a filter such as status=SETTLED'),
      ),
      column: list('COLUMN', 'A column of the file; default all.', readers.nonEmpty),
    },
    examples: [
      'gatehouse export schedule add daily --owner ann@example.com --to books@example.com --zone Europe/Berlin',
      'gatehouse export schedule add warehouse --owner ann@example.com --url https://files.example.com/in --kind transactions --filter test=false',
    ],
    async run(
      context,
      { name: title },
      { owner, to = [], url, kind = 'payments', period = 'day', zone = 'UTC', time = '06:00', filter = [], column },
    ) {
      if (owner === undefined)
        throw new CommandError('The owner is missing.', 'Add --owner with the e-mail address of a user of the panel.')
      if ((to.length === 0) === (url === undefined))
        throw new CommandError(
          'The target is missing, or there are two.',
          'Add either --to with e-mail addresses or --url.',
        )
      await using instance = await openInstance(context)
      const { pool, vault, log } = instance
      const configuration = await loadConfiguration(pool, vault, log)
      const sent = Object.fromEntries(
        filter.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
      )
      const target = url === undefined ? { kind: 'mail' as const, addresses: to } : { kind: 'https' as const, url }
      const [hours = 0, minutes = 0] = time.split(':').map(Number)
      const times = { period, timeZone: zone, minuteOfDay: hours * 60 + minutes }
      const { schedule, secret } = await withPanelRefusals(
        instance.change(async (change) => {
          requireExportFilter({ configuration }, sent)
          const wishes = {
            ...times,
            name: title,
            kind,
            filter: sent,
            columns: column ?? scheduledColumnNames(kind),
            target,
          }
          return createExportSchedule(startedAs(change), change.actor, await requireOwner(change, owner), wishes)
        }),
      )
      context.output.out(
        record([
          ['name', schedule.name],
          ['target', schedule.shownTarget],
          ['next', schedule.nextAt],
          ...(secret === null ? [] : [['secret', secret.reveal()] as const]),
        ]),
      )
    },
  }),
  command({
    name: 'export schedule list',
    summary: 'Lists the scheduled exports.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      await using instance = await openInstance(context)
      const rows = (await listSchedulesFor(readingOf(instance), 'everyone')).map((one) => ({
        name: one.name,
        id: one.id,
        owner: one.ownerEmail,
        kind: one.kind,
        period: one.period,
        target: one.shownTarget,
        next: one.pausedAt === null ? one.nextAt : null,
        last: one.lastState,
        paused: one.pausedAt === null ? null : (one.pauseReason ?? 'by a person'),
      }))
      show(context, json, ['name', 'id', 'owner', 'kind', 'period', 'target', 'next', 'last', 'paused'], rows)
    },
  }),
  command({
    name: 'export schedule runs',
    summary: 'Lists the newest runs of a scheduled export.',
    args: { name },
    options: { json: flag('Prints JSON.') },
    async run(context, { name: wanted }, { json }) {
      await using instance = await openInstance(context)
      const place = await requirePlace(readingOf(instance), wanted)
      const rows = (await listRuns(readingOf(instance), place, { before: null, limit: mostRuns })).map((one) => ({
        period: one.period,
        state: one.state,
        rows: one.rowCount === null ? null : String(one.rowCount),
        bytes: one.byteCount === null ? null : String(one.byteCount),
        attempts: one.attempts,
        asked_by: one.askedBy,
        ended: one.endedAt,
        fault: one.fault,
      }))
      show(context, json, ['period', 'state', 'rows', 'bytes', 'attempts', 'asked_by', 'ended', 'fault'], rows)
    },
  }),
  command({
    name: 'export schedule run',
    changes: true,
    summary: 'Exports the last complete period, or the period that contains --day, even if it was exported before.',
    args: { name },
    options: { day: value('DAY', 'A day of the period; default the last complete period.', readers.day) },
    async run(context, { name: wanted }, { day }) {
      const period = await changeNamed(context, wanted, (change, place) =>
        runSchedule(change, change.actor, place, day),
      )
      context.output.out(`The export ${wanted} of ${period} will be sent by a worker.`)
    },
  }),
  command({
    name: 'export schedule pause',
    changes: true,
    summary: 'Pauses a scheduled export.',
    args: { name },
    options: {},
    async run(context, { name: wanted }) {
      await changeNamed(context, wanted, (change, place) => pauseSchedule(change, change.actor, place))
      context.output.out(`The export ${wanted} is paused.`)
    },
  }),
  command({
    name: 'export schedule resume',
    changes: true,
    summary: 'Resumes a scheduled export; missed periods are not run automatically.',
    args: { name },
    options: {},
    async run(context, { name: wanted }) {
      await changeNamed(context, wanted, (change, place) => resumeSchedule(change, change.actor, place))
      context.output.out(`The export ${wanted} is resumed.`)
    },
  }),
  command({
    name: 'export schedule remove',
    changes: true,
    summary: 'Removes a scheduled export with its runs and files.',
    args: { name },
    options: {},
    async run(context, { name: wanted }) {
      await changeNamed(context, wanted, (change, place) => removeSchedule(change, change.actor, place))
      context.output.out(`The export ${wanted} is removed.`)
    },
  }),
]

type Reading = Parameters<typeof listSchedulesFor>[0]
type Place = Parameters<typeof pauseSchedule>[2]

const readingOf = (instance: Instance): Reading => ({ ...instance, machine: machineTime(instance.clock) })

const startedAs = (change: ChangeContext) => ({
  ...change,
  instanceMode: change.config.instanceMode,
  sendsMail: change.config.mail !== null,
})

async function changeNamed<T>(
  context: CommandContext,
  wanted: string,
  work: (change: ChangeContext, place: Place) => Promise<T>,
): Promise<T> {
  await using instance = await openInstance(context)
  return await withPanelRefusals(instance.change(async (change) => work(change, await requirePlace(change, wanted))))
}

/** By name, or by id if two owners chose the same name. */
async function requirePlace(reading: Reading, wanted: string): Promise<Place> {
  const found = (await listSchedulesFor(reading, 'everyone')).filter((one) => one.name === wanted || one.id === wanted)
  const [only, ...others] = found
  if (only === undefined)
    throw new CommandError(`There is no scheduled export ${wanted}.`, '"gatehouse export schedule list" shows them.')
  if (others.length > 0)
    throw new CommandError(
      `Several owners have an export ${wanted}.`,
      'Name it by its id: "gatehouse export schedule list" shows them.',
    )
  return { viewer: 'everyone', id: only.id }
}

async function requireOwner(change: ChangeContext, email: string) {
  const user = await userStore(change.pool).findByEmail(email)
  const grant = user && (await readGrant(change, user.id))
  if (user === null || grant === null)
    throw new CommandError(`There is no active user ${email}.`, '"gatehouse user list" shows them.')
  if (!may(grant, 'payments.export'))
    throw new CommandError(`${email} may not export payments.`, 'Choose a user with the permission payments.export.')
  return { id: user.id, email: user.email, grant }
}

function show(
  { output }: CommandContext,
  json: boolean | undefined,
  headings: readonly string[],
  rows: readonly Readonly<Record<string, string | number | Date | null>>[],
): void {
  if (json) printJson(output, rows)
  else
    output.out(
      table(
        headings,
        rows.map((row) => Object.values(row)),
      ),
    )
}
