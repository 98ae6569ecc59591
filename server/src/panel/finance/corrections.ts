/** Corrections of what a merchant is owed: one person asks, another approves. Nothing is deleted. Chapter 70 §3. */
import { z } from 'zod'
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { accountStore } from '../../store/finance/accounts.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import { invalid, notFound } from '../admin-refused.ts'
import { askApproval, type endApproval, type Requester } from '../approvals/approvals.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'

interface CorrectionWish {
  readonly currency: string
  /** Negative if the merchant gets less. */
  readonly amountMinor: bigint
  readonly reason: string
}

export function askCorrection(
  context: PanelContext,
  asker: Requester,
  merchantId: string,
  { currency, amountMinor, reason }: CorrectionWish,
): Promise<ApprovalRow> {
  const { configuration } = context
  if (configuration.merchant(merchantId) === null) throw notFound()
  const decimals = exponentOf(currency, configuration.cryptoCurrencies())
  if (decimals === undefined) throw invalid('currency', `${currency} is not a currency.`)
  if (amountMinor === 0n) throw invalid('amountMinor', 'Enter an amount other than zero.')
  const amount = `${formatAmount(amountMinor, currency, decimals)} ${currency}`
  return askApproval(context, asker, {
    kind: 'correction',
    merchantId,
    // Of two equal corrections that wait at once, one is a mistake: decisions/corrections#equal-corrections.
    subject: `correction of merchant ${merchantId} by ${amountMinor} ${currency}`,
    request: { currency, amountMinor: String(amountMinor), decimals, amount },
    reason,
  })
}

/** Names the source under which the entries of a correction are booked. */
export const correctionSource = (approvalId: string): string => `correction ${approvalId}`

const requestSchema = z.object({ currency: z.string(), amountMinor: z.string().transform(BigInt) })

export async function bookCorrection(
  { pool, clock }: AdminContext,
  actor: Actor,
  approval: ApprovalRow,
): Promise<Parameters<typeof endApproval>[3]> {
  const { currency, amountMinor } = requestSchema.parse(approval.request)
  const { merchantId } = approval
  if (merchantId === null) throw new Error(`The correction ${approval.id} has no merchant.`)
  return await inTransaction(pool, async (client) => {
    const accounts = amountMinor > 0n ? (['corrections', 'payable'] as const) : (['payable', 'corrections'] as const)
    const booked = await accountStore(client).book({
      merchantId,
      source: correctionSource(approval.id),
      from: accounts[0],
      to: accounts[1],
      currency,
      amountMinor: amountMinor > 0n ? amountMinor : -amountMinor,
      at: clock.now(),
    })
    const after = { currency, amountMinor: String(amountMinor), reason: approval.reason }
    // Only this request books under its id: a process of an earlier release died before it recorded the end.
    if (!booked) return { state: 'done', result: after }
    await note(client, clock, actor, {
      action: 'account.correct',
      subject: `merchant ${merchantId}`,
      merchantId,
      after,
    })
    return { state: 'done', result: after }
  })
}
