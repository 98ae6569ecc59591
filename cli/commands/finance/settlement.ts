/** Settlement files of acquirers: imported, listed and shown with their differences. Chapter 60 §5. */
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename } from 'node:path'
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { settlementFormatNames } from '#domain/settlement/settlement-format.ts'
import { differenceLines } from '#server/panel/exports/difference-file.ts'
import { askResolution } from '#server/panel/finance/differences.ts'
import { type ImportResult, importSettlement } from '#server/panel/finance/settlement-import.ts'
import { fileFault } from '#server/process/file-fault.ts'
import { midStore } from '#server/store/configuration/mids.ts'
import { type Difference, type DifferenceFilter, differenceStore } from '#server/store/finance/differences.ts'
import { type StoredSettlement, settlementStore } from '#server/store/finance/settlements.ts'
import { userStore } from '#server/store/people/users.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { requireMid } from '../../kit/named.ts'
import { argument, flag, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { record, table } from '../../kit/table.ts'
import { readConfiguration } from '../../signing/merchant-keys.ts'

const shownAtMost = 500
const rowsBetweenLines = 100_000
const json = flag('Prints JSON.')

export const settlementCommands: readonly Command[] = [
  command({
    name: 'settlement import',
    changes: true,
    summary: 'Imports a settlement file of an acquirer, whole or not at all.',
    details:
      'Columns of the format "common": row, type (charge, refund, chargeback, chargeback-reversal, payout, fee, adjustment), payment_id, transaction_id, reference,\n' +
      'currency, gross, fee, net, date, payout, mid, and for converted rows processing_currency, processing_gross, rate; the last line is\n' +
      '"end," and the number of rows. A file that was imported before changes nothing. A file with an error is refused, and the errors are listed by line.\n' +
      'Acquirers’ own formats: adyen (Settlement details report; give the merchant account as --acquirer-mid), stripe (itemized payout\n' +
      'reconciliation or balance change), paypal (Settlement Report, STL), checkout (Financial Actions by Payout ID; give the processing\n' +
      'channel as --acquirer-mid), cybersource (Payment Batch Detail Report; give the merchant id as --acquirer-mid).',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: {
      mid: value('NAME', 'The MID that the file belongs to.', readers.nonEmpty),
      format: value('FORMAT', 'Format of the file; default common.', readers.oneOf(settlementFormatNames)),
      acquirerMid: value('NAME', 'The MID at the acquirer, if it differs from our name.', readers.nonEmpty),
      json,
    },
    examples: ['gatehouse settlement import march.csv --mid acquirer-eur'],
    async run(context, { file }, { mid: midName, format = 'common', acquirerMid = null, json: asJson }) {
      if (midName === undefined) throw new CommandError('--mid is missing.', 'Give the MID of the file.')
      await requireFile(file)
      await using instance = await openInstance(context)
      const mid = await requireMid(instance.pool, midName)
      const open = () => createReadStream(file)
      const onRows = (rows: number): void => {
        if (rows % rowsBetweenLines === 0) context.output.err(`${rows} rows were read.`)
      }
      const pace = { isHurried: () => context.signal.aborted }
      const upload = { mid, acquirerMid, name: basename(file), format, open, pace, onRows }
      const result = await instance.change(async (change) => {
        const imported = await importSettlement(change, change.actor, upload)
        // Thrown inside the change, so that the whole transaction is rolled back.
        if (imported.kind === 'refused') throw refusalOf(imported)
        return imported
      })
      if (asJson) printJson(context.output, result)
      else {
        const head = result.kind === 'known' ? 'Imported before; nothing was changed.' : 'Imported.'
        context.output.out(`${head}\n${summaryOf(result.file)}`)
      }
      return undefined
    },
  }),
  command({
    name: 'settlement list',
    summary: 'Lists imported settlement files, newest first.',
    args: {},
    options: { mid: value('NAME', 'Only files of this MID.', readers.nonEmpty), json },
    async run(context, _args, { mid: midName, json: asJson }) {
      await using instance = await openInstance(context)
      const midId = midName === undefined ? null : (await requireMid(instance.pool, midName)).id
      const files = await settlementStore(instance.pool).list(midId, null, shownAtMost)
      if (asJson) {
        printJson(context.output, files)
        return
      }
      const nameOf = await readMidNames(instance)
      const headings = ['file', 'MID', 'name', 'rows', 'matched', 'differences', 'imported']
      const rows = files.map((one) => [
        one.id,
        nameOf(one.midId),
        one.name,
        one.rowCount,
        one.matched,
        one.openDifferences,
        one.importedAt,
      ])
      context.output.out(table(headings, rows))
    },
  }),
  command({
    name: 'settlement show',
    summary: 'Shows a settlement file and its open differences.',
    args: { fileId: argument('FILE', readers.uuid) },
    options: { json },
    async run(context, { fileId }, { json: asJson }) {
      await using instance = await openInstance(context)
      const store = settlementStore(instance.pool)
      const file = await store.find(fileId)
      if (file === null)
        throw new CommandError(`There is no settlement file ${fileId}.`, '"gatehouse settlement list" shows them.')
      const filter = {
        midId: null,
        day: null,
        fileId,
        reportedBy: null,
        openOnly: true,
        after: null,
        limit: shownAtMost,
      }
      const differences = await differenceStore(instance.pool).list(filter)
      if (asJson) {
        printJson(context.output, { ...file, differences })
        return
      }
      context.output.out(summaryOf(file))
      if (differences.length > 0) context.output.out(differenceTable(differences))
    },
  }),
  command({
    name: 'settlement differences',
    summary: 'Prints the open differences of settlements and of bank statements, as a table, CSV or JSON.',
    details: `CSV and JSON contain all of them, the table the first ${shownAtMost}.`,
    args: {},
    options: {
      mid: value('NAME', 'Only differences of this MID.', readers.nonEmpty),
      day: value('DAY', 'Only differences of this day, such as 2026-03-01.', readers.day),
      file: value('FILE', 'Only differences of this settlement file.', readers.uuid),
      all: flag('Prints resolved ones, too.'),
      csv: flag('Prints CSV, in the format of the panel’s export.'),
      json,
    },
    examples: ['gatehouse settlement differences --mid acquirer-eur --csv > differences.csv'],
    async run(context, _args, { mid: midName, day = null, file: fileId = null, all = false, csv, json: asJson }) {
      if (csv && asJson) throw new CommandError('--csv and --json cannot be given together.', 'Give one of them.')
      await using instance = await openInstance(context)
      const { pool, clock } = instance
      const midId = midName === undefined ? null : (await requireMid(pool, midName)).id
      const filter = { midId, day, fileId, reportedBy: null, openOnly: !all }
      if (csv) {
        const parts = differenceLines({ pool, clock, configuration: await readConfiguration(instance) }, filter)
        // The output ends each line itself.
        for await (const part of parts) if (part !== '') context.output.out(part.replace(/\r\n$/, '\r'))
        return
      }
      const differences = await listDifferencesUpTo(instance, filter, asJson ? Number.POSITIVE_INFINITY : shownAtMost)
      if (asJson) printJson(context.output, differences)
      else context.output.out(differenceTable(differences))
    },
  }),
  command({
    name: 'settlement resolve',
    changes: true,
    summary: 'Asks a second person to resolve a difference.',
    details:
      'Nothing is changed yet: another user approves the request in the panel under Approvals. "gatehouse settlement differences" prints the\n' +
      'identifiers. --chargeback is for a row of the type chargeback that is missing in our records: the chargeback is recorded as if the\n' +
      'acquirer had notified us, and its dispute is opened.',
    args: { differenceId: argument('DIFFERENCE', readers.uuid) },
    options: {
      note: value('TEXT', 'How the difference was explained.', readers.nonEmpty),
      post: flag('Books the difference to the account of differences.'),
      chargeback: flag('Records the chargeback of the acquirer’s row.'),
      reasonCode: value('TEXT', 'With --chargeback, the acquirer’s reason, such as "1212 Fraud".', readers.nonEmpty),
      by: value('EMAIL', 'The panel user who asks.', readers.email),
    },
    examples: [
      'gatehouse settlement resolve 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007 --chargeback --note "in the statement of March" --by ann@example.com',
    ],
    async run(context, { differenceId }, { note, post = false, chargeback = false, reasonCode = null, by }) {
      if (note === undefined || by === undefined)
        throw new UsageError('--note and --by are needed.', 'The second person reads them.')
      if (post && chargeback) throw new UsageError('--post and --chargeback cannot be given together.', '')
      if (reasonCode !== null && !chargeback) throw new UsageError('--reason-code needs --chargeback.', '')
      await using instance = await openInstance(context)
      const wish = { note, correct: post, chargeback: chargeback ? { reasonCode } : null }
      const approval = await withPanelRefusals(
        instance.change(async (change) => {
          const user = await userStore(change.pool).findByEmail(by)
          if (user === null) throw new CommandError(`There is no user ${by}.`, '"gatehouse user list" shows the users.')
          return askResolution(change, { user, actor: change.actor }, differenceId, wish)
        }),
      )
      context.output.out(`Request ${approval.id} waits for a second person, in the panel under Approvals.`)
    },
  }),
]

async function listDifferencesUpTo(
  { pool }: Instance,
  filter: Omit<DifferenceFilter, 'after' | 'limit'>,
  most: number,
): Promise<readonly Difference[]> {
  const found: Difference[] = []
  for (let after: string | null = null; found.length < most; ) {
    const page: readonly Difference[] = await differenceStore(pool).list({ ...filter, after, limit: shownAtMost })
    found.push(...page)
    if (page.length < shownAtMost) break
    after = page.at(-1)?.id ?? null
  }
  return found
}

function refusalOf({ faults, faultCount }: Extract<ImportResult, { kind: 'refused' }>): CommandError {
  const lines = faults.map(({ line, text }) => (line === 0 ? text : `Line ${line}: ${text}`))
  if (faultCount > lines.length) lines.push(`… and ${faultCount - lines.length} more.`)
  return new CommandError(`The file was refused:\n${lines.join('\n')}`, 'Nothing was imported.')
}

async function requireFile(path: string): Promise<void> {
  try {
    await access(path)
  } catch (error) {
    throw new CommandError(`The file ${path} cannot be read. ${fileFault(error)}`, 'Check the path.')
  }
}

const readMidNames = async ({ pool }: Instance): Promise<(id: string) => string> => {
  const names = new Map((await midStore(pool).list()).map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}

const summaryOf = ({ id, name, rowCount, matched, openDifferences, firstDay, lastDay }: StoredSettlement): string =>
  record([
    ['file', id],
    ['name', name],
    ['days', `${firstDay ?? ''} to ${lastDay ?? ''}`],
    ['rows', rowCount],
    ['matched', matched],
    ['open differences', openDifferences],
  ])

function differenceTable(differences: readonly Difference[]): string {
  const sum = (minor: bigint | null, currency: string): string =>
    minor === null ? '' : `${formatAmount(minor, currency, exponentOf(currency) ?? 2)} ${currency}`
  return table(
    ['day', 'kind', 'ours', 'the acquirer’s', 'payment', 'row', 'difference'],
    differences.map(({ id, day, kind, oursMinor, theirsMinor, currency, paymentId, ref }) => [
      day,
      kind,
      sum(oursMinor, currency),
      sum(theirsMinor, currency),
      paymentId,
      ref,
      id,
    ]),
  )
}
