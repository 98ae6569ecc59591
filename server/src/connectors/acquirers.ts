/** MIDs as acquirers that can be asked: connector, credentials and wire put together, one per MID and configuration. */
import type { Mode } from '#domain/merchant.ts'
import type { Capabilities as RoutingCapabilities } from '#domain/routing/candidate.ts'
import type { Acquirer, Acquirers, Log } from '../contracts/ports.ts'
import type { ValueFault } from '../contracts/value-faults.ts'
import type { Vault } from '../vault/port.ts'
import { PLATFORM_SCOPE } from '../vault/port.ts'
import type { AcquirerAccount, RegisteredConnector } from './connector.ts'
import { credentialsFault } from './credentials.ts'
import { askUndo, enquire, exchange, listen } from './exchange.ts'
import { refusedSend } from './outcome.ts'
import { capabilitiesOf, connectorById, unavailableBecause } from './registry.ts'
import type { Wires } from './wire.ts'

interface MidRow {
  readonly id: string
  readonly name: string
  readonly connector: string
  readonly mode: Mode
  readonly credentialsSealed: Uint8Array
}

interface AcquirersParts {
  readonly mid: (id: string) => MidRow | null
  readonly vault: Vault
  readonly wires: Wires
  readonly log: Log
  /** Where packages of connectors are installed. */
  readonly dataDir: string
  /** Told how each exchange ended and how long it took. */
  readonly observe: (exchange: { connector: string; operation: string; outcome: string; seconds: number }) => void
  /** Told once for each configuration of a MID whose stored credentials do not fit its connector. */
  readonly onUnusable?: (mid: string, fault: ValueFault) => Promise<void>
}

export function acquirers({ mid, vault, wires, log, dataDir, observe, onUnusable }: AcquirersParts): Acquirers {
  const known = new Map<string, { readonly row: MidRow; readonly acquirer: Promise<Acquirer> }>()

  const reportUnusable = (name: string, fault: ValueFault): void => {
    const reason = fault.path === '' ? fault.text : `${fault.path}: ${fault.text}`
    log.error({ mid: name, reason }, 'The stored credentials of a MID do not fit its connector.')
    onUnusable?.(name, fault).catch((error) => log.error({ mid: name, err: error }, 'An alert could not be raised.'))
  }

  const make = async (row: MidRow): Promise<Acquirer> => {
    const connector = connectorById(row.connector)
    if (!connector)
      throw new Error(`MID ${row.name} uses the connector "${row.connector}", which this release does not have.`)
    const credentials = await openCredentials(vault, row)
    const unusableBecause = credentialsFault(connector.credentials, credentials)
    const account = unusableBecause
      ? unusableAccount(connector, unusableBecause)
      : connector.open(credentials, wires, row.mode)
    if (unusableBecause) reportUnusable(row.name, unusableBecause)
    // Its requests are refused one by one, so that it works as soon as the package is there.
    const missing = unavailableBecause(connector, dataDir)
    if (missing !== null) reportUnusable(row.name, { path: '', text: missing })
    const onFault = (fault: unknown) => log.error({ mid: row.name, err: fault }, 'A connector failed.')
    const onUnreachable = (fault: unknown) =>
      log.warn({ mid: row.name, err: fault }, 'An acquirer could not be reached.')
    const measure = async <T extends { readonly result: string }>(
      operation: string,
      ask: () => Promise<T>,
    ): Promise<T> => {
      const start = performance.now()
      const outcome = await ask()
      observe({
        connector: connector.id,
        operation,
        outcome: outcome.result,
        seconds: (performance.now() - start) / 1000,
      })
      return outcome
    }
    return {
      connector,
      account,
      unusableBecause,
      recovery: account.recovery,
      exchange: (operation, call) => measure(operation, () => exchange(call, onFault, onUnreachable)),
      undo: (call) => measure('undo', () => askUndo(call, onFault)),
      status: (query) => measure('status', () => enquire(() => account.status(query), onFault)),
      events: (cursor) => listen(() => account.events?.(cursor), onFault, onUnreachable),
      effects: (query) => listen(() => account.effects?.(query), onFault, onUnreachable),
    }
  }

  return {
    find: (midId) => {
      const row = mid(midId)
      if (!row) throw new Error(`MID ${midId} is not configured.`)
      const held = known.get(midId)
      // A changed configuration is a new row object, and with it new credentials.
      if (held?.row === row) return held.acquirer
      const acquirer = make(row)
      known.set(midId, { row, acquirer })
      acquirer.catch(() => known.delete(midId))
      held?.acquirer.then(({ account }) => account.close?.()).catch(() => undefined)
      return acquirer
    },
    connector: (id) => connectorById(id) ?? null,
    capabilities: routingCapabilities,
  }
}

const none: RoutingCapabilities = {
  actions: [],
  moto: false,
  zeroAmount: false,
  cardOnFile: false,
  externalThreeDs: false,
  cardFlow: false,
  acceptsDecrypted: false,
}

const capabilitiesByConnector = new WeakMap<RegisteredConnector, RoutingCapabilities>()

/** A MID of a connector that this release does not have can do nothing, which routing says in its own words. */
export function routingCapabilities(connectorId: string): RoutingCapabilities {
  const connector = connectorById(connectorId)
  if (!connector) return none
  const known = capabilitiesByConnector.get(connector)
  if (known) return known
  const found = capabilitiesOf(connector)
  const capabilities = { ...found, actions: [...found.actions] }
  capabilitiesByConnector.set(connector, capabilities)
  return capabilities
}

async function openCredentials(vault: Vault, row: MidRow): Promise<unknown> {
  const text = await vault.open(PLATFORM_SCOPE, 'credentials', row.credentialsSealed)
  return JSON.parse(text.reveal())
}

/**
 * Of a MID whose stored credentials do not fit its connector, such as after an upgrade that asks for another value. Every operation ends as if the
 * acquirer could not be reached, so that payments go on to the next MID and open transactions stay open until an operator has entered the
 * credentials again.
 */
function unusableAccount(connector: RegisteredConnector, { path, text }: ValueFault): AcquirerAccount {
  const { operations, recoveryWay: way } = connector
  // The merchant is shown this reason, and the credentials are not its concern.
  const refuse = async () => refusedSend('The acquirer could not be reached')
  const isOffered = (
    name: 'authorize' | 'debit' | 'credit' | 'transfer' | 'capture' | 'refund' | 'reverse' | 'void',
  ) => (operations.has(name) ? refuse : undefined)
  return {
    // Nothing is sent. What was sent before is not decided while its acquirer cannot be asked.
    recovery: { way, idempotencyKey: null, executesWithinMs: 0 },
    sale: refuse,
    authorize: isOffered('authorize'),
    debit: isOffered('debit'),
    credit: isOffered('credit'),
    transfer: isOffered('transfer'),
    capture: isOffered('capture'),
    refund: isOffered('refund'),
    reverse: isOffered('reverse'),
    void: isOffered('void'),
    complete: operations.has('complete') ? refuse : undefined,
    status: async () => ({ result: 'unknown', reason: 'The acquirer could not be asked', facts: {} }),
    check: async () => ({ kind: 'refused', field: path === '' ? null : path, text }),
  }
}
