/**
 * Differences between our record and the acquirer's, and between the acquirer's and the bank's: two people resolve each, with a note or with
 * a correcting posting. Chapter 70 §3.
 */
import { z } from 'zod'
import { inTransaction } from '../../store/database/transaction.ts'
import { type Difference, differenceStore, type Reporter } from '../../store/finance/differences.ts'
import { type ApprovalRow, approvalStore } from '../../store/people/approvals.ts'
import { userNames } from '../../store/people/user-names.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { askApproval, type endApproval, type Requester } from '../approvals/approvals.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'

interface Resolution {
  readonly note: string
  /** True posts the difference to the account of differences, so that it is no longer owed or expected. */
  readonly correct: boolean
}

export async function askResolution(
  context: AdminContext,
  asker: Requester,
  id: string,
  { note: text, correct }: Resolution,
): Promise<ApprovalRow> {
  const difference = await differenceStore(context.pool).find(id)
  if (difference === null) throw notFound()
  if (difference.resolvedAt !== null)
    throw new AdminRefused('conflict', { message: 'The difference is already resolved.' })
  if (correct && correctionOf(difference) === 0n) throw invalid('correct', 'There is no amount to post.')
  return askApproval(context, asker, {
    kind: 'difference',
    merchantId: null,
    subject: subjectOf(id),
    request: { differenceId: id, correct, kind: difference.kind, midId: difference.midId, day: difference.day },
    reason: text,
  })
}

const subjectOf = (id: string): string => `difference ${id}`

/** Adds the request to resolve each that waits for a second person, and who asked. Null if none waits. */
export async function withRequests<Row extends { readonly id: string }>(
  { pool, clock }: Pick<AdminContext, 'pool' | 'clock'>,
  differences: readonly Row[],
) {
  const subjects = differences.map(({ id }) => subjectOf(id))
  const requests = await approvalStore(pool).waitingAbout('difference', subjects, clock.now())
  const names = await userNames(
    pool,
    [...requests.values()].map(({ askedBy }) => askedBy),
  )
  return differences.map((one) => {
    const request = requests.get(subjectOf(one.id))
    if (request === undefined) return { ...one, waiting: null }
    const { id: approvalId, askedBy, askedAt } = request
    return { ...one, waiting: { approvalId, askedBy, askedByName: names.get(askedBy) ?? 'a deleted user', askedAt } }
  })
}

/** What was expected and did not come: negative if more came. A late row owes nothing; two currencies have no common sum. */
function correctionOf({ kind, oursMinor, theirsMinor }: Difference): bigint {
  switch (kind) {
    case 'late':
    case 'currency':
    case 'bank-currency':
      return 0n
    case 'doubled':
    case 'bank-doubled':
      return -(theirsMinor ?? 0n)
    default:
      return (oursMinor ?? 0n) - (theirsMinor ?? 0n)
  }
}

const reporterOf = ({ kind }: Difference): Reporter => (kind.startsWith('bank-') ? 'bank' : 'acquirer')

const requestSchema = z.object({ differenceId: z.uuid(), correct: z.boolean() })

/** Carries out an approved resolution. */
export function resolveApproved(
  { pool, clock }: AdminContext,
  actor: Actor,
  approval: ApprovalRow,
): Promise<Parameters<typeof endApproval>[3]> {
  const { differenceId, correct } = requestSchema.parse(approval.request)
  return inTransaction(pool, async (client) => {
    const store = differenceStore(client)
    const difference = await store.find(differenceId)
    const at = clock.now()
    if (difference === null || !(await store.resolve(differenceId, at, approval.reason)))
      return { state: 'failed', result: { refused: 'The difference is already resolved.' } }
    const postedMinor = correct ? correctionOf(difference) : 0n
    if (postedMinor !== 0n)
      await store.book(differenceId, { amountMinor: postedMinor, account: reporterOf(difference) }, at)
    const after = { note: approval.reason, postedMinor: String(postedMinor), currency: difference.currency }
    await note(client, clock, actor, {
      action: 'settlement.resolve',
      subject: subjectOf(differenceId),
      merchantId: difference.merchantId,
      after,
    })
    return { state: 'done', result: after }
  })
}
