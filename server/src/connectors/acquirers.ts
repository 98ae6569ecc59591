/** MIDs as acquirers that can be asked: connector, credentials and wire put together, one per MID and configuration. */
import type { Mode } from '#domain/merchant.ts'
import type { Capabilities as RoutingCapabilities } from '#domain/routing/candidate.ts'
import type { Acquirer, Acquirers, Log } from '../contracts/ports.ts'
import type { Vault } from '../vault/port.ts'
import { PLATFORM_SCOPE } from '../vault/port.ts'
import type { RegisteredConnector } from './connector.ts'
import { askUndo, enquire, exchange, listen } from './exchange.ts'
import { capabilitiesOf, connectorById } from './registry.ts'
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
  /** Told how each exchange ended and how long it took. */
  readonly observe: (exchange: { connector: string; operation: string; outcome: string; seconds: number }) => void
}

export function acquirers({ mid, vault, wires, log, observe }: AcquirersParts): Acquirers {
  const known = new Map<string, { readonly row: MidRow; readonly acquirer: Promise<Acquirer> }>()

  const make = async (row: MidRow): Promise<Acquirer> => {
    const connector = connectorById(row.connector)
    if (!connector)
      throw new Error(`MID ${row.name} uses the connector "${row.connector}", which this release does not have.`)
    const account = connector.open(await openCredentials(vault, row), wires, row.mode)
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
      recovery: account.recovery,
      exchange: (operation, call) => measure(operation, () => exchange(call, onFault, onUnreachable)),
      undo: (call) => measure('undo', () => askUndo(call, onFault)),
      status: (query) => measure('status', () => enquire(() => account.status(query), onFault)),
      events: (cursor) => listen(() => account.events?.(cursor), onFault, onUnreachable),
      effects: (cursor) => listen(() => account.effects?.(cursor), onFault, onUnreachable),
    }
  }

  return {
    of: (midId) => {
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
