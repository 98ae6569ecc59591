/**
 * A host of ISO 8583 in its version of 1987 or 1993, over a TCP line. Followed: ISO 8583:1987 and ISO 8583-1:1993 as their public
 * descriptions give them (November 2026). What a host does differently stands in its dialect.
 *
 * A host has no idempotency keys and cannot be asked about a transaction. A request that was not answered is reversed (0420, repeated as 0421)
 * until the host acknowledges; an advice that was not answered is repeated under its numbers, which the host counts once.
 */
import { type Outcome, ownTransportConnector, type SentTransaction } from '../connector.ts'
import type { OpenLine } from '../lines/lines.ts'
import type { LineProtocol } from '../lines/protocol.ts'
import { WireFault } from '../wire-fault.ts'
import { toOutcome, toReversal } from './answer.ts'
import { checkLine } from './check.ts'
import { FieldError } from './codec/field.ts'
import type { Message } from './codec/message.ts'
import { credentialsSchema, dialectOf } from './credentials.ts'
import type { Dialect } from './dialect.ts'
import { lineProtocol } from './line-protocol.ts'
import { firstMessage, fromFollowUp, fromOrder, type HostTerms, type Request, reversalOf } from './request.ts'
import { UnwritableError } from './values.ts'

interface HostLink extends HostTerms {
  readonly line: OpenLine
  readonly protocol: LineProtocol
  readonly sendBy: number | undefined
}

/** Minutes would pass before a reconciler comes again, so that a reversal is repeated at once. */
const attemptsOfReversal = 3

/** Queues of the network between the host and the issuer; hosts give up after 30 seconds or less. */
const usuallyWithinSeconds = 60

export const iso8583 = ownTransportConnector({
  id: 'iso8583',
  title: 'ISO 8583 host',
  credentials: credentialsSchema,
  supports: {
    cardFlow: true,
    acceptsDecrypted: true,
    passesTokens: false,
    emv: true,
    partialCapture: true,
    moto: true,
    zeroAmount: true,
    recurring: true,
    cardOnFile: true,
    externalThreeDs: true,
    ipv6: true,
  },
  recovery: ({ executes_within_seconds: seconds = usuallyWithinSeconds }) => ({
    way: 'reverse',
    idempotencyKey: null,
    executesWithinMs: seconds * 1000,
  }),
  addresses: ({ host, port, encryption }) => [
    `${encryption === 'tls' ? 'tls' : 'tcp'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
  ],
  connect: (credentials, { lines }) => {
    const dialect = dialectOf(credentials)
    const {
      host,
      port,
      encryption,
      client_certificate: certificate = '',
      client_key: key = '',
      authority,
    } = credentials
    const protocol = lineProtocol(dialect)
    const line = lines.open({
      connector: 'iso8583',
      address: { host, port, isEncrypted: encryption === 'tls' },
      certificate: { certificate, key, authority },
      protocol,
    })
    return { link: (sendBy): HostLink => ({ dialect, credentials, line, protocol, sendBy }), close: () => line.close() }
  },

  sale: (order, link) => send(link, () => fromOrder('sale', order, link)),
  authorize: (order, link) => send(link, () => fromOrder('authorize', order, link)),
  capture: (followUp, link) => send(link, () => fromFollowUp('capture', followUp, link)),
  refund: (followUp, link) => send(link, () => fromFollowUp('refund', followUp, link)),
  reverse: (followUp, link) => send(link, () => fromFollowUp('reverse', followUp, link)),
  void: (followUp, link) => send(link, () => fromFollowUp('void', followUp, link)),
  status: async () => ({ result: 'cannot-be-asked' }),
  undo: (sent, link) => undo(sent, link),
  check: (_, { line, protocol, sendBy }) => checkLine(line, protocol, sendBy),
})

/** An order that the dialect cannot write has not left us. */
async function send({ dialect, line, sendBy }: HostLink, build: () => Request): Promise<Outcome> {
  const built = tryBuild(build)
  if (!built.ok) return { result: 'not-executed', reason: built.reason, facts: {} }
  const { message, bytes } = built.request
  return toOutcome(dialect, message, await line.exchange(bytes, { sendBy }))
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

async function undo(sent: SentTransaction, link: HostLink): Promise<Outcome> {
  const { operation } = sent
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

const reverse = (sent: SentTransaction, mti: string, link: HostLink): Promise<Outcome> =>
  repeat(link, (attempt) => reversalOf(sent, mti, link, attempt > 0), toReversal)

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
