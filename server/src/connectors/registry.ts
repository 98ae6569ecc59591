/** Every acquirer that Gatehouse can talk to. A connector is one folder and its name here, under its import. */
import type { MidAction } from '#domain/mid.ts'
import { adyen } from './adyen/index.ts'
import { checkout } from './checkout/index.ts'
import type { RegisteredConnector, Support } from './connector.ts'
import { cybersource } from './cybersource/index.ts'
import { iso8583 } from './iso8583/index.ts'
import { paypal } from './paypal/index.ts'
import { prismConnectors } from './prism/family.ts'
import { installationFault } from './prism/installation.ts'
import { sandbox } from './sandbox/index.ts'
import { stripe } from './stripe/index.ts'

export const connectors: readonly RegisteredConnector[] = [
  sandbox,
  adyen,
  stripe,
  checkout,
  paypal,
  cybersource,
  iso8583,
]

/** With the family whose package an operator may install. */
export const allConnectors: readonly RegisteredConnector[] = [...connectors, ...prismConnectors]

const byId: ReadonlyMap<string, RegisteredConnector> = new Map(
  allConnectors.map((connector) => [connector.id, connector]),
)

/** Why a connector cannot be used on this instance, in words that say what to do; null if it can. */
export const unavailableBecause = ({ family }: Pick<RegisteredConnector, 'family'>, dataDir: string): string | null =>
  family === null ? null : installationFault({ dataDir })

const followUps = ['capture', 'refund', 'reverse', 'void'] as const
type FollowUpName = (typeof followUps)[number]

/** What routing, the panel and the documentation read. */
interface Capabilities extends Support {
  readonly actions: ReadonlySet<MidAction>
  readonly followUps: ReadonlySet<FollowUpName>
}

export function connectorById(id: string): RegisteredConnector | undefined {
  return byId.get(id)
}

export function capabilitiesOf(connector: RegisteredConnector): Capabilities {
  return {
    ...connector.supports,
    actions: new Set(offers.filter(([, offered]) => offered(connector)).map(([action]) => action)),
    followUps: new Set(followUps.filter((name) => connector.operations.has(name))),
  }
}

// biome-ignore format: a table is read in columns.
const offers: readonly (readonly [MidAction, (connector: RegisteredConnector) => boolean])[] = [
  // action       is offered by
  [ 'sale',       () => true ],
  [ 'auth',       (connector) => connector.operations.has('authorize') ],
  [ 'debit',      (connector) => connector.operations.has('debit') ],
  [ 'credit',     (connector) => connector.operations.has('credit') ],
  [ 'transfer',   (connector) => connector.operations.has('transfer') ],
  [ 'recurring',  (connector) => connector.supports.recurring ],
]
