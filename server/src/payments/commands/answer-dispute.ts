/**
 * Sends an answer to a dispute to its acquirer. Chapter 60 §5, decisions/disputes#answers.
 *
 * An acquirer takes one answer. It is asked first whether the dispute still waits for one, so that neither a lost reply nor a restored backup sends a
 * second; where it cannot be asked, what may have arrived is left to the acquirer's notification and to a person.
 */
import { growingPauseMs, minuteMs } from '#domain/time.ts'
import {
  answerDispute,
  askAbout,
  type CaseState,
  type DisputeAnswerOutcome,
  type DisputeOperations,
  type EvidenceDocument,
} from '../../connectors/disputes/dispute-answer.ts'
import type { DisputeAnswers, DueAnswer } from '../../contracts/dispute-ports.ts'
import type { Acquirer } from '../../contracts/ports.ts'
import type { Deps } from '../request/deps.ts'

/** Above the time within which an acquirer executes a request, so that it has decided when it is asked. */
const askAfterMs = 2 * minuteMs
const longestPauseMs = 30 * minuteMs
const givenUpAfterMs = 24 * 60 * minuteMs

type AnswerDeps = Pick<Deps, 'acquirers' | 'alerts' | 'clock' | 'vault' | 'log'>

export async function sendAnswer(deps: AnswerDeps, answers: DisputeAnswers, due: DueAnswer): Promise<void> {
  const acquirer = await deps.acquirers.find(due.midId)
  const { disputes } = acquirer.account
  if (!disputes) return tryLater(deps, answers, due, 'The credentials of the MID cannot be used.')
  const onFault = (fault: unknown): void => deps.log.error({ mid: due.midId, err: fault }, 'A connector failed.')
  const { ask } = disputes
  if (ask) {
    const caseState = await askAbout(() => ask(due.caseReference), onFault)
    if (caseState !== 'open') return enterCaseState(deps, answers, due, caseState)
    if (isLate(deps, due)) return refuse(deps, answers, due, 'The acquirer did not take it within a day.')
  } else if (due.state === 'sending') return enterUnknown(deps, answers, due, acquirer)

  // What is added later does not go with it.
  await answers.begin(due, deps.clock.now())
  const documents = due.answer === 'contested' ? await openEvidence(deps, answers, due) : []
  const outcome = await answerDispute(() => send(disputes, due, documents), onFault)
  await enterOutcome(deps, answers, due, { outcome, acquirer })
}

function send(
  { contest, accept }: DisputeOperations<[]>,
  { answer, reason, caseReference: dispute, id, tries }: DueAnswer,
  documents: readonly EvidenceDocument[],
): Promise<DisputeAnswerOutcome> {
  const one = { dispute, idempotencyKey: `${id}-${tries}` }
  return answer === 'accepted' ? accept(one) : contest({ ...one, reason, documents })
}

async function openEvidence(
  { vault }: AnswerDeps,
  answers: DisputeAnswers,
  due: DueAnswer,
): Promise<readonly EvidenceDocument[]> {
  await vault.prepareScope(due.merchantId)
  const documents: EvidenceDocument[] = []
  for (const { sealed, ...file } of await answers.listEvidence(due)) {
    const content = await vault.open(due.merchantId, 'evidence', sealed)
    documents.push({ ...file, bytes: Buffer.from(content.reveal(), 'base64') })
  }
  return documents
}

/** The acquirer says that the dispute does not wait for an answer, or nothing. */
async function enterCaseState(
  deps: AnswerDeps,
  answers: DisputeAnswers,
  due: DueAnswer,
  caseState: Exclude<CaseState, 'open'>,
): Promise<void> {
  const isTaken = caseState === 'answered' || (caseState === 'decided' && due.answer === 'accepted')
  if (isTaken) return answers.recordTaken(due, deps.clock.now())
  if (caseState === 'decided') return refuse(deps, answers, due, 'The acquirer has decided the dispute.')
  return tryLater(deps, answers, due, 'The acquirer could not be asked about the dispute.')
}

interface Sent {
  readonly outcome: DisputeAnswerOutcome
  readonly acquirer: Acquirer
}

async function enterOutcome(
  deps: AnswerDeps,
  answers: DisputeAnswers,
  due: DueAnswer,
  { outcome, acquirer }: Sent,
): Promise<void> {
  const now = deps.clock.now()
  switch (outcome.result) {
    case 'accepted':
      return answers.recordTaken(due, now)
    case 'refused':
      return refuse(deps, answers, due, outcome.reason)
    case 'not-sent':
      return tryLater(deps, answers, { ...due, state: 'waiting' }, outcome.reason)
    case 'unknown':
      if (!acquirer.account.disputes?.ask) return enterUnknown(deps, answers, due, acquirer)
      return answers.recordUnknown(due, new Date(now.getTime() + askAfterMs), outcome.reason)
  }
}

/** An answer that was never sent ends after a day, so that people learn of it before the deadline; one that may have been sent is asked about as long. */
async function tryLater(deps: AnswerDeps, answers: DisputeAnswers, due: DueAnswer, note: string): Promise<void> {
  const now = deps.clock.now()
  const pauseMs = growingPauseMs(due.tries, minuteMs, longestPauseMs)
  const nextAt = new Date(now.getTime() + pauseMs)
  if (due.state === 'sending')
    return isLate(deps, due) ? enterUnknown(deps, answers, due, null) : answers.recordUnknown(due, nextAt, note)
  return isLate(deps, due) ? refuse(deps, answers, due, note) : answers.postpone(due, nextAt, note)
}

const isLate = ({ clock }: AnswerDeps, { requestedAt }: DueAnswer): boolean =>
  clock.now().getTime() - requestedAt.getTime() > givenUpAfterMs

async function refuse(deps: AnswerDeps, answers: DisputeAnswers, due: DueAnswer, reason: string): Promise<void> {
  await answers.recordRefused(due, deps.clock.now(), reason)
  await alert(deps, due, `The answer to dispute ${due.reference} was not accepted. ${sentence(reason)} Answer again.`)
}

async function enterUnknown(
  deps: AnswerDeps,
  answers: DisputeAnswers,
  due: DueAnswer,
  acquirer: Acquirer | null,
): Promise<void> {
  const name = acquirer?.connector.title ?? 'the acquirer'
  await answers.recordUnknown(due, null, `It is not known whether ${name} has the answer.`)
  const text = `It is not known whether ${name} has the answer to dispute ${due.reference}. Look there, and record it in the dispute.`
  await alert(deps, due, text)
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const alert = ({ alerts }: AnswerDeps, { merchantId, paymentId }: DueAnswer, text: string): Promise<void> =>
  alerts.raise({ kind: 'dispute-answer', merchantId, paymentId, text, once: true })
