/** Answers to disputes at the panel and the command line: given by people, sent by a worker where the acquirer takes them. Chapter 60 §5, chapter 70 §4. */
import { isClosed } from '#domain/dispute/dispute.ts'
import { evidenceFault } from '#domain/dispute/evidence-rules.ts'
import { askAbout, type DefenceReason } from '../../connectors/disputes/dispute-answer.ts'
import { disputeAnswerLog } from '../../store/finance/disputes/dispute-answers.ts'
import { disputeStore } from '../../store/finance/disputes/disputes.ts'
import { AdminRefused, invalid } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { Actor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { type DisputeContext, findAnswering, requireDispute } from './disputes.ts'

interface AnswerWish {
  readonly answer: 'accepted' | 'contested'
  /** A code of the acquirer's list. */
  readonly reason: string | null
  /** The person has answered, or will, outside of this service. */
  readonly byHand: boolean
}

interface DisputeName {
  readonly merchantId: string
  readonly id: string
}

export async function answerDispute(
  context: DisputeContext & Pick<PanelContext, 'ids'>,
  actor: Actor,
  { merchantId, id }: DisputeName,
  { answer, reason, byHand }: AnswerWish,
): Promise<AuditNote> {
  const dispute = await requireDispute(context, merchantId, id)
  if (isClosed(dispute.stage)) throw refusal('The dispute is won or lost and does not change any more.')
  if (dispute.answer !== null) throw refusal('The dispute has an answer already.')
  const { title, terms } = findAnswering(context, dispute)
  const isContested = answer === 'contested'
  if (isContested && dispute.files.length === 0) throw invalid('answer', 'Add evidence before you contest the dispute.')
  const way = terms === null || byHand ? 'hand' : 'acquirer'
  if (way === 'acquirer' && isContested && terms !== null) {
    const fault = evidenceFault(dispute.files, terms.evidence, title)
    if (fault !== null) throw invalid('answer', fault)
    if (terms.needsReason && reason === null) throw invalid('reason', `Choose the reason that ${title} asks for.`)
  }
  const decision = { answer, way, reason: isContested ? reason : null } as const
  const at = context.clock.now()
  const log = disputeAnswerLog(context.pool)
  const answerId = context.ids.next()
  if (!(await log.give({ merchantId, disputeId: id, id: answerId, ...decision, requestedBy: actor.label, at })))
    throw refusal('The dispute has an answer already.')
  if (way === 'hand' && isContested) await disputeStore(context.pool).markSent(merchantId, id, at)
  return { action: 'dispute.answer', subject: `dispute ${id}`, merchantId, after: decision }
}

/** Records what a person learned from the acquirer about an answer that may not have arrived. */
export async function settleAnswer(
  context: DisputeContext,
  { merchantId, id }: DisputeName,
  hasArrived: boolean,
): Promise<AuditNote> {
  await requireDispute(context, merchantId, id)
  if (!(await disputeAnswerLog(context.pool).settle(merchantId, id, hasArrived, context.clock.now())))
    throw refusal('Nothing is unknown about the answers to this dispute.')
  return { action: 'dispute.settle-answer', subject: `dispute ${id}`, merchantId, after: { hasArrived } }
}

/** The reasons that the acquirer takes for this dispute, asked now. */
export async function listDefenceReasons(context: PanelContext, { merchantId, id }: DisputeName) {
  const dispute = await requireDispute(context, merchantId, id)
  const { title, terms } = findAnswering(context, dispute)
  if (!terms?.needsReason || dispute.caseReference === null) return []
  const { account } = await context.acquirers.find(dispute.midId)
  const { reasons } = account.disputes ?? {}
  const { caseReference } = dispute
  const onFault = (fault: unknown): void => context.log.error({ mid: dispute.midId, err: fault }, 'A connector failed.')
  const found: readonly DefenceReason[] | null = reasons ? await askAbout(() => reasons(caseReference), onFault) : null
  if (found === null)
    throw refusal(`${title} did not say which reasons it takes. Try again later, or answer in its portal.`)
  return found
}

const refusal = (message: string): AdminRefused => new AdminRefused('refused', { message })
