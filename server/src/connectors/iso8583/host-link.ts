/** Requests to the host, and what is done about one that was not answered. */
import type { Outcome, SentTransaction } from '../connector.ts'
import type { OpenLine } from '../lines/lines.ts'
import type { LineProtocol } from '../lines/protocol.ts'
import { WireFault } from '../wire-fault.ts'
import { toOutcome, toReversal } from './answer.ts'
import { FieldError } from './codec/field.ts'
import type { Message } from './codec/message.ts'
import type { Dialect } from './dialect.ts'
import {
  type NumberedTransaction,
  type Purpose,
  type RequestPurpose,
  requestPurposes,
  reservedNumber,
  reversalPurposes,
} from './original.ts'
import { firstMessage, fromFollowUp, type HostTerms, type Request, reversalOf, withTraceNumber } from './request.ts'
import { UnwritableError } from './values.ts'

export interface HostLink extends HostTerms {
  readonly line: OpenLine
  readonly protocol: LineProtocol
  readonly sendBy: number | undefined
}

/** Minutes would pass before a reconciler comes again, so that a reversal is repeated at once. */
const attemptsOfReversal = 3

/** An order that the dialect cannot write has not left us. No request leaves before its numbers are reserved. */
export async function send(
  link: HostLink,
  sent: NumberedTransaction,
  build: (purpose: RequestPurpose) => Request,
): Promise<Outcome> {
  const { dialect, line, sendBy } = link
  const first = tryBuild(() => build('request'))
  if (!first.ok) return { result: 'not-executed', reason: first.reason, facts: {} }
  const purpose = await reserveFirst(link, sent, requestPurposes)
  if (!purpose) return numbersTaken
  const { message, bytes } = purpose === 'request' ? first.request : build(purpose)
  return withTraceNumber(toOutcome(dialect, message, await line.exchange(bytes, { sendBy })), message, sent, purpose)
}

const numbersTaken: Outcome = {
  result: 'not-executed',
  reason: 'Other transactions of the same second have the trace numbers',
  facts: {},
}

/** The first purpose whose number no other transaction has. The same transaction gets the same one as long as reservations are stored. */
async function reserveFirst<P extends Purpose>(
  { line }: HostLink,
  sent: NumberedTransaction,
  purposes: readonly P[],
): Promise<P | null> {
  for (const purpose of purposes)
    if (await line.reserve(reservedNumber(sent, purpose), sent.transactionId)) return purpose
  return null
}

type Building = { readonly ok: true; readonly request: Request } | { readonly ok: false; readonly reason: string }

function tryBuild(build: () => Request): Building {
  try {
    return { ok: true, request: build() }
  } catch (error) {
    // Neither quotes a value of the order.
    if (error instanceof UnwritableError || error instanceof FieldError) return { ok: false, reason: error.message }
    throw new WireFault('The connector could not write the request.', { sent: false, isBug: true, cause: error })
  }
}

export async function undo(sent: SentTransaction, link: HostLink): Promise<Outcome> {
  const { operation } = sent
  // Under the numbers of another transaction a reversal would reverse that one. A request cannot have left without its own.
  const requestPurpose = await reserveFirst(link, sent, requestPurposes)
  if (!requestPurpose) return numbersTaken
  switch (operation) {
    case 'sale':
    case 'authorize': {
      const { mti } = link.dialect.messages[firstMessage(operation, sent.amountMinor)]
      return reverse(sent, mti, link, requestPurpose)
    }
    case 'capture':
    case 'refund':
    case 'reverse':
    case 'void': {
      const message = link.dialect.messages[operation]
      if (message.repeat === undefined) return reverse(sent, message.mti, link, requestPurpose)
      const again = { purpose: requestPurpose, isRepeated: true }
      return repeat(link, () => fromFollowUp(operation, sent, link, again), toOutcome)
    }
    case 'debit':
    case 'credit':
    case 'transfer':
      return { result: 'unknown', reason: 'The connector has no such operation', facts: {} }
  }
}

async function reverse(
  sent: SentTransaction,
  mti: string,
  link: HostLink,
  requestPurpose: RequestPurpose,
): Promise<Outcome> {
  const purpose = await reserveFirst(link, sent, reversalPurposes)
  if (!purpose) return { result: 'unknown', reason: 'The reversal has no trace number', facts: {} }
  const build = (attempt: number): Request =>
    reversalOf(sent, mti, link, { purpose, requestPurpose, isRepeated: attempt > 0 })
  return repeat(link, build, toReversal)
}

/** Until the host answers, as far as the time goes. */
async function repeat(
  { dialect, line, sendBy }: HostLink,
  build: (attempt: number) => Request,
  read: (dialect: Dialect, request: Message, reply: Buffer) => Outcome,
): Promise<Outcome> {
  for (let attempt = 0; ; attempt += 1) {
    const built = tryBuild(() => build(attempt))
    if (!built.ok) return { result: 'unknown', reason: 'The reversal could not be written', facts: {} }
    try {
      const reply = await line.exchange(built.request.bytes, { sendBy, share: 1 / attemptsOfReversal })
      return read(dialect, built.request.message, reply)
    } catch (fault) {
      if (attempt + 1 >= attemptsOfReversal || !(fault instanceof WireFault) || !fault.sent) throw fault
    }
  }
}
