/**
 * Reverses a transaction whose answer never came, by our own id of it: an authorisation by a time-out reversal, everything else by a time-out
 * void. CyberSource asks to wait 60 seconds before that, which the reconciler does.
 *
 * Time-out reversals exist on Visa Platform Connect only, and a capture that was sent to the processor cannot be voided. A refusal does not
 * say why, so that it decides nothing: Transaction Search does, once it has had the time to show everything.
 */
import type { Outcome, SentTransaction } from '../connector.ts'
import { notExecuted } from '../outcome.ts'
import { jsonBody, type WireReply } from '../wire.ts'
import { refusalIn, toOutcome, unknown } from './answer.ts'
import type { CybersourceWire } from './credentials.ts'
import { factsOf } from './facts.ts'
import { isNotVoidable, releaseById, voidById } from './follow-ups.ts'
import { mayBeReversed, reversalOutcome, runOf, search } from './lookup.ts'
import { type Request, timeoutReversalOf, timeoutVoidOf } from './request.ts'

export async function undo(sent: SentTransaction, wire: CybersourceWire): Promise<Outcome> {
  if (!mayBeReversed(sent, wire)) return unknown('The search of the acquirer decides.')
  switch (sent.operation) {
    case 'sale':
    case 'authorize':
      // A verified card holds nothing.
      if (sent.amountMinor === 0n) return notExecuted('The verification of the card was not answered')
      return sent.operation === 'sale' ? undoSale(sent, wire) : undoHold(sent, wire)
    case 'capture':
    case 'refund':
    case 'credit':
      return judge(await postVoid(sent, wire))
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
  return judge({ reply, isDone: isDone('reversal', reply, request) })
}

/** A sale that was declined after its authorisation has nothing to void, but a hold. */
async function undoSale(sent: SentTransaction, wire: CybersourceWire): Promise<Outcome> {
  const attempt = await postVoid(sent, wire)
  return isNotVoidable(attempt.reply) ? undoHold(sent, wire) : judge(attempt)
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

/** `isDone`: CyberSource acknowledged. */
function judge({ reply, isDone }: Attempt): Outcome {
  if (isDone) return reversalOutcome
  return refusalIn(reply)
    ? unknown('The acquirer refused to reverse the transaction.')
    : unknown(`The acquirer answered ${reply.status}.`)
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
  return unknown('The acquirer refused the release, or has executed it.')
}
