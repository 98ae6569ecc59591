/** Reports for automation: approval rates as the page Analytics has them, the days of a MID as Settlements compares them, and the margin. Chapter 70. */
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { attributes, readAnalyticsFor } from '#server/panel/reports/analytics.ts'
import { type ReconciledDay, reconciledDays } from '#server/store/finance/reconciled-days.ts'
import { type Command, command } from '../../kit/command.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant, requireMid } from '../../kit/named.ts'
import { argument, flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { record, table } from '../../kit/table.ts'
import { readConfiguration } from '../../signing/merchant-keys.ts'
import { reportDays, requireRange } from './report-days.ts'
import { marginCommand } from './report-margin.ts'

export const reportCommands: readonly Command[] = [
  command({
    name: 'report approvals',
    summary: 'Prints approval rates by an attribute, compared with as many days before.',
    details: 'Counts sales and debits of UTC days; a cascade counts once, by its last attempt, except by MID.',
    args: {},
    options: {
      by: value('ATTRIBUTE', 'What to count by; default mid.', readers.oneOf(attributes)),
      merchant: value('NAME', 'Only payments of this merchant.', readers.nonEmpty),
      test: flag('Counts test payments.'),
      ...reportDays,
    },
    examples: ['gatehouse report approvals --by network --from 2026-03-01 --to 2026-03-31'],
    async run(context, _args, { by = 'mid', merchant, test = false, from, to, json }) {
      await using instance = await openInstance(context)
      const { pool, clock } = instance
      const merchantId = merchant === undefined ? null : (await requireMerchant(pool, merchant)).id
      const range = requireRange(clock.now(), from, to)
      const source = { clock, configuration: await readConfiguration(instance), reports: { read: read(pool) } }
      const report = await readAnalyticsFor(source, everything, {
        ...range,
        merchantId,
        mode: test ? 'test' : 'live',
        by,
        value: null,
      })
      if (json) {
        printJson(context.output, report)
        return
      }
      const { totals, totalsBefore, complete, countedUntil } = report
      if (!complete)
        context.output.err(`Counted up to ${countedUntil?.toISOString() ?? 'no payment'}; newer ones are missing.`)
      context.output.out(
        record([
          ['days', `${range.from} to ${range.to}`],
          ['payments', totals.payments],
          ['approval rate', rateText(totals.approvalRate)],
          ['before', rateText(totalsBefore.approvalRate)],
        ]),
      )
      const headings = [by, 'payments', 'approved', 'declined', 'rate', 'before']
      const rows = report.rows.map((row) => [
        row.name ?? (row.value || 'none'),
        row.payments,
        row.approved,
        row.declined,
        rateText(row.approvalRate),
        rateText(row.before.approvalRate),
      ])
      context.output.out(table(headings, rows))
      if (rows.length < report.rowsTotal) context.output.err(`Top ${rows.length} of ${report.rowsTotal} by payments.`)
    },
  }),
  command({
    name: 'report days',
    summary: 'Compares our transactions, the acquirer’s rows and what the bank booked, per day and currency of a MID.',
    args: { mid: argument('MID', readers.nonEmpty) },
    options: reportDays,
    examples: ['gatehouse report days acquirer-eur --from 2026-03-01 --to 2026-03-31'],
    async run(context, args, { from, to, json }) {
      await using instance = await openInstance(context)
      const { id } = await requireMid(instance.pool, args.mid)
      const range = requireRange(instance.clock.now(), from, to)
      const compared: ReconciledDay[] = []
      for await (const portion of reconciledDays(instance.pool, id, range.from, range.to))
        compared.push(...portion.days)
      if (json) {
        printJson(context.output, compared)
        return
      }
      const theirHeadings = ['theirs', 'gross', 'fee', 'net', 'matched']
      const bankHeadings = ['bank', 'outstanding', 'since']
      const headings = ['day', 'currency', 'ours', 'sum', ...theirHeadings, ...bankHeadings, 'differences']
      const rows = compared.map((one) => {
        const sum = (minor: bigint): string => formatAmount(minor, one.currency, exponentOf(one.currency) ?? 2)
        const sums = [sum(one.grossMinor), sum(one.feeMinor), sum(one.netMinor)]
        const bank = [sum(one.bankMinor), sum(one.outstandingMinor), one.outstandingSince]
        const differences = one.openDifferences + one.bankDifferences
        return [
          one.day,
          one.currency,
          one.ours,
          sum(one.oursMinor),
          one.theirs,
          ...sums,
          one.matched,
          ...bank,
          differences,
        ]
      })
      context.output.out(table(headings, rows))
    },
  }),
  marginCommand,
]

/** The command line sees all merchants. */
const everything = { permissions: new Set<never>(), merchants: 'all' } as const

const read =
  <Pool>(pool: Pool) =>
  <T>(work: (on: Pool) => Promise<T>): Promise<T> =>
    work(pool)

const rateText = (rate: number | null): string => (rate === null ? '' : `${(rate * 100).toFixed(1)} %`)
