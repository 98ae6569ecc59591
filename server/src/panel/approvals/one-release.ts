/**
 * An earlier release carries out actions on payments without the lock, so that its work looks as if it was left. While processes of another release
 * serve the panel, users can neither repeat nor dismiss such an action. Decision 0310.
 */
import { release } from '../../process/release.ts'
import { isOtherReleaseServing } from '../../store/instance/process-beats.ts'
import type { ApprovalKind, ApprovalRow } from '../../store/people/approvals.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { AdminContext } from '../context.ts'

/** These ask an acquirer or write a payment; all others are one transaction with their end. */
const kindsOfPayments: readonly ApprovalKind[] = ['refund', 'outcome', 'give-back']

export async function requireOneRelease({ pool }: Pick<AdminContext, 'pool'>, { kind }: ApprovalRow): Promise<void> {
  if (!kindsOfPayments.includes(kind)) return
  if (await isOtherReleaseServing(pool, release))
    throw new AdminRefused('conflict', {
      message: 'Processes of another release still serve. Finish the upgrade, wait a minute, and try again.',
    })
}
