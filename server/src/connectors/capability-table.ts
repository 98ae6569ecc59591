/**
 * The capabilities by which operators compare acquirers. Chapter 60 §1.1. The documents, the panel and `gatehouse connectors list` show this
 * table, and `server/test/acquirers/capabilities.test.ts` proves each of its cells.
 */
import type { RegisteredConnector } from './connector.ts'
import type { RecoveryWay } from './request-recovery.ts'

// biome-ignore format: a table is read in columns.
const rows = [
  // id                  title                                          is offered by
  [ 'sale',              'Sale',                                        (connector) => connector.operations.has('sale') ],
  [ 'authorize',         'Authorisation',                               (connector) => connector.operations.has('authorize') ],
  [ 'capture',           'Capture',                                     (connector) => connector.operations.has('capture') ],
  [ 'partialCapture',    'Partial capture',                             (connector) => connector.operations.has('capture') && connector.supports.partialCapture ],
  [ 'refund',            'Refund',                                      (connector) => connector.operations.has('refund') ],
  [ 'partialRefund',     'Partial refund',                              (connector) => connector.operations.has('refund') && connector.supports.partialRefund ],
  [ 'reverse',           'Release of a hold',                           (connector) => connector.operations.has('reverse') ],
  [ 'void',              'Void',                                        (connector) => connector.operations.has('void') ],
  [ 'zeroAmount',        'Zero amount',                                 (connector) => connector.supports.zeroAmount ],
  [ 'moto',              'MOTO',                                        (connector) => connector.supports.moto ],
  [ 'cardOnFile',        'Card-on-File',                                (connector) => connector.supports.cardOnFile ],
  [ 'merchantInitiated', 'Merchant-initiated charges',                  (connector) => connector.supports.recurring ],
  [ 'ownThreeDs',        '3-D Secure by the acquirer',                  (connector) => connector.supports.ownThreeDs ],
  [ 'externalThreeDs',   '3-D Secure by another MPI',                   (connector) => connector.supports.externalThreeDs ],
  [ 'walletToken',       'Wallet tokens passed on',                     (connector) => connector.supports.passesTokens ],
  [ 'walletDecrypted',   'Decrypted wallet data with cryptogram',       (connector) => connector.supports.acceptsDecrypted ],
  [ 'walletEmv',         'Decrypted wallet data with EMV data',         (connector) => connector.supports.emv ],
  [ 'payout',            'Payouts to cards',                            (connector) => connector.operations.has('credit') ],
  [ 'notifications',     'Notifications',                               (connector) => connector.operations.has('readNotification') ],
  [ 'disputes',          'Evidence and answers to disputes',            (connector) => connector.disputes !== null ],
  [ 'disputeDecisions',  'Disputes reported as won or lost',            (connector) => connector.reportsDecisions ],
] as const satisfies readonly (readonly [string, string, (connector: RegisteredConnector) => boolean])[]

export type CapabilityId = (typeof rows)[number][0]

interface Capability {
  readonly id: CapabilityId
  readonly title: string
  readonly isOffered: boolean
}

export const capabilityTable = (connector: RegisteredConnector): readonly Capability[] =>
  rows.map(([id, title, isOfferedBy]) => ({ id, title, isOffered: isOfferedBy(connector) }))

export const recoveryTitles: Readonly<Record<RecoveryWay, string>> = {
  lookup: 'looked up by our reference',
  repeat: 'repeated under its idempotency key',
  reverse: 'reversed by our reference',
  'by-hand': 'decided by an operator',
}
