/**
 * A host of ISO 8583 in its version of 1987 or 1993, over a TCP line. Followed: ISO 8583:1987 and ISO 8583-1:1993 as their public
 * descriptions give them (November 2026). What a host does differently stands in its dialect.
 *
 * A host has no idempotency keys and cannot be asked about a transaction. A request that was not answered is reversed (0420, repeated as 0421)
 * until the host acknowledges; an advice that was not answered is repeated under its numbers, which the host counts once.
 */
import { ownTransportConnector } from '../connector.ts'
import { checkLine } from './check.ts'
import { credentialsSchema, dialectOf } from './credentials.ts'
import { type HostLink, send, undo } from './host-link.ts'
import { lineProtocol } from './line-protocol.ts'
import { fromFollowUp, fromOrder } from './request.ts'
import { testCards } from './test-cards.ts'

/** Queues of the network between the host and the issuer; hosts give up after 30 seconds or less. */
const usuallyWithinSeconds = 60

export const iso8583 = ownTransportConnector({
  id: 'iso8583',
  title: 'ISO 8583 host',
  credentials: credentialsSchema,
  testCards,
  supports: {
    cardFlow: true,
    acceptsDecrypted: true,
    passesTokens: false,
    emv: true,
    partialCapture: true,
    partialRefund: true,
    moto: true,
    zeroAmount: true,
    recurring: true,
    cardOnFile: true,
    ownThreeDs: false,
    externalThreeDs: true,
    ipv6: true,
  },
  recoveryWay: 'reverse',
  recovery: ({ executes_within_seconds: seconds = usuallyWithinSeconds }) => ({
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
      terminal: [host, port, credentials.acquirer_id, credentials.terminal_id].join(' '),
      protocol,
    })
    return { link: (sendBy): HostLink => ({ dialect, credentials, line, protocol, sendBy }), close: () => line.close() }
  },

  sale: (order, link) => send(link, order, (purpose) => fromOrder('sale', order, link, purpose)),
  authorize: (order, link) => send(link, order, (purpose) => fromOrder('authorize', order, link, purpose)),
  capture: (followUp, link) => send(link, followUp, (purpose) => fromFollowUp('capture', followUp, link, { purpose })),
  refund: (followUp, link) => send(link, followUp, (purpose) => fromFollowUp('refund', followUp, link, { purpose })),
  reverse: (followUp, link) => send(link, followUp, (purpose) => fromFollowUp('reverse', followUp, link, { purpose })),
  void: (followUp, link) => send(link, followUp, (purpose) => fromFollowUp('void', followUp, link, { purpose })),
  status: async () => ({ result: 'cannot-be-asked' }),
  undo: (sent, link) => undo(sent, link),
  check: (_, { line, protocol, sendBy }) => checkLine(line, protocol, sendBy),
})
