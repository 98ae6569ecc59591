/** Requests to the host, and what is done about one that was not answered. */
import type { Outcome, SentTransaction } from '../connector.ts'
import type { OpenLine } from '../lines/lines.ts'
import type { LineProtocol } from '../lines/protocol.ts'
import { WireFault } from '../wire-fault.ts'
import { toOutcome, toReversal } from './answer.ts'
import { FieldError } from './codec/field.ts'
import type { Message } from './codec/message.ts'
import type { Dialect } from './dialect.ts'
import { type NumberedTransaction, type Purpose, reservedNumber, reversalPurposes } from './original.ts'
import { firstMessage, fromFollowUp, type HostTerms, type Request, reversalOf } from './request.ts'
import { UnwritableError } from './values.ts'

export interface HostLink extends HostTerms {
  readonly line: OpenLine
  readonly protocol: LineProtocol
  readonly sendBy: number | undefined
}

/** Minutes would pass before a reconciler comes again, so that a reversal is repeated at once. */
const attemptsOfReversal = 3

/** An order that the dialect cannot write has not left us. No request leaves before its numbers are reserved. */
export async function send(link: HostLink, sent: NumberedTransaction, build: () => Request): Promise<Outcome> {
  const { dialect, line, sendBy } = link
  const built = tryBuild(build)
  if (!built.ok) return { result: 'not-executed', reason: built.reason, facts: {} }
  if (!(await reserve(link, sent, 'request'))) return numberTaken
  const { message, bytes } = built.request
  return toOutcome(dialect, message, await line.exchange(bytes, { sendBy }))
}

const numberTaken: Outcome = {
  result: 'not-executed',
  reason: 'Another transaction of the same second has the trace number',
  facts: {},
}

const reserve = ({ line }: HostLink, sent: NumberedTransaction, purpose: Purpose): Promise<boolean> =>
  line.reserve(reservedNumber(sent, purpose), sent.transactionId)

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
  // Its numbers are those of another transaction, which a reversal would reverse. It cannot have left without them.
  if (!(await reserve(link, sent, 'request'))) return numberTaken
  switch (operation) {
    case 'sale':
    case 'authorize':
      return reverse(sent, link.dialect.messages[firstMessage(operation, sent.amountMinor)].mti, link)
    case 'capture':
    case 'refund':
    case 'reverse':
    case 'void': {
      const message = link.dialect.messages[operation]
      if (message.repeat === undefined) return reverse(sent, message.mti, link)
      return repeat(link, () => fromFollowUp(operation, sent, link, true), toOutcome)
    }
    case 'debit':
    case 'credit':
    case 'transfer':
      return { result: 'unknown', reason: 'The connector has no such operation', facts: {} }
  }
}

async function reverse(sent: SentTransaction, mti: string, link: HostLink): Promise<Outcome> {
  for (const purpose of reversalPurposes) {
    if (!(await reserve(link, sent, purpose))) continue
    return repeat(link, (attempt) => reversalOf(sent, mti, link, { purpose, isRepeated: attempt > 0 }), toReversal)
  }
  return { result: 'unknown', reason: 'The reversal has no trace number', facts: {} }
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
