/** Disputes at the panel: their list, the answer, evidence and rates. Chapter 70 §4. */

import { createHash } from 'node:crypto'
import { choosableStages, type DisputeStage, isClosed } from '#domain/dispute/dispute.ts'
import {
  type EvidenceKind,
  evidenceBytesAtMost,
  evidenceBytesTogether,
  evidenceTypeOf,
} from '#domain/dispute/evidence.ts'
import { acceptedEvidence, type EvidenceRules, evidenceFault } from '#domain/dispute/evidence-rules.ts'
import { secret } from '#domain/secret.ts'
import { utcDay } from '#domain/time.ts'
import { connectorById } from '../../connectors/registry.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { type DisputeAnswerRow, disputeAnswerLog } from '../../store/finance/disputes/dispute-answers.ts'
import { type DisputeRow, disputeStore } from '../../store/finance/disputes/disputes.ts'
import { unresolvedList } from '../../store/finance/unresolved-list.ts'
import type { Grant } from '../access/permissions.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { Actor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { midNamed } from '../payments/payments.ts'
import { scopeOf } from '../reports/dashboard.ts'

const filesAtMost = 20
/** The card schemes watch an account from about one dispute in a hundred payments of a month. Ours: one number for all of them. */
const watchedShare = 0.009

/** For the panel and the command line. */
export interface DisputeContext extends Pick<PanelContext, 'configuration'> {
  readonly pool: Queryable
  readonly clock: Clock
}

interface DisputeQuery {
  readonly merchantId: string | null
  readonly stage: string | null
  readonly openOnly: boolean
  readonly before: string | null
  readonly limit: number
}

export async function listDisputesFor(context: PanelContext, grant: Grant, { merchantId, ...page }: DisputeQuery) {
  const rows = await disputeStore(context.pool).list({ ...page, merchantIds: scopeOf(grant, merchantId) })
  return rows.map((row) => ({ ...row, midName: midNamed(context, row.midId) }))
}

interface AnswerTerms {
  /** The limits of the dispute's card network. */
  readonly evidence: EvidenceRules
  readonly needsReason: boolean
}

interface Answering {
  /** The acquirer's name. */
  readonly title: string
  /** Null if people answer in the acquirer's portal. */
  readonly terms: AnswerTerms | null
  /** The acquirer's notifications say who wins. */
  readonly reportsDecisions: boolean
}

/**
 * Finds whether a dispute is answered through its acquirer's API or by hand (decisions/disputes#answers), and whether the acquirer says how
 * it ends (decisions/disputes#decided-by-people). One that the acquirer has not named, such as one that a person entered, cannot be
 * answered through its API.
 */
export function findAnswering(
  { configuration }: Pick<PanelContext, 'configuration'>,
  { midId, caseReference, network }: Pick<DisputeRow, 'midId' | 'caseReference' | 'network'>,
): Answering {
  const connector = connectorById(configuration.mid(midId)?.connector ?? '')
  const offered = caseReference === null ? null : (connector?.disputes ?? null)
  const terms = offered && { evidence: offered.evidence(network), needsReason: offered.needsReason }
  return {
    title: connector?.title ?? 'the acquirer',
    terms,
    reportsDecisions: connector?.reportsDecisions ?? false,
  }
}

export async function requireDispute(context: DisputeContext, merchantId: string, id: string) {
  const store = disputeStore(context.pool)
  const dispute = await store.find(merchantId, id)
  if (dispute === null) throw notFound()
  const { title: acquirer, terms, reportsDecisions } = findAnswering(context, dispute)
  return {
    ...dispute,
    midName: midNamed(context, dispute.midId),
    /** Whom the answer goes to, and how. */
    acquirer,
    isSent: terms !== null,
    reportsDecisions,
    decisionRequestId:
      (await unresolvedList(context.pool, null).listRequests([decisionSubject(id)])).get(decisionSubject(id)) ?? null,
    needsReason: terms?.needsReason ?? false,
    taken: acceptedEvidence(terms?.evidence ?? null),
    files: await store.listFiles(merchantId, id),
    answers: await disputeAnswerLog(context.pool).list(merchantId, id),
  }
}

interface DisputeChange {
  readonly stage: DisputeStage
  readonly answer: 'accepted' | 'contested' | null
  readonly dueOn: string | null
}

/** Records what a person did outside of this service: contesting marks the evidence as sent. No money moves by it. */
export async function changeDispute(
  context: DisputeContext,
  merchantId: string,
  id: string,
  { stage, answer, dueOn }: DisputeChange,
): Promise<AuditNote> {
  const before = await requireDispute(context, merchantId, id)
  const at = context.clock.now()
  if (answer === 'contested' && before.answer !== 'contested' && before.files.length === 0)
    throw invalid('answer', 'Add evidence before you contest the dispute.')
  if (answer !== before.answer && before.answers.some(isAtAcquirer))
    throw new AdminRefused('refused', { message: 'The answer was sent to the acquirer and does not change any more.' })
  const answeredAt = answer === before.answer ? before.answeredAt : answer === null ? null : at
  const store = disputeStore(context.pool)
  if (stage !== before.stage && !isClosed(before.stage) && !choosableStages(before.isChargedBack).includes(stage))
    throw invalid('stage', before.isChargedBack ? chargedBackText(stage) : inquiryText)
  const change = { merchantId, id, stage, answer, answeredAt, dueOn, at, answerBefore: before.answer }
  if (isClosed(before.stage) || !(await store.change(change))) throw refuseDecided()
  if (answer === 'contested' && answer !== before.answer) await store.markSent(merchantId, id, at)
  const showChange = (of: DisputeChange) => ({ stage: of.stage, answer: of.answer, dueOn: of.dueOn })
  return {
    ...auditOf('dispute.change', before),
    before: showChange(before),
    after: showChange({ stage, answer, dueOn }),
  }
}

const chargedBackText = (stage: DisputeStage): string =>
  isClosed(stage)
    ? 'Two people decide whether a chargeback is won or lost. Request the decision.'
    : 'The chargeback has taken the money. Choose another stage.'
const inquiryText = 'No money was taken. Record the chargeback at the payment, and the inquiry becomes one.'

const isAtAcquirer = ({ way, state }: DisputeAnswerRow): boolean => way === 'acquirer' && state !== 'refused'
const isOnItsWay = ({ state }: DisputeAnswerRow): boolean =>
  state === 'waiting' || state === 'sending' || state === 'unknown'

export const refuseDecided = (): AdminRefused =>
  new AdminRefused('refused', { message: 'The dispute is won or lost and does not change any more.' })

interface Evidence {
  readonly name: string
  /** In base64. */
  readonly content: string
  readonly kind: EvidenceKind
}

export async function addEvidence(
  context: DisputeContext & Pick<PanelContext, 'vault' | 'ids'>,
  actor: Actor,
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  { name, content, kind }: Evidence,
): Promise<AuditNote> {
  const dispute = await requireDispute(context, merchantId, id)
  requireChangeable(dispute)
  if (dispute.files.length >= filesAtMost)
    throw invalid('content', `A dispute has at most ${filesAtMost} files. Combine some of them.`)
  const bytes = Buffer.from(content, 'base64')
  if (bytes.length > evidenceBytesAtMost) throw invalid('content', 'A file may have up to 5 MB. Make it smaller.')
  const type = evidenceTypeOf(bytes)
  if (type === null) throw invalid('content', 'Evidence must be a PDF, PNG or JPEG file. Convert it.')
  const added = { name, type, kind, size: bytes.length }
  const files = [...dispute.files, added]
  if (files.reduce((sum, { size }) => sum + size, 0) > evidenceBytesTogether)
    throw invalid('content', 'The files of a dispute may have up to 25 MB together. Use smaller files.')
  const { title, terms } = findAnswering(context, dispute)
  const fault = terms && evidenceFault(files, terms.evidence, title)
  if (fault) throw invalid('content', fault)
  const { vault, ids, clock, pool } = context
  await vault.prepareScope(merchantId)
  const sealed = await vault.seal(merchantId, 'evidence', secret(content))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { id: ids.next(), ...added, sha256, addedBy: actor.label, addedAt: clock.now() }
  await disputeStore(pool).addFile([merchantId, id], file, sealed)
  return { ...auditOf('dispute.add-evidence', dispute), after: { ...added, sha256 } }
}

/** Files that were sent stay. */
export async function removeEvidence(
  context: DisputeContext,
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  fileId: string,
): Promise<AuditNote> {
  const dispute = await requireDispute(context, merchantId, id)
  if (!dispute.files.some((file) => file.id === fileId)) throw notFound()
  requireChangeable(dispute)
  const name = await disputeStore(context.pool).removeFile(merchantId, id, fileId)
  if (name === null) throw new AdminRefused('refused', { message: 'The file was sent and stays with the dispute.' })
  return { ...auditOf('dispute.remove-evidence', dispute), before: { name } }
}

/** The evidence of an answer that is on its way stays as it is. */
function requireChangeable({ stage, answers }: Awaited<ReturnType<typeof requireDispute>>): void {
  if (isClosed(stage)) throw refuseDecided()
  if (answers.some(isOnItsWay))
    throw new AdminRefused('refused', { message: 'The answer is being sent. Change the evidence afterwards.' })
}

/** The file in base64. */
export async function readEvidence(
  { pool, vault }: Pick<PanelContext, 'vault'> & Pick<DisputeContext, 'pool'>,
  merchantId: string,
  id: string,
  fileId: string,
) {
  const file = await disputeStore(pool).findFile(merchantId, id, fileId)
  if (file === null) throw notFound()
  const { name, type, sealed } = file
  await vault.prepareScope(merchantId)
  return { name, type, content: (await vault.open(merchantId, 'evidence', sealed)).reveal() }
}

/** Names the request by which two people decide the dispute. */
export const decisionSubject = (disputeId: string): string => `dispute ${disputeId}`

/** Reads the rates of the calendar month that contains the day, per MID and network. */
export async function readDisputeRates(context: DisputeContext, day: string) {
  const from = `${day.slice(0, 7)}-01`
  const next = new Date(`${from}T00:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const rates = await disputeStore(context.pool).listRates(from, utcDay(next))
  const shown = rates.map((rate) => {
    const share = rate.payments === 0 ? null : rate.disputes / rate.payments
    const isWatched = share === null || share >= watchedShare
    return { ...rate, midName: midNamed(context, rate.midId), share, isWatched }
  })
  return { watchedShare, rates: shown }
}

const auditOf = (action: string, { id, merchantId }: DisputeRow) => ({ action, subject: `dispute ${id}`, merchantId })
