/** The columns of the table of `npm run test:prism`: which acquirers claim each, and how it is tried. */
import type { AcquirerAccount, Answer, Order, Outcome, RegisteredConnector } from '#server/connectors/connector.ts'
import { writeMandate } from '#server/connectors/prism/stored-credential.ts'
import type { AcquirerRow, PrismAbility } from '#server/connectors/prism/table/row.ts'
import { sampleBrandOrder } from './probe-charge.ts'
import { sampleMandate, sampleNetworkTransactionId, withoutPayer } from './probe-repeat.ts'
import { sampleFollowUp, sampleOrder, sampleQuery, sampleWallet } from './samples.ts'

export const flowNames = [
  'sale',
  'authorize',
  'capture',
  'reverse',
  'refund',
  'status',
  'repeat',
  'wallet-a',
  'wallet-b',
  'page',
] as const
export type FlowName = (typeof flowNames)[number]

type FlowCall =
  | { readonly kind: 'question'; readonly ask: () => Promise<Answer> }
  | { readonly kind: 'movement'; readonly send: () => Promise<Outcome> | undefined }

/** One way to try a flow. */
export interface FlowWay {
  readonly call: (account: AcquirerAccount, currency: string) => FlowCall
  /** Whether all that the acquirer wants before a charge is fetched; an access token always is. */
  readonly isPrepared: boolean
  readonly credentials: Readonly<Record<string, string>>
}

interface FlowPlay {
  readonly isClaimed: boolean
  readonly ways: readonly FlowWay[]
}

const plain = { isPrepared: false, credentials: {} }

const charge = (
  operation: 'sale' | 'authorize',
  orderOf: (currency: string) => Order,
  changes: Partial<FlowWay> = {},
): FlowWay => ({
  isPrepared: true,
  credentials: {},
  call: (account, currency) => ({ kind: 'movement', send: () => account[operation]?.(orderOf(currency)) }),
  ...changes,
})

const later = (operation: 'capture' | 'reverse' | 'refund'): FlowWay => ({
  ...plain,
  call: (account, currency) => ({
    kind: 'movement',
    send: () => account[operation]?.(sampleFollowUp({ currency })),
  }),
})

const status: FlowWay = {
  ...plain,
  call: (account, currency) => ({ kind: 'question', ask: () => account.status(sampleQuery({ currency })) }),
}

const usualOrder =
  ({ methods }: AcquirerRow) =>
  (currency: string): Order =>
    methods ? sampleBrandOrder(currency, methods[0]) : sampleOrder({ currency })

const can = ({ abilities }: AcquirerRow, ...wanted: readonly PrismAbility[]): boolean =>
  wanted.some((ability) => abilities.includes(ability))

/** With what the acquirer stored, and with the network's number: each where it is claimed. */
function repeats(row: AcquirerRow): readonly FlowWay[] {
  const { proof: _proof, ...mandate } = sampleMandate(row.name)
  const orders: readonly (readonly [PrismAbility, Partial<Order>])[] = [
    ['repeat-by-mandate', { chainCredential: writeMandate(mandate) }],
    ['repeat-by-network', { networkTransactionId: sampleNetworkTransactionId }],
  ]
  return orders
    .filter(([ability]) => can(row, ability))
    .map(([, changes]) =>
      charge('sale', (currency) => ({ ...withoutPayer(sampleOrder({ currency })), ...changes }), { isPrepared: false }),
    )
}

const wallet = (name: 'walletapay' | 'walletbpay'): readonly FlowWay[] => [
  charge('sale', (currency) => sampleOrder({ currency, wallet: sampleWallet(name) })),
]

export const flowPlays: Readonly<Record<FlowName, (row: AcquirerRow, connector: RegisteredConnector) => FlowPlay>> = {
  sale: (row) => ({ isClaimed: true, ways: [charge('sale', usualOrder(row))] }),
  authorize: (row, { operations }) => ({
    isClaimed: operations.has('authorize'),
    ways: [charge('authorize', usualOrder(row))],
  }),
  capture: (_row, { operations }) => ({ isClaimed: operations.has('capture'), ways: [later('capture')] }),
  reverse: (_row, { operations }) => ({ isClaimed: operations.has('reverse'), ways: [later('reverse')] }),
  refund: (_row, { operations }) => ({ isClaimed: operations.has('refund'), ways: [later('refund')] }),
  status: (row) => ({ isClaimed: can(row, 'get'), ways: [status] }),
  repeat: (row, { supports }) => ({ isClaimed: supports.recurring, ways: repeats(row) }),
  'wallet-a': (row) => ({ isClaimed: can(row, 'wallet-a', 'network-token'), ways: wallet('walletapay') }),
  'wallet-b': (row) => ({ isClaimed: can(row, 'wallet-b', 'network-token'), ways: wallet('walletbpay') }),
  page: (row) => ({
    isClaimed: row.redirects === true,
    ways: [charge('sale', usualOrder(row), { credentials: { three_ds: 'always' } })],
  }),
}
