/** Differences between our record and the acquirer's: two people resolve each, with a note or with a correcting posting. Chapter 70 §3. */
import { z } from 'zod'
import { inTransaction } from '../../store/database/transaction.ts'
import { type SettlementDifference, settlementStore } from '../../store/finance/settlements.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { askApproval, type endApproval, type Requester } from '../approvals/approvals.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'

interface Resolution {
  readonly note: string
  /** True posts the difference to the account of differences, so that the acquirer no longer owes it. */
  readonly correct: boolean
}

export async function askResolution(
  context: AdminContext,
  asker: Requester,
  id: string,
  { note: text, correct }: Resolution,
): Promise<ApprovalRow> {
  const difference = await settlementStore(context.pool).difference(id)
  if (difference === null) throw notFound()
  if (difference.resolvedAt !== null)
    throw new AdminRefused('conflict', { message: 'The difference is already resolved.' })
  if (correct && correctionOf(difference) === 0n) throw invalid('correct', 'There is no amount to post.')
  return askApproval(context, asker, {
    kind: 'difference',
    merchantId: null,
    subject: `difference ${id}`,
    request: { differenceId: id, correct, kind: difference.kind, midId: difference.midId, day: difference.day },
    reason: text,
  })
}

/** What the acquirer owes by our record and does not pay: negative if it pays more. A late row owes nothing. */
function correctionOf({ kind, oursMinor, theirsMinor }: SettlementDifference): bigint {
  switch (kind) {
    case 'late':
    case 'currency':
      return 0n
    case 'doubled':
      return -(theirsMinor ?? 0n)
    default:
      return (oursMinor ?? 0n) - (theirsMinor ?? 0n)
  }
}

const requestSchema = z.object({ differenceId: z.uuid(), correct: z.boolean() })

/** Carries out an approved resolution. */
export function resolveApproved(
  { pool, clock }: AdminContext,
  actor: Actor,
  approval: ApprovalRow,
): Promise<Parameters<typeof endApproval>[3]> {
  const { differenceId, correct } = requestSchema.parse(approval.request)
  return inTransaction(pool, async (client) => {
    const store = settlementStore(client)
    const difference = await store.difference(differenceId)
    const at = clock.now()
    if (difference === null || !(await store.resolve(differenceId, at, approval.reason)))
      return { state: 'failed', result: { refused: 'The difference is already resolved.' } }
    const postedMinor = correct ? correctionOf(difference) : 0n
    if (postedMinor !== 0n) await store.bookCorrection(differenceId, postedMinor, at)
    const after = { note: approval.reason, postedMinor: String(postedMinor), currency: difference.currency }
    const subject = `difference ${differenceId}`
    await note(client, clock, actor, {
      action: 'settlement.resolve',
      subject,
      merchantId: difference.merchantId,
      after,
    })
    return { state: 'done', result: after }
  })
}
