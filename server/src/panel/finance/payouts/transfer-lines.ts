/**
 * Lines of a bank statement about transfers of payout runs: paid, paid a second time, or returned. Chapter 70 §3,
 * decisions/payouts#returned-payouts.
 */
import { formatAmount } from '#domain/money/money.ts'
import type { BankLine } from '#domain/payout/camt053.ts'
import type { PoolClient } from '../../../store/database/pool.ts'
import { bankLineStore } from '../../../store/finance/bank-lines.ts'
import { type PayoutItem, payoutStore } from '../../../store/finance/payouts.ts'

interface BookedLine {
  readonly paidItems: number
  /** What does not agree, and what to do about it. */
  readonly report: string | null
  /** False if the report only explains. */
  readonly needsAction: boolean
}

/** One item by its identification, or all of a run that the bank booked as one sum. */
export async function findTransferItems(
  client: PoolClient,
  { endToEndId, batchId, amountMinor }: BankLine,
): Promise<readonly PayoutItem[]> {
  const store = payoutStore(client)
  const item = endToEndId === null ? null : await store.findItemNamed(endToEndId)
  if (item) return [item]
  const isRun = amountMinor < 0n && batchId !== null && /^[0-9a-f]{32}$/.test(batchId)
  return isRun ? store.listItems(uuidOf(batchId)) : []
}

const uuidOf = (text: string): string => text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** `line` was written with its item, and not imported before. */
export async function bookTransferLine(
  client: PoolClient,
  line: BankLine,
  items: readonly PayoutItem[],
  fileName: string,
): Promise<BookedLine> {
  const [item] = items
  if (item === undefined) return { paidItems: 0, report: null, needsAction: false }
  if (line.amountMinor > 0n) return { paidItems: 0, ...(await explainReturn(client, line, item)) }
  const fault = faultOf(line, items)
  if (fault !== null) return { paidItems: 0, report: fault, needsAction: true }
  let paidItems = 0
  const again: PayoutItem[] = []
  for (const one of items)
    if (!(await payoutStore(client).payByBank(one, line.bookedOn, fileName))) again.push(one)
    else if (one.state === 'sent') paidItems += 1
  if (again.length === 0) return { paidItems, report: null, needsAction: false }
  const minor = again.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const payees = again.length === 1 ? again.map(({ holder }) => holder).join() : `${again.length} merchants`
  return {
    paidItems,
    report: `The bank paid ${textOf(minor, line)} to ${payees} a second time. Ask the bank to return it, or request a correction (Price lists, Accounts) by which the merchant gets that much less.`,
    needsAction: true,
  }
}

async function explainReturn(
  client: PoolClient,
  line: BankLine,
  item: PayoutItem,
): Promise<Omit<BookedLine, 'paidItems'>> {
  const returned = textOf(line.amountMinor, line)
  const bookedMinor = await bankLineStore(client).sumOfItem(item.id, item.currency)
  const tooMuchMinor = -bookedMinor - item.amountMinor
  if (tooMuchMinor >= 0n)
    return {
      report: `The bank returned ${returned} that it had paid to ${item.holder} a second time. ${
        tooMuchMinor === 0n ? 'Nothing is left to do.' : `Ask it for the other ${textOf(tooMuchMinor, item)}.`
      }`,
      needsAction: tooMuchMinor > 0n,
    }
  return {
    report: `The bank returned ${returned} of the payout of ${textOf(item.amountMinor, item)} to ${item.holder}. Check the bank account with the merchant, then request a correction (Price lists, Accounts) by which the merchant gets this amount more: the next statement contains it.`,
    needsAction: true,
  }
}

const textOf = (minor: bigint, { currency }: { readonly currency: string }): string =>
  `${formatAmount(minor, currency)} ${currency}`

function faultOf({ currency, amountMinor }: BankLine, items: readonly PayoutItem[]): string | null {
  const expectedMinor = items.reduce((sum, item) => sum + item.amountMinor, 0n)
  if (items.some((item) => item.currency !== currency))
    return 'The bank paid in another currency than the run. Ask the bank.'
  if (-amountMinor !== expectedMinor) return 'The bank paid another amount than the run says. Ask the bank.'
  if (items.some(({ state }) => state === 'waiting' || state === 'cancelled'))
    return 'The bank paid an item that was not sent. Ask the bank who ordered it.'
  return null
}
