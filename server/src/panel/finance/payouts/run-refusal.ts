/**
 * Why an approved run is not sent after all. Chapter 70 §3, decisions/payouts#runs, decisions/payouts#what-is-unpaid and
 * decisions/statements#removed-months.
 */
import { formatAmount } from '#domain/money/money.ts'
import { isSameAccount } from '#domain/payout/bank-account.ts'
import { isBankName } from '#domain/payout/bank-text.ts'
import { owedOf, sumsOf } from '#domain/pricing/statement.ts'
import { utcDay } from '#domain/time.ts'
import type { PoolClient } from '../../../store/database/pool.ts'
import { accountStore } from '../../../store/finance/accounts.ts'
import { type PayoutItem, type PayoutRun, payoutStore } from '../../../store/finance/payouts.ts'
import { lockStatements, statementStore } from '../../../store/finance/statements.ts'
import { lockWholeLedger } from '../../../store/months/whole-ledger.ts'
import type { AdminContext } from '../../context.ts'
import { dayAfter, startOf } from '../statements.ts'

/** The first reason; null if the run can be sent. */
export async function findRunRefusal(
  client: PoolClient,
  context: Pick<AdminContext, 'clock'>,
  { holder, executeOn }: PayoutRun,
  items: readonly PayoutItem[],
): Promise<string | null> {
  if (executeOn < utcDay(context.clock.now()))
    return 'The execution date is over. Prepare the run again with another date.'
  if (!isBankName(holder))
    return 'The holder of your account has letters that banks do not accept. Prepare the run again with the name in Latin letters.'
  for (const item of items) {
    const refusal = await findItemRefusal(client, context, item)
    if (refusal !== null) return refusal
  }
  return null
}

/**
 * Since the request a newer statement may have been closed, the account changed, or the merchant may owe more than before. Until the transaction ends,
 * no other one closes a statement of the merchant or pays it.
 */
async function findItemRefusal(
  client: PoolClient,
  { clock }: Pick<AdminContext, 'clock'>,
  { merchantId, currency, statementId, amountMinor, ...to }: PayoutItem,
): Promise<string | null> {
  await lockStatements(client, merchantId)
  const latest = (await statementStore(client).listLatest(merchantId)).find((one) => one.currency === currency)
  if (latest?.id !== statementId) return 'A newer statement was closed. Prepare the run again.'
  await payoutStore(client).lockAccount(merchantId, currency)
  const [account] = await payoutStore(client).listAccounts(merchantId, currency)
  if (!account || !isSameAccount(account, to))
    return 'The bank account of a merchant was changed after the run was prepared. Prepare the run again.'
  if (!isBankName(to.holder))
    return 'The holder of a bank account has letters that banks do not accept. Change the account and prepare the run again.'
  const readSumsOfCurrency = async (from: Date, before: Date) =>
    (await accountStore(client).sumMovements(merchantId, from, before)).filter((one) => one.currency === currency)
  const closedUntil = startOf(dayAfter(latest.lastDay))
  const since = await readSumsOfCurrency(closedUntil, new Date(clock.now().getTime() + 1))
  const textOf = (minor: bigint): string => `${formatAmount(minor, currency)} ${currency}`
  const unpaidMinor = latest.closingMinor - sumsOf(since).paidOutMinor
  if (unpaidMinor < amountMinor)
    return `Of a merchant’s latest statement ${textOf(unpaidMinor)} is not paid out yet, less than the run would pay. Prepare the run again.`
  // An entry that was written late is on no statement. While a month of payments is removed, the ledger does not have all entries, and the statement decides.
  const closedMinor = (await lockWholeLedger(client))
    ? smaller(latest.closingMinor, owedOf(await readSumsOfCurrency(new Date(0), closedUntil)))
    : latest.closingMinor
  const owedMinor = closedMinor + owedOf(since)
  return owedMinor < amountMinor
    ? `A merchant is owed ${textOf(owedMinor)} now, less than the run would pay. Close a new statement and prepare the run again.`
    : null
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
