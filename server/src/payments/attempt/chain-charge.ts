/** Drafts a charge on a chain: currency, card and payer are those of the first payment. Chapter 10 §7.6, §9.2. */
import { errors } from '#domain/errors.ts'
import type { Merchant, Protocol } from '#domain/merchant.ts'
import type { JsonObject, ScheduleRequest, StoredCredentialFacts, StoredFacts } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { ChargeData } from '../exchange/charge.ts'
import { readCardOfPayment } from '../methods/card.ts'
import { credentialsStoredBy } from '../methods/chain-credentials.ts'
import { chainWallet } from '../methods/stored-wallet.ts'
import type { Deps } from '../request/deps.ts'
import type { OrderData } from '../request/order-data.ts'
import { type ChosenMid, chooseMid } from '../routing/choose-mid.ts'
import { binOf } from '../routing/need.ts'
import type { Placement } from '../routing/placement.ts'
import { type Chain, needOnChain } from './chain.ts'
import { type DraftedPayment, type DraftInput, draftPayment } from './draft.ts'
import { planTransactionId } from './plan-transaction-id.ts'

export interface ChainCharge {
  readonly merchant: Merchant
  readonly protocol: Protocol
  readonly chain: Chain
  readonly auth: boolean
  readonly order: Omit<OrderData, 'currency'>
  /** The address as it was sent; if null, the merchant's notification URL is used. */
  readonly callbackUrl: string | null
  readonly aloneInOrder: boolean
  readonly source: Extract<StoredCredentialFacts['source'], 'recurring' | 'schedule'>
  readonly schedule: ScheduleRequest | null
  /** Set for a payment that a plan makes. */
  readonly plan: { readonly subscriptionId: string; readonly date: string; readonly made: number } | null
  readonly parameters: JsonObject | null
  readonly customData: JsonObject | null
  readonly useId: string | null
  /** Only for a charge on Checkout. */
  readonly checkout?: ChainCheckout
}

export interface ChainCheckout {
  /** The amount as the merchant wrote it. */
  readonly amountAsSent: string
  /** Replaces the payer of the first payment, for this payment only. */
  readonly payer: Readonly<Record<string, string>>
  readonly chainSchedule: string | null
}

/** The charge, and the draft of its payment for each MID of the order. */
interface DraftedOnChain {
  readonly chosen: ChosenMid
  readonly draftAt: (placement: Placement) => DraftedPayment
  readonly data: ChargeData
}

export async function prepareDraftOnChain(deps: Deps, charge: ChainCharge): Promise<DraftedOnChain> {
  const { merchant, chain, order } = charge
  const { first } = chain
  const card = await readCardOfPayment(deps, first)
  // The card was erased, or (for some wallets) never stored: the chain can never be charged again.
  if (!card) throw new RefusedError(first.facts.wallet ? errors.actionNotSupported : errors.incorrectTransaction)

  const paymentId = deps.ids.next()
  const { kind } = chain.record
  const { network } = card
  const { amountMinor } = order
  const { protocol, auth, customData } = charge
  const bin = binOf(card.data.number)
  const need = { protocol, kind, auth, network, bin, customData, amountMinor, chainMidId: first.midId }
  const chosen = await chooseMid(deps, merchant.id, needOnChain(first, need), paymentId)
  const draft = draftOf(charge, card)
  return {
    chosen,
    draftAt: (placement) => draftPayment(deps, draft, placement, { paymentId }),
    data: {
      card: card.data,
      wallet: chainWallet(first, card),
      networkTransactionId: chain.record.networkTransactionId,
      chainCredentials: credentialsStoredBy(first),
    },
  }
}

function draftOf(
  charge: ChainCharge,
  card: NonNullable<DraftInput['card']> & { readonly network: string | null },
): DraftInput {
  const { chain, order, plan } = charge
  const { first } = chain
  const action = chain.record.kind === 'debit' ? 'RECURRING_DEBIT' : 'RECURRING_SALE'
  return {
    ...charge,
    action,
    mode: first.mode,
    channel: first.channel,
    order: { ...order, currency: first.currency },
    card,
    cardSource: first.cardSource ?? 'card',
    cardToken: null,
    payerEmail: charge.checkout?.payer['email'] ?? first.payerEmail,
    payer: charge.checkout?.payer ?? first.payer,
    payee: {},
    payerIp: first.payerIp,
    language: first.language,
    facts: factsOf(charge, card.network),
    chainId: chain.record.id,
    subscriptionId: plan?.subscriptionId ?? null,
    planDate: plan?.date ?? null,
    transactionId: plan ? planTransactionId(plan.subscriptionId, plan.date, plan.made) : undefined,
  }
}

/** By the table of chapter 10 §7.1.9 this is a subsequent charge that the merchant initiates. */
function factsOf({ chain, source, schedule, plan, checkout }: ChainCharge, network: string | null): StoredFacts {
  return {
    payerPresent: false,
    storedCredential: { initiator: 'merchant', sequence: 'subsequent', source },
    ...(network === null ? {} : { network }),
    recurringToken: chain.record.id,
    recurringFirst: chain.first.id,
    ...(schedule ? { schedule } : {}),
    ...(plan ? { planned: true } : {}),
    ...(checkout ? { amountAsSent: checkout.amountAsSent } : {}),
    ...(checkout?.chainSchedule && !schedule ? { chainSchedule: checkout.chainSchedule } : {}),
    // The consent to the chain is valid until it is withdrawn. Chapter 30 §5.5.
    ...(chain.first.facts.consent ? { consent: chain.first.facts.consent } : {}),
  }
}
