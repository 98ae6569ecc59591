/**
 * Reverses a transaction whose answer never came, by our own id of it: an authorisation by a time-out reversal, everything else by a time-out
 * void. CyberSource asks to wait 60 seconds before that, which the reconciler does.
 *
 * Time-out reversals exist on Visa Platform Connect only, and a capture that was sent to the processor cannot be voided. If CyberSource
 * refuses, Transaction Search decides, once it has had the time to show everything.
 */
import type { Outcome, SentTransaction } from '../connector.ts'
import { jsonBody, type WireReply } from '../wire.ts'
import { notExecuted, refusalIn, toOutcome, unknown } from './answer.ts'
import type { CybersourceWire } from './credentials.ts'
import { factsOf } from './facts.ts'
import { isNotVoidable, releaseById, voidById } from './follow-ups.ts'
import { runOf, search } from './lookup.ts'
import { type Request, timeoutReversalOf, timeoutVoidOf } from './request.ts'

/** Ours: Transaction Search shows a transaction within minutes, and reversals that it may not show yet are attempted hours apart by then. */
const searchCompleteMs = 3_600_000

const reversed: Outcome = notExecuted('The acquirer reversed the transaction')

export async function undo(sent: SentTransaction, wire: CybersourceWire): Promise<Outcome> {
  switch (sent.operation) {
    case 'sale':
    case 'authorize':
      // A verified card holds nothing.
      if (sent.amountMinor === 0n) return notExecuted('The verification of the card was not answered')
      return sent.operation === 'sale' ? undoSale(sent, wire) : undoHold(sent, wire)
    case 'capture':
    case 'refund':
    case 'credit':
      return judge(sent, await postVoid(sent, wire), wire)
    case 'reverse':
    case 'void':
      return repeatRelease(sent, wire)
    default:
      return unknown('The acquirer has no such transaction.')
  }
}

async function undoHold(sent: SentTransaction, wire: CybersourceWire): Promise<Outcome> {
  const request = timeoutReversalOf(sent)
  if (!request) return unknown('The amount has no form at the acquirer.')
  const reply = await wire.post('/pts/v2/reversals', jsonBody(request.body))
  return judge(sent, { reply, isDone: isDone('reversal', reply, request) }, wire)
}

/** A sale that was declined after its authorisation has nothing to void, but a hold. */
async function undoSale(sent: SentTransaction, wire: CybersourceWire): Promise<Outcome> {
  const attempt = await postVoid(sent, wire)
  return isNotVoidable(attempt.reply) ? undoHold(sent, wire) : judge(sent, attempt, wire)
}

interface Attempt {
  readonly reply: WireReply
  readonly isDone: boolean
}

async function postVoid(sent: SentTransaction, wire: CybersourceWire): Promise<Attempt> {
  const request = timeoutVoidOf(sent)
  const reply = await wire.post('/pts/v2/voids', jsonBody(request.body))
  return { reply, isDone: isDone('void', reply, request) }
}

/** CyberSource files a time-out reversal under a reference of its own, so that its answer need not repeat ours. */
function isDone(step: 'reversal' | 'void', reply: WireReply, request: Request): boolean {
  const { result } = toOutcome(step, reply, { ...request, reference: null })
  return result === 'approved' || refusalIn(reply)?.reason === 'AUTH_ALREADY_REVERSED'
}

/** `isDone`: CyberSource acknowledged. Otherwise a refusal is held against Transaction Search. */
async function judge(sent: SentTransaction, attempt: Attempt, wire: CybersourceWire): Promise<Outcome> {
  if (attempt.isDone) return reversed
  if (!refusalIn(attempt.reply)) return unknown(`The acquirer answered ${attempt.reply.status}.`)
  const isComplete = wire.now().getTime() - sent.createdAt.getTime() >= searchCompleteMs
  if (!isComplete) return unknown('The acquirer refused to reverse the transaction.')
  const records = await search(sent, wire)
  if (records === null) return unknown('The acquirer did not answer the search.')
  const isReversed = records.some((record) => runOf(record, 'reverse')?.kind === 'executed')
  if (isReversed) return reversed
  const executed = records.find((record) => runOf(record, sent.operation)?.kind === 'executed')
  if (executed) return { result: 'approved', facts: factsOf(executed) }
  const isDoubtful = records.some((record) => runOf(record, sent.operation)?.kind === 'doubtful')
  return isDoubtful
    ? unknown('The acquirer cannot say what it did.')
    : notExecuted('The acquirer did not execute the transaction')
}

/** A release is not reversed: it is requested again, which CyberSource executes once. */
async function repeatRelease(sent: SentTransaction, wire: CybersourceWire): Promise<Outcome> {
  const { reference } = sent.first
  if (reference === null) return notExecuted('The acquirer’s reference of the payment is not known')
  const outcome =
    sent.operation === 'void' ? await voidById(sent, reference, wire) : await releaseById(sent, reference, true, wire)
  if (outcome !== 'not-voidable' && outcome.result !== 'not-executed') return outcome
  const records = await search(sent, wire)
  const executed = records?.find((record) => runOf(record, 'reverse')?.kind === 'executed')
  if (executed) return { result: 'approved', facts: factsOf(executed) }
  const isComplete = records !== null && wire.now().getTime() - sent.createdAt.getTime() >= searchCompleteMs
  if (!isComplete) return unknown('The acquirer refused the release, or has executed it.')
  return outcome === 'not-voidable'
    ? notExecuted('The acquirer does not allow this in the state of the payment')
    : outcome
}
