/**
 * The bank accounts to which merchants are paid. A changed account sends money elsewhere, so that one person asks after re-authentication and
 * another approves. Chapter 70 §3, decisions/payouts#bank-accounts.
 */
import { z } from 'zod'
import { isoExponents } from '#domain/money/currencies.ts'
import { accountFault, type BankAccount, isSameAccount } from '#domain/payout/bank-account.ts'
import { inTransaction } from '../../../store/database/transaction.ts'
import { type PayoutAccount, payoutStore } from '../../../store/finance/payouts.ts'
import type { ApprovalRow } from '../../../store/people/approvals.ts'
import { AdminRefused, invalid, notFound } from '../../admin-refused.ts'
import { askApproval, type endApproval, type Requester } from '../../approvals/approvals.ts'
import { note } from '../../audit/audit.ts'
import type { Actor, AdminContext } from '../../context.ts'
import type { PanelContext } from '../../panel-context.ts'

export const listPayoutAccounts = ({ pool }: PanelContext, merchantId: string) =>
  payoutStore(pool).listAccounts(merchantId, null)

/** A newer request about the same account replaces the waiting one. */
export async function askPayoutAccount(
  context: PanelContext,
  asker: Requester,
  { merchantId, currency, ...account }: PayoutAccount,
  reason: string,
): Promise<ApprovalRow> {
  if (context.configuration.merchant(merchantId) === null) throw notFound()
  if (!isoExponents.has(currency)) throw invalid('currency', 'Enter a currency of ISO 4217: banks transfer no other.')
  const fault = accountFault(account)
  if (fault) throw invalid(fault.field, fault.text)
  const before = await presentAccount(context.pool, merchantId, currency)
  if (before !== null && isSameAccount(before, account))
    throw new AdminRefused('conflict', { message: 'The merchant is paid to this account already.' })
  return askApproval(
    context,
    asker,
    {
      kind: 'payout-account',
      merchantId,
      subject: `payout-account ${merchantId} ${currency}`,
      request: { currency, account: { ...account }, before: before && { ...before } },
      reason,
    },
    { replacesEarlier: true },
  )
}

const accountSchema = z.object({ holder: z.string(), number: z.string(), bic: z.string().nullable() })
const requestSchema = z.object({ currency: z.string(), account: accountSchema, before: accountSchema.nullable() })

/** The second person compared the new account with the one before, which must still be there. */
export async function changeApprovedAccount(
  { pool, clock }: AdminContext,
  actor: Actor,
  { merchantId, request }: ApprovalRow,
): Promise<Parameters<typeof endApproval>[3]> {
  const { currency, account, before } = requestSchema.parse(request)
  if (merchantId === null) throw new Error('A request about a bank account names its merchant.')
  return await inTransaction(pool, async (client) => {
    await payoutStore(client).lockAccount(merchantId, currency)
    const present = await presentAccount(client, merchantId, currency)
    const isAsBefore = present === null || before === null ? present === before : isSameAccount(present, before)
    if (!isAsBefore)
      return {
        state: 'failed',
        result: { refused: 'The account was changed since the request. Request the change again.' },
      }
    await payoutStore(client).putAccount({ ...account, merchantId, currency }, actor.label, clock.now())
    await note(client, clock, actor, {
      action: 'payout-account.put',
      subject: `merchant ${merchantId}`,
      merchantId,
      before: before && { currency, ...before },
      after: { currency, ...account },
    })
    return { state: 'done', result: { currency, ...account } }
  })
}

async function presentAccount(
  on: Parameters<typeof payoutStore>[0],
  merchantId: string,
  currency: string,
): Promise<BankAccount | null> {
  const [found] = await payoutStore(on).listAccounts(merchantId, currency)
  return found ? { holder: found.holder, number: found.number, bic: found.bic } : null
}
