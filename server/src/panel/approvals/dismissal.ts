/** Dismisses a request that was approved and left, so that it is never carried out. See decisions/corrections#dismissing. */
import type { JsonObject } from '../../contracts/records.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { accountStore } from '../../store/finance/accounts.ts'
import { disputeStore } from '../../store/finance/disputes/disputes.ts'
import { payoutStore } from '../../store/finance/payouts.ts'
import { runWithApprovalLock } from '../../store/people/approval-lock.ts'
import { type ApprovalRow, approvalStore } from '../../store/people/approvals.ts'
import { AdminRefused } from '../admin-refused.ts'
import { correctionSource } from '../finance/corrections.ts'
import type { PanelContext } from '../panel-context.ts'
import { endApprovalIn, type Requester } from './approvals.ts'
import { requireOneRelease } from './one-release.ts'
import { mayBeLeft } from './waiting-approvals.ts'

/** The same lock as that of carrying out: of the two at once, one finds what the other did. */
export async function dismissApproval(
  context: PanelContext,
  dismisser: Requester,
  approval: ApprovalRow,
  reason: string,
): Promise<ApprovalRow> {
  requireLeft(context, approval)
  await requireOneRelease(context, approval)
  const dismissed = await runWithApprovalLock(context.pool, approval.id, async () => {
    if (await isBegun(context, approval)) throw refuseBegun()
    return endDismissed(context, dismisser, approval.id, reason)
  })
  if (dismissed === null)
    throw new AdminRefused('conflict', {
      message: 'The request is being carried out. Reload the page to see the result.',
    })
  return dismissed
}

/** The row is locked, too, for actions that are one transaction with their end. */
const endDismissed = (
  context: PanelContext,
  { user, actor }: Requester,
  id: string,
  reason: string,
): Promise<ApprovalRow> =>
  inTransaction(context.pool, async (client) => {
    const approval = requireLeft(context, await approvalStore(client).lock(id))
    if (approval.kind === 'payout-run') {
      const runId = textIn(approval.request, 'runId')
      await payoutStore(client).cancel(runId, context.clock.now())
      // A release that did not end the request together with the run may have sent it.
      if ((await payoutStore(client).findRun(runId))?.state === 'sent') throw refuseBegun()
    }
    const result = { dismissed: reason, dismissedBy: user.id }
    const end = { state: 'failed' as const, result, auditedAs: 'dismissed' as const }
    const ended = await endApprovalIn(client, context, actor, { approval, end })
    if (ended === null) throw notLeft()
    return ended
  })

/** True if the action of the request left a trace, by which carrying it out would find it. */
async function isBegun({ operations, pool }: PanelContext, { id, kind, merchantId, request }: ApprovalRow) {
  switch (kind) {
    case 'refund':
      return (await operations.recall(merchantId ?? '', id)) !== null
    case 'outcome':
    case 'give-back': {
      const payment = await operations.find(merchantId ?? '', textIn(request, 'paymentId'))
      const transactions = payment === null ? [] : await operations.listTransactions(payment)
      return transactions.some(({ facts }) => facts.byHand?.approvalId === id)
    }
    case 'dispute':
      return (
        (await disputeStore(pool).find(merchantId ?? '', textIn(request, 'disputeId')))?.stage ===
        textIn(request, 'decision')
      )
    case 'correction':
      return (await accountStore(pool).findKnown(merchantId ?? '', [correctionSource(id)])).size > 0
    // The others are carried out in one transaction with their end, or change nothing about money.
    case 'payout-run':
    case 'difference':
    case 'payout-account':
    case 'factor-reset':
    case 'user-rights':
    case 'routing-publish':
    case 'password-reveal':
      return false
  }
}

function requireLeft({ clock }: PanelContext, approval: ApprovalRow | null): ApprovalRow {
  if (approval !== null && mayBeLeft(approval, clock.now())) return approval
  throw notLeft()
}

const notLeft = (): AdminRefused =>
  new AdminRefused('conflict', {
    message: 'Only a request that was approved and not completed can be dismissed. Reload the page.',
  })

const refuseBegun = (): AdminRefused =>
  new AdminRefused('conflict', { message: 'The action was begun. Carry the request out to record its result.' })

function textIn(request: JsonObject, key: string): string {
  const value = request[key]
  return typeof value === 'string' ? value : ''
}
