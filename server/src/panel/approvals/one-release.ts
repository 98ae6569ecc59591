/**
 * An earlier release carries out actions on payments without the lock, so that its work looks as if it was left. While processes of another release
 * serve the panel, users can neither repeat nor dismiss such an action. See decisions/corrections#dismissing.
 */
import { release } from '../../process/release.ts'
import { isOtherReleaseServing } from '../../store/instance/process-beats.ts'
import type { ApprovalKind, ApprovalRow } from '../../store/people/approvals.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { AdminContext } from '../context.ts'

/** Asks an acquirer or writes a payment; the others are one transaction with their end. */
const isOfPayment: Readonly<Record<ApprovalKind, boolean>> = {
  refund: true,
  'password-reveal': false,
  'routing-publish': false,
  outcome: true,
  'give-back': true,
  difference: false,
  'factor-reset': false,
  'payout-run': false,
  correction: false,
  'payout-account': false,
  'user-rights': false,
  dispute: true,
}

export async function requireOneRelease({ pool }: Pick<AdminContext, 'pool'>, { kind }: ApprovalRow): Promise<void> {
  if (!isOfPayment[kind]) return
  if (await isOtherReleaseServing(pool, release))
    throw new AdminRefused('conflict', {
      message: 'Processes of another release still serve. Finish the upgrade, wait a minute, and try again.',
    })
}
