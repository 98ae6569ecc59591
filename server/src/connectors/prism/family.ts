/** The acquirers of the package hyperswitch-prism as connectors, one for each row of the table. Chapter 60 §1.2. */
import { ownTransportConnector, type RegisteredConnector } from '../connector.ts'
import type { RecoveryWay } from '../request-recovery.ts'
import { configOf, credentialsOf, type PrismCredentials } from './credentials.ts'
import { readNotification } from './notifications/read-notification.ts'
import { signedReports } from './notifications/signatures.ts'
import { charge, findOutcome, runLaterStep } from './operations.ts'
import type { PrismLink } from './perform.ts'
import { HeldAccessToken } from './prepared.ts'
import { acquirerRows } from './table/acquirers.ts'
import type { AcquirerRow, PrismAbility } from './table/row.ts'

/** Queues on the way; none of the acquirers documents a longer one. */
const executesWithinMs = 120_000

export const prismConnectors: readonly RegisteredConnector[] = acquirerRows.map(connectorOf)

function connectorOf(row: AcquirerRow): RegisteredConnector {
  const can = (ability: PrismAbility): boolean => row.abilities.includes(ability)
  // A hold that cannot be captured or released would be stuck.
  const holds = can('authorize') && can('capture') && can('void')
  const takesWallets = can('network-token') || can('wallet-a') || can('wallet-b')
  let credentials: ReturnType<typeof credentialsOf> | null = null
  return ownTransportConnector<PrismCredentials, PrismLink>({
    id: `prism-${row.name.toLowerCase()}`,
    title: row.title,
    // Made when it is asked for: the forms of the whole family are two megabytes, and most instances fill in none of them.
    get credentials() {
      credentials ??= credentialsOf(row)
      return credentials
    },
    family: 'prism',
    supports: {
      cardFlow: takesWallets,
      acceptsDecrypted: takesWallets,
      passesTokens: false,
      emv: false,
      partialCapture: holds,
      partialRefund: can('refund'),
      moto: can('moto'),
      zeroAmount: false,
      recurring: can('repeat-by-network') || can('repeat-by-mandate'),
      cardOnFile: can('repeat-by-mandate'),
      ownThreeDs: row.redirects === true,
      externalThreeDs: can('external-three-ds'),
      ipv6: false,
    },
    recoveryWay: wayOf(row),
    recovery: () => ({
      idempotencyKey: keyHours(row) > 0 ? { validForMs: keyHours(row) * 3_600_000 } : null,
      executesWithinMs,
    }),
    addresses: ({ base_url: replaced }, mode) => (replaced === undefined ? row.hosts[mode] : [replaced]),
    connect: (credentials, wires, mode) => {
      const origins = row.hosts[mode]
      const named = origins.map((origin, index) => [index === 0 ? 'api' : `host${index}`, origin] as const)
      const { base_url: replaced } = credentials
      const hosts = Object.fromEntries(named.map(([name, origin]) => [name, replaced ?? origin]))
      const wire = wires.to({ id: row.name, secretFields: [] }, credentials, { hosts: { api: '', ...hosts } })
      const shared = {
        row,
        mode,
        credentials,
        config: configOf(row, credentials, mode),
        transformer: wires.prism,
        hostNames: new Map(named.map(([name, origin]) => [origin, name])),
        held: new HeldAccessToken(),
      }
      return {
        link: (sendBy) => ({ ...shared, wire: sendBy === undefined ? wire : wire.leavingBy(sendBy) }),
        close: () => undefined,
      }
    },

    sale: (order, link) => charge('sale', order, link),
    ...(holds && {
      authorize: (order, link) => charge('authorize', order, link),
      capture: (step, link) => runLaterStep('capture', step, link),
      reverse: (step, link) => runLaterStep('reverse', step, link),
    }),
    ...(can('refund') && { refund: (step, link) => runLaterStep('refund', step, link) }),
    status: findOutcome,
    ...(signedReports[row.name] && { readNotification }),
  })
}

function keyHours({ idempotency }: AcquirerRow): number {
  return idempotency?.validForHours ?? 0
}

function wayOf(row: AcquirerRow): RecoveryWay {
  if (keyHours(row) > 0) return 'repeat'
  return row.abilities.includes('get-by-reference') ? 'lookup' : 'by-hand'
}
