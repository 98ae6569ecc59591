/**
 * Differences between our record and the acquirer's, and between the acquirer's and the bank's: two people resolve each, with a note, with
 * a correcting posting, or by recording the chargeback that only the acquirer's file reports. Chapter 70 §3, decisions/disputes#chargebacks-of-files.
 */
import { z } from 'zod'
import type { SettledChargeback } from '../../payments/commands/settled-chargeback.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type Difference, differenceStore, type Reporter } from '../../store/finance/differences.ts'
import { settledRows } from '../../store/finance/settled-rows.ts'
import { type ApprovalRow, approvalStore } from '../../store/people/approvals.ts'
import { readUserNames } from '../../store/people/user-names.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { askApproval, type endApproval, type Requester } from '../approvals/approvals.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { isOutcomeOpen, readCorrections } from './difference-amount.ts'

interface Resolution {
  readonly note: string
  /** True posts the difference to the account of differences, so that it is no longer owed or expected. */
  readonly correct: boolean
  /** Records the chargeback of the acquirer's row, and opens its dispute. */
  readonly chargeback: ChargebackWish | null
}

interface ChargebackWish {
  /** Null if the person does not know it. */
  readonly reasonCode: string | null
}

/** The command line has no operations: whether the chargeback is possible is found when it is approved. */
interface ChargebackCheck {
  readonly operations?: Pick<PanelContext['operations'], 'findSettledChargebackFault'>
}

export async function askResolution(
  context: AdminContext & ChargebackCheck,
  asker: Requester,
  id: string,
  { note: text, correct, chargeback }: Resolution,
): Promise<ApprovalRow> {
  const difference = await differenceStore(context.pool).find(id)
  if (difference === null) throw notFound()
  if (difference.resolvedAt !== null)
    throw new AdminRefused('conflict', { message: 'The difference is already resolved.' })
  if (correct) await requirePostable(context.pool, difference)
  if (chargeback !== null) {
    if (correct) throw invalid('correct', 'Either post the difference or record the chargeback.')
    const found = await findChargeback(context.pool, difference, chargeback.reasonCode)
    const fault = typeof found === 'string' ? found : await context.operations?.findSettledChargebackFault(found)
    if (fault) throw new AdminRefused('refused', { message: `The chargeback cannot be recorded. ${fault}` })
  }
  const { kind, midId, day } = difference
  return askApproval(context, asker, {
    kind: 'difference',
    merchantId: null,
    subject: subjectOf(id),
    request: { differenceId: id, correct, kind, midId, day, ...(chargeback && { chargeback: { ...chargeback } }) },
    reason: text,
  })
}

async function requirePostable(pool: Queryable, difference: Difference): Promise<void> {
  if (await isOutcomeOpen(pool, difference)) throw new AdminRefused('refused', { message: outcomeOpen })
  if ((await readCorrections(pool, difference)).length === 0) throw invalid('correct', 'There is no amount to post.')
}

const outcomeOpen = 'The outcome of the transaction is open here. Request the posting when it is decided.'

/** The chargeback of the row, or the sentence why there is none. */
async function findChargeback(
  pool: Queryable,
  { kind, midId, ref }: Difference,
  reasonCode: string | null,
): Promise<SettledChargeback | string> {
  const rows = settledRows(pool)
  const row = kind !== 'missing-here' || midId === null || ref === null ? null : await rows.find(midId, ref)
  if (midId === null || ref === null || row?.kind !== 'chargeback')
    return 'The difference is not a chargeback that is missing here.'
  if (row.paymentId === null) return 'The row does not name the payment.'
  const grossMinor = row.processingMinor ?? row.grossMinor
  if (grossMinor >= 0n) return 'The row returns money instead of taking it.'
  return {
    midId,
    paymentId: row.paymentId,
    row: ref,
    reference: row.reference,
    currency: row.processingCurrency ?? row.currency,
    amountMinor: -grossMinor,
    bookedOn: row.bookedOn,
    reasonCode: reasonCode ?? 'Not stated',
    listSettledAmong: (ids) => rows.listSettledByOthers(ids, midId, ref),
    listPostedAmong: (ids) => rows.listPosted(ids, midId),
  }
}

const subjectOf = (id: string): string => `difference ${id}`

/** Adds the request to resolve each that waits for a second person, and who asked. Null if none waits. */
export async function addRequests<Row extends { readonly id: string }>(
  { pool, clock }: Pick<AdminContext, 'pool' | 'clock'>,
  differences: readonly Row[],
) {
  const subjects = differences.map(({ id }) => subjectOf(id))
  const requests = await approvalStore(pool).findWaitingAbout('difference', subjects, clock.now())
  const names = await readUserNames(
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

const reporterOf = ({ kind }: Difference): Reporter => (kind.startsWith('bank-') ? 'bank' : 'acquirer')

const requestSchema = z.object({
  differenceId: z.uuid(),
  correct: z.boolean(),
  chargeback: z.object({ reasonCode: z.string().nullable() }).optional(),
})
type Request = z.output<typeof requestSchema>
type ApprovalEnd = Parameters<typeof endApproval>[3]

/** Carries out an approved resolution, in the transaction of the caller. */
export async function resolveApproved(
  inside: AdminContext,
  operations: PanelContext['operations'],
  actor: Actor,
  approval: ApprovalRow,
): Promise<ApprovalEnd> {
  const { pool, clock } = inside
  const request = requestSchema.parse(approval.request)
  const { differenceId, correct } = request
  const difference = await differenceStore(pool).find(differenceId)
  if (difference === null || difference.resolvedAt !== null) return fail('The difference is already resolved.')
  const recorded = await recordChargeback(inside, operations, difference, request)
  if (typeof recorded === 'string') return fail(recorded)
  return await inTransaction(pool, async (client) => {
    const store = differenceStore(client)
    const at = clock.now()
    if (correct && !(await lockMissing(client, difference))) return fail(importRuns)
    if (correct && (await isOutcomeOpen(client, difference))) return fail(outcomeOpen)
    if (!(await store.resolve(differenceId, at, approval.reason))) return fail('The difference is already resolved.')
    const corrections = correct ? await readCorrections(client, difference) : []
    await store.book(differenceId, { corrections, account: reporterOf(difference) }, at)
    const [first, second] = corrections
    const after = {
      note: approval.reason,
      postedMinor: String(first?.amountMinor ?? 0n),
      currency: first?.currency ?? difference.currency,
      ...(second && { otherPostedMinor: String(second.amountMinor), otherCurrency: second.currency }),
      ...recorded,
    }
    await note(client, clock, actor, {
      action: 'settlement.resolve',
      subject: subjectOf(differenceId),
      merchantId: recorded?.merchantId ?? difference.merchantId,
      after,
    })
    return { state: 'done', result: after }
  })
}

/** Until the end of the transaction no import of the MID begins. False while one is running: its row may settle what is missing without seeing the posting. */
const lockMissing = async (client: Queryable, { kind, midId }: Difference): Promise<boolean> =>
  midId === null || !['missing-there', 'reversal-missing'].includes(kind) || settledRows(client).tryLock(midId)

const importRuns = 'A settlement file of the MID is being imported. Request it again when the import has ended.'

const fail = (text: string): ApprovalEnd => ({ state: 'failed', result: { refused: text } })

interface RecordedChargeback {
  readonly merchantId: string
  readonly paymentId: string
  readonly transactionId: string
}

/**
 * Null if none was requested. The chargeback is written before the transaction of the caller ends, and its id is derived from the row: after a crash in
 * between, the next approval or the next request finds it. No import of the MID runs meanwhile, which could settle the chargeback by another row.
 */
async function recordChargeback(
  { pool, clock }: AdminContext,
  operations: PanelContext['operations'],
  difference: Difference,
  { chargeback }: Request,
): Promise<RecordedChargeback | string | null> {
  if (chargeback === undefined) return null
  const found = await findChargeback(pool, difference, chargeback.reasonCode)
  if (typeof found === 'string') return found
  const { midId, row: ref } = found
  const rows = settledRows(pool)
  if (!(await rows.tryLock(midId))) return importRuns
  const result = await operations.recordSettledChargeback(found)
  if (result.kind === 'refused') return result.reason
  const { id: paymentId, merchantId } = result.payment
  const recorded = { merchantId, paymentId, transactionId: result.transactionId }
  if (!(await rows.link({ midId, ref, ...recorded }, clock.now()))) throw new Error(`Row ${ref} has a transaction.`)
  return recorded
}
