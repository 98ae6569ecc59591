/** How the fixtures of a connector prove a capability of the table: an exchange with its exact request, and a reply that grants it. */

import { isObject } from '#domain/json.ts'
import { type Wallet, wallets } from '#domain/mid.ts'
import type { CapabilityId } from '../capability-table.ts'
import type { SampleInput } from './contract-samples.ts'

interface ShownExchange {
  readonly operation: string
  readonly given?: SampleInput | undefined
  readonly outcome: { readonly result: string }
}

type IsShown = (exchanges: readonly ShownExchange[]) => boolean

const isGranted = ({ outcome: { result } }: ShownExchange): boolean => result === 'approved' || result === 'waiting'

/** The usual amount of a follow-up in fixtures is a part of the payment's. */
const wholeAmount = '1000'

const granted =
  (...operations: readonly string[]) =>
  (fits: (input: SampleInput) => boolean = () => true): IsShown =>
  (exchanges) =>
    exchanges.some(
      (exchange) => operations.includes(exchange.operation) && isGranted(exchange) && fits(exchange.given ?? {}),
    )

const charge = granted('sale', 'authorize')

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

const hasWallet =
  (name: Wallet, member: 'token' | 'decrypted', dataType?: string) =>
  ({ wallet }: SampleInput): boolean => {
    const found = memberOf(wallet, member)
    if (found === undefined || memberOf(wallet, 'name') !== name) return false
    return dataType === undefined || memberOf(found, 'dataType') === dataType
  }

/** Acquirers write the tokens of the two wallets differently. */
const ofEachWallet =
  (isShownOf: (name: Wallet) => IsShown): IsShown =>
  (exchanges) =>
    wallets.every((name) => isShownOf(name)(exchanges))

/**
 * Notifications are no requests of ours, and neither are the decisions that they report: `notification.test.ts` of each connector reads signed samples. Answers to
 * disputes are several requests each: `disputes/dispute-answer.test.ts` has them.
 */
type Unfixed = 'notifications' | 'disputes' | 'disputeDecisions'

export const capabilityProofs: Readonly<Record<Exclude<CapabilityId, Unfixed>, IsShown>> = {
  sale: granted('sale')(),
  authorize: granted('authorize')(),
  capture: granted('capture')(),
  partialCapture: granted('capture')(({ amountMinor }) => amountMinor !== wholeAmount),
  refund: granted('refund')(),
  partialRefund: granted('refund')(({ amountMinor }) => amountMinor !== wholeAmount),
  reverse: granted('reverse')(),
  void: granted('void')(),
  zeroAmount: charge(({ amountMinor }) => amountMinor === '0'),
  moto: charge(({ moto }) => moto === true),
  cardOnFile: charge(({ registerCard }) => registerCard === true),
  merchantInitiated: charge(
    ({ storedCredential, networkTransactionId }) =>
      memberOf(storedCredential, 'initiator') === 'merchant' && networkTransactionId !== undefined,
  ),
  ownThreeDs: (exchanges) =>
    exchanges.some((exchange) => exchange.outcome.result === 'payer-step' && exchange.given?.['brand'] === undefined),
  externalThreeDs: charge(({ threeDs }) => threeDs !== undefined),
  walletToken: ofEachWallet((name) => charge(hasWallet(name, 'token'))),
  walletDecrypted: ofEachWallet((name) => charge(hasWallet(name, 'decrypted', '3DSecure'))),
  // Only wallet A has a token with EMV data.
  walletEmv: charge(hasWallet('walletapay', 'decrypted', 'EMV')),
  payout: granted('credit')(),
}
