/** Risk lists: what rules block, allow or have reviewed. Chapter 70 §7. */
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { isRiskKind, riskKinds, riskLists } from '#domain/risk/risk-entry.ts'
import {
  addRiskEntry,
  exportRiskEntries,
  importRiskEntries,
  readValueFromPayment,
  removeRiskEntry,
} from '#server/panel/setup/risk-lists.ts'
import { fileFault } from '#server/process/file-fault.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { riskEntryStore } from '#server/store/risk/risk-entries.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, optionalArgument, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'

const shownAtMost = 500
const kinds = Object.keys(riskKinds).filter(isRiskKind)
const list = readers.oneOf(riskLists)
const kind = readers.oneOf(kinds)
const merchantOption = value('NAME', 'Only for this merchant; default: all merchants.', readers.nonEmpty)
const remedy = 'Nothing was changed.'

export const riskListCommands: readonly Command[] = [
  command({
    name: 'list add',
    changes: true,
    summary: 'Adds an entry to a risk list, or changes the reason and expiry of an existing entry.',
    details: `Lists: ${riskLists.join(', ')}. Kinds:\n${kinds.map((one) => `  ${one}: ${riskKinds[one][1]}`).join('\n')}`,
    args: {
      list: argument('LIST', list),
      kind: argument('KIND', kind),
      value: optionalArgument('VALUE', readers.nonEmpty),
    },
    options: {
      reason: value('TEXT', 'Reason; shown in the explanation of a payment.', readers.nonEmpty),
      merchant: merchantOption,
      payment: value('ID', 'Takes the value from this payment of --merchant, for example its card.', readers.uuid),
      expires: value('TIME', 'When the entry ends, such as 2027-01-31T00:00:00Z.', readers.nonEmpty),
      everywhere: flag('With --payment: the entry is for all merchants.'),
    },
    examples: [
      'gatehouse list add block ip 203.0.113.0/24 --reason "card testing"',
      'gatehouse list add block card --merchant acme --payment 0199… --reason stolen --everywhere',
    ],
    async run(context, args, { reason, merchant: name, payment, expires, everywhere }) {
      if (reason === undefined) throw new CommandError('--reason is missing.', 'Give the reason with --reason.')
      const expiresAt = expires === undefined ? null : new Date(expires)
      if (expiresAt !== null && Number.isNaN(expiresAt.getTime()))
        throw new CommandError('--expires must be a time such as 2027-01-31T00:00:00Z.', remedy)
      await using instance = await openInstance(context)
      const merchantId = name === undefined ? null : (await requireMerchant(instance.pool, name)).id
      const typed =
        args.value ??
        (payment !== undefined && merchantId !== null
          ? await withPanelRefusals(readValueFromPayment(instance, merchantId, payment, args.kind))
          : null)
      if (typed === null) throw new CommandError('VALUE is missing.', 'Give it, or --merchant and --payment.')
      const entry = await instance.change(async (change) => {
        const wish = { merchantId: everywhere ? null : merchantId, list: args.list, kind: args.kind, value: typed }
        const added = await withPanelRefusals(addRiskEntry(change, change.actor, { ...wish, reason, expiresAt }))
        change.note(added.audit)
        return added.entry
      })
      context.output.out(`On the ${entry.list} list: ${entry.kind} ${entry.value} (${entry.id}).`)
    },
  }),
  command({
    name: 'list remove',
    changes: true,
    summary: 'Removes an entry from its risk list.',
    args: { entryId: argument('ENTRY', readers.uuid) },
    options: {},
    async run(context, { entryId }) {
      await using instance = await openInstance(context)
      await instance.change(async (change) => change.note(await withPanelRefusals(removeRiskEntry(change, entryId))))
      context.output.out('Removed.')
    },
  }),
  command({
    name: 'list show',
    summary: 'Shows entries of risk lists, newest first.',
    args: { list: optionalArgument('LIST', list) },
    options: {
      merchant: merchantOption,
      kind: value('KIND', 'Only entries of this kind.', kind),
      value: value('TEXT', 'Only values that begin with this.', readers.nonEmpty),
      json: flag('Prints JSON.'),
    },
    async run(context, args, { merchant: name, kind: ofKind = null, value: begins = null, json }) {
      await using instance = await openInstance(context)
      const merchantId = name === undefined ? null : (await requireMerchant(instance.pool, name)).id
      const filter = { merchantId, list: args.list, kind: ofKind, value: begins, before: null, limit: shownAtMost }
      const entries = await riskEntryStore(instance.pool).list(filter)
      if (json) {
        printJson(context.output, entries)
        return
      }
      const names = new Map((await merchantStore(instance.pool).list()).map((one) => [one.id, one.name]))
      const headings = ['entry', 'list', 'kind', 'value', 'merchant', 'expires', 'reason']
      const rows = entries.map((one) => [
        one.id,
        one.list,
        one.kind,
        one.value,
        one.merchantId === null ? 'all' : (names.get(one.merchantId) ?? one.merchantId),
        one.expiresAt,
        one.reason,
      ])
      context.output.out(table(headings, rows))
    },
  }),
  command({
    name: 'list import',
    changes: true,
    summary: 'Imports entries from a CSV file, whole or not at all.',
    details:
      'Columns: merchant (empty for all), list, kind, value, reason, expires. "list export" writes the same format.',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: {},
    async run(context, { file }) {
      await access(file).catch((error: unknown) => {
        throw new CommandError(`The file ${file} cannot be read. ${fileFault(error)}`, 'Check the path.')
      })
      await using instance = await openInstance(context)
      const { added, changed } = await instance.change(async (change) => {
        const result = await importRiskEntries(change, change.actor, createReadStream(file))
        if (result.audit === 'none') {
          const lines = result.faults.map(({ line, text }) => (line === 0 ? text : `Line ${line}: ${text}`))
          throw new CommandError(`The file was refused:\n${lines.join('\n')}`, 'Nothing was imported.')
        }
        change.note(result.audit)
        return result
      })
      context.output.out(`Imported: ${added} new, ${changed} changed.`)
    },
  }),
  command({
    name: 'list export',
    summary: 'Prints all entries of risk lists as CSV.',
    args: {},
    options: {},
    async run(context) {
      await using instance = await openInstance(context)
      for await (const line of exportRiskEntries(instance)) context.output.out(line.trimEnd())
    },
  }),
]
