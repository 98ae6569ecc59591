/**
 * Payout runs: what merchants are still owed by their newest statements, approved by a second person, exported once as a file for the bank.
 * Chapter 70 §3, decisions/payouts#runs and decisions/payouts#what-is-unpaid.
 */

import { z } from 'zod'
import { isoExponents } from '#domain/money/currencies.ts'
import { formatAmount } from '#domain/money/money.ts'
import { accountFault, type BankAccount } from '#domain/payout/bank-account.ts'
import { painFile } from '#domain/payout/pain001.ts'
import { utcDay } from '#domain/time.ts'
import type { PoolClient } from '../../../store/database/pool.ts'
import { extendTimeLimit, inTransaction } from '../../../store/database/transaction.ts'
import { accountStore } from '../../../store/finance/accounts.ts'
import { listPayableRows } from '../../../store/finance/payable.ts'
import { type PayoutItem, type PayoutRun, payoutStore } from '../../../store/finance/payouts.ts'
import type { ApprovalRow } from '../../../store/people/approvals.ts'
import { AdminRefused, invalid } from '../../admin-refused.ts'
import { askApproval, type endApproval, type Requester } from '../../approvals/approvals.ts'
import { note } from '../../audit/audit.ts'
import type { Actor, AdminContext } from '../../context.ts'
import { judgePayable, merchantsPerRun, type Payable } from './payable.ts'
import { findRunRefusal } from './run-refusal.ts'

interface RunWish {
  readonly currency: string
  /** Null for every merchant that can be paid in this currency; otherwise exactly these. */
  readonly merchantIds: readonly string[] | null
  /** What the requester has read; null if it was not shown. */
  readonly totalMinor: bigint | null
  /** The operator's account. */
  readonly from: BankAccount
  readonly executeOn: string
  readonly reason: string
}

/** Refused if no merchant can be paid. */
export function preparePayoutRun(
  context: AdminContext,
  asker: Requester,
  wish: RunWish,
): Promise<{ readonly id: string; readonly approvalId: string }> {
  const { currency, from, executeOn, reason } = wish
  const fault = accountFault(from)
  if (fault) throw invalid(`from.${fault.field}`, fault.text)
  if (!isoExponents.has(currency)) throw invalid('currency', 'Enter a currency of ISO 4217: banks transfer no other.')
  if (executeOn < utcDay(context.clock.now())) throw invalid('executeOn', 'Enter a day that is not in the past.')
  return inTransaction(context.pool, async (client) => {
    const store = payoutStore(client)
    await store.cancel(null, context.clock.now())
    const id = context.ids.next()
    await store.insertRun({ ...from, id, currency, executeOn, madeBy: asker.actor.label, madeAt: context.clock.now() })
    const items = await insertItems(client, context, wish, id)
    const totalMinor = items.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    requireWished(wish, items, totalMinor)
    const approval = await askApproval({ ...context, pool: client }, asker, {
      kind: 'payout-run',
      merchantId: null,
      subject: `payout-run ${id}`,
      request: {
        runId: id,
        items: items.length,
        total: `${formatAmount(totalMinor, currency)} ${currency}`,
        executeOn,
      },
      reason,
    })
    return { id, approvalId: approval.id }
  })
}

async function insertItems(
  client: PoolClient,
  { ids }: AdminContext,
  { currency, merchantIds }: RunWish,
  runId: string,
): Promise<readonly Payable[]> {
  const items: Payable[] = []
  const wished = merchantIds && new Set(merchantIds)
  for (const row of await listPayableRows(client, currency)) {
    const judgement = judgePayable(row)
    if (judgement.kind !== 'payable' || wished?.has(row.merchantId) === false) continue
    if (items.length === merchantsPerRun) throw new AdminRefused('conflict', { message: tooManyText })
    const id = ids.next()
    const item = { ...judgement.payable, id, runId, endToEnd: id.replaceAll('-', '') }
    if (await payoutStore(client).insertItem(item)) items.push(item)
  }
  return items
}

const tooManyText = `More than ${merchantsPerRun} merchants can be paid. Select up to ${merchantsPerRun} of them per run.`

/** A run that pays something else than was asked for is not prepared. */
function requireWished(
  { merchantIds, currency, ...wish }: RunWish,
  items: readonly Payable[],
  totalMinor: bigint,
): void {
  if (items.length === 0)
    throw new AdminRefused('conflict', {
      message:
        'Nothing can be paid out. A merchant needs a bank account in this currency and an unpaid latest statement with an amount to pay out.',
    })
  const missing = new Set(merchantIds ?? []).size - items.length
  if (merchantIds !== null && missing > 0)
    throw new AdminRefused('conflict', {
      message: `${missing} of the selected merchants cannot be paid in ${currency} any more, or never could. Check the selection again.`,
    })
  if (wish.totalMinor !== null && wish.totalMinor !== totalMinor)
    throw new AdminRefused('conflict', {
      message: `The selected merchants are to be paid ${formatAmount(totalMinor, currency)} ${currency} now, since statements were closed meanwhile. Check the selection again.`,
    })
}

const requestSchema = z.object({ runId: z.uuid() })

/** Books the payouts of an approved run and writes its file. */
export async function sendApproved(
  context: AdminContext,
  actor: Actor,
  approval: ApprovalRow,
): Promise<Parameters<typeof endApproval>[3]> {
  const { runId } = requestSchema.parse(approval.request)
  return await inTransaction(context.pool, async (client) => {
    const store = payoutStore(client)
    if (!(await store.lockWaiting(runId)))
      return { state: 'failed', result: { refused: 'The run is not waiting any more.' } }
    const run = await store.findRun(runId)
    if (run === null) throw new Error(`Payout run ${runId} was not found.`)
    const items = await store.listItems(runId)
    await extendTimeLimit(client)
    const refused = await findRunRefusal(client, context, run, items)
    if (refused !== null) {
      await store.cancel(runId, context.clock.now())
      return { state: 'failed', result: { refused } }
    }
    const file = await writeFile(client, context, run, items)
    await note(client, context.clock, actor, {
      action: 'payout-run.send',
      subject: `payout-run ${runId}`,
      merchantId: null,
      after: {
        items: items.map(({ merchantId, amountMinor, currency }) => ({
          merchantId,
          amount: String(amountMinor),
          currency,
        })),
      },
    })
    return { state: 'done', result: { runId, items: items.length, bytes: Buffer.byteLength(file) } }
  })
}

async function writeFile(
  client: PoolClient,
  { clock }: AdminContext,
  run: PayoutRun,
  items: readonly PayoutItem[],
): Promise<string> {
  const at = clock.now()
  for (const { merchantId, id, currency, amountMinor } of items)
    await accountStore(client).book({
      merchantId,
      source: `payout ${id}`,
      from: 'payable',
      to: 'paid_out',
      currency,
      amountMinor,
      at,
    })
  const file = painFile({
    messageId: run.id.replaceAll('-', ''),
    createdAt: at,
    executeOn: run.executeOn,
    currency: run.currency,
    from: run,
    transfers: items.map((item) => ({
      endToEndId: item.endToEnd,
      amountMinor: item.amountMinor,
      to: item,
      text: `Payout ${item.endToEnd}`,
    })),
  })
  await payoutStore(client).send(run.id, file)
  return file
}
