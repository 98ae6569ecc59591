/** What became of a payout run: marked paid by hand, or by the lines of a bank statement. Chapter 70 §3. */

import { createHash } from 'node:crypto'
import { readBankStatement } from '#domain/payout/camt053.ts'
import { XmlFault } from '#domain/payout/xml.ts'
import { utcDay } from '#domain/time.ts'
import { inTransaction } from '../../../store/database/transaction.ts'
import { bankLineStore } from '../../../store/finance/bank-lines.ts'
import { payoutStore } from '../../../store/finance/payouts.ts'
import { alertStore } from '../../../store/instance/alerts.ts'
import { AdminRefused, invalid, notFound } from '../../admin-refused.ts'
import { note } from '../../audit/audit.ts'
import type { Actor, AdminContext } from '../../context.ts'
import { compareBank } from '../bank-comparison.ts'
import { bookTransferLine, findTransferItems } from './transfer-lines.ts'

interface PaidByHand {
  readonly paidOn: string
  /** Null for all items of the run. */
  readonly itemIds: readonly string[] | null
}

export async function markPaid(
  { pool, clock }: AdminContext,
  actor: Actor,
  runId: string,
  { paidOn, itemIds }: PaidByHand,
): Promise<number> {
  return await inTransaction(pool, async (client) => {
    const store = payoutStore(client)
    const run = await store.findRun(runId)
    if (run === null) throw notFound()
    if (paidOn > utcDay(clock.now())) throw invalid('paidOn', 'Enter a day that is not in the future.')
    const items = (await store.listItems(runId)).filter(({ id }) => itemIds === null || itemIds.includes(id))
    const paid: string[] = []
    for (const item of items) if (await store.pay(item, paidOn, actor.label)) paid.push(item.id)
    if (paid.length === 0) throw new AdminRefused('conflict', { message: 'None of these items awaits payment.' })
    await note(client, clock, actor, {
      action: 'payout-run.paid',
      subject: `payout-run ${runId}`,
      merchantId: null,
      after: { paidOn, items: paid },
    })
    return paid.length
  })
}

interface LineReport {
  readonly ref: string
  readonly text: string
}

interface BankImport {
  readonly lines: number
  /** Lines that were imported before change nothing. */
  readonly known: number
  readonly paidItems: number
  /** Sums of acquirers that were recognised. */
  readonly received: number
  /** New differences between the bank and what acquirers announced. */
  readonly differences: number
  readonly reports: readonly LineReport[]
  /** False for a file that was imported before. */
  readonly changed: boolean
}

const reportsShown = 100
const alertedLines = 5

/** Whole or not at all; a file that was imported before changes nothing. */
export async function importBankStatement(
  { pool, clock, ids }: AdminContext,
  actor: Actor,
  { name, content }: { readonly name: string; readonly content: Uint8Array },
): Promise<BankImport> {
  const { lines, covered } = readStatement(content)
  return await inTransaction(pool, async (client) => {
    const at = clock.now()
    const reports: LineReport[] = []
    const result = { lines: lines.length, known: 0, paidItems: 0, received: 0, differences: 0 }
    const toDo: string[] = []
    // What was paid twice is known before what the bank returned of it.
    for (const line of lines.toSorted((one, other) => Number(one.amountMinor > 0n) - Number(other.amountMinor > 0n))) {
      const items = await findTransferItems(client, line)
      const itemId = items.length === 1 ? (items[0]?.id ?? null) : null
      if (!(await bankLineStore(client).insert(line, itemId, actor.label, at))) {
        result.known += 1
        continue
      }
      const { paidItems, report, needsAction } = await bookTransferLine(client, line, items, name)
      result.paidItems += paidItems
      if (report !== null) reports.push({ ref: line.ref, text: report })
      if (report !== null && needsAction) toDo.push(`${line.ref}: ${report}`)
    }
    if (toDo.length > 0)
      await alertStore(client, { clock, ids }).raise({
        kind: 'payout-at-bank',
        merchantId: null,
        paymentId: null,
        text: alertText(name, toDo),
      })
    let isNew = result.known < lines.length
    for (const days of covered) if (await bankLineStore(client).cover(days)) isNew = true
    if (!isNew) return { ...result, reports: [], changed: false }
    const compared = await compareBank(client, { clock, ids }, { at, from: null })
    const own = new Set(lines.map(({ account, ref }) => `${account} ${ref}`))
    result.received = compared.recognised.filter(({ account, ref }) => own.has(`${account} ${ref}`)).length
    result.differences = compared.found
    await note(client, clock, actor, {
      action: 'bank-statement.import',
      subject: `bank-statement ${createHash('sha256').update(content).digest('hex')}`,
      merchantId: null,
      after: { name, ...result, reports: reports.length },
    })
    return { ...result, reports: reports.slice(0, reportsShown), changed: true }
  })
}

/** Each line for itself while they are few: the report of an import is shown once. */
function alertText(name: string, toDo: readonly string[]): string {
  const more = toDo.length > alertedLines ? ` And ${toDo.length - alertedLines} further lines.` : ''
  return `The bank statement ${name} does not agree with payouts. ${toDo.slice(0, alertedLines).join(' ')}${more}`
}

function readStatement(content: Uint8Array): ReturnType<typeof readBankStatement> {
  try {
    return readBankStatement(new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch (error) {
    if (error instanceof XmlFault) throw invalid('content', error.message)
    if (error instanceof TypeError) throw invalid('content', 'The file is not UTF-8.')
    throw error
  }
}
