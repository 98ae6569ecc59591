/** What the operator earns: its fees less those of the acquirers. Chapter 70 §3. */
import { formatAmount } from '#domain/money/money.ts'
import { readMarginsFor } from '#server/panel/reports/margin.ts'
import { command } from '../../kit/command.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { readConfiguration } from '../../signing/merchant-keys.ts'
import { reportDays, requireRange } from './report-days.ts'

export const marginCommand = command({
  name: 'report margin',
  summary: 'Prints sales, fees of the operator and of the acquirers, and the margin, per merchant, MID and currency.',
  details:
    'Counts live payments by the UTC day of the posting, and fees of acquirers by the day on which their settlement file\nwas imported. Fees without a MID are monthly fees; those without a merchant belong to no transaction.',
  args: {},
  options: { merchant: value('NAME', 'Only this merchant.', readers.nonEmpty), ...reportDays },
  examples: ['gatehouse report margin --from 2026-03-01 --to 2026-03-31'],
  async run(context, _args, { merchant, from, to, json }) {
    await using instance = await openInstance(context)
    const { pool, clock } = instance
    const merchantId = merchant === undefined ? null : (await requireMerchant(pool, merchant)).id
    const range = requireRange(clock.now(), from, to)
    const margins = await readMarginsFor(
      { pool, configuration: await readConfiguration(instance) },
      { merchantId, ...range },
    )
    if (json) {
      printJson(context.output, margins)
      return
    }
    if (margins.length === 0) context.output.err(`Nothing was booked from ${range.from} to ${range.to}.`)
    const headings = ['merchant', 'mid', 'currency', 'sales', 'fees', 'acquirer’s fees', 'margin']
    const rows = margins.map((one) => {
      const sums = [one.salesMinor, one.feesMinor, one.acquirerFeesMinor, one.marginMinor]
      const written = sums.map((minor) => formatAmount(minor, one.currency, one.decimals))
      return [one.merchant, one.mid, one.currency, ...written]
    })
    context.output.out(table(headings, rows))
  },
})
