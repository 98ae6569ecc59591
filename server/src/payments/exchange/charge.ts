/** Sends a charge to the acquirer by the method of its type. The reconciler uses it, too, for a charge that never arrived. */

import { isMoto } from '#domain/payment/moto.ts'
import type { Secret } from '#domain/secret.ts'
import type {
  Answer,
  BrandPayment,
  CardData,
  ExternalThreeDs,
  Order,
  Outcome,
  WalletPayment,
} from '../../connectors/connector.ts'
import type { JsonObject, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'
import { redirectReturnUrl } from './return-url.ts'
import type { Intent } from './sending.ts'
import { firstOperation } from './sent-transaction.ts'

/** Data that is in memory only, or was read for this charge. */
export interface ChargeData {
  readonly card: CardData | null
  readonly wallet?: WalletPayment | null
  /** Includes a brand's secret parameters. Absent means the parameters stored with the payment. */
  readonly parameters?: JsonObject | null
  readonly payeeCard?: Secret<string> | null
  readonly threeDs?: ExternalThreeDs | null
  /** Per MID the acquirer's reference of the stored credential. */
  readonly credentials?: Readonly<Record<string, string>>
  /** The network's id of the chain's first payment, for charges without the payer. */
  readonly networkTransactionId?: string | null
  /** What the acquirer of that payment stored with it, by its MID. */
  readonly chainCredentials?: Readonly<Record<string, string>>
}

export async function charge(
  deps: Deps,
  { payment, transaction, departure }: Intent,
  data: ChargeData,
): Promise<Outcome> {
  const declined = payment.routing?.declined
  // Chapter 50 §4: declined by a rule, so no acquirer is asked.
  if (declined) return { result: 'declined', reason: declined.reason, declineClass: 'hard', facts: {} }
  const acquirer = await deps.acquirers.find(transaction.midId)
  const operation = firstOperation(payment, transaction)
  if (!operation) throw new Error(`Transaction type ${transaction.type} is not a charge.`)
  const send = acquirer.account[operation]
  if (!send) {
    const reason = 'The acquirer does not offer this operation'
    return { result: 'declined', reason, declineClass: 'hard', facts: {} }
  }
  const order = orderOf(deps, payment, transaction, data)
  return declineStepOnChain(payment, await acquirer.exchange(operation, () => send(order, departure.sendBy)))
}

/** On a chain the payer is absent, so a demand for a payer step is a decline. Chapter 10 §7.6. */
export function declineStepOnChain<T extends Answer>(
  { recurring }: Pick<PaymentRecord, 'recurring'>,
  answer: T,
): T | Outcome {
  if (answer.result !== 'payer-step' || !recurring) return answer
  const reason = 'Authentication required'
  return { result: 'declined', reason, declineClass: 'authentication_required', facts: answer.facts }
}

function orderOf(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord, data: ChargeData): Order {
  const { facts } = payment
  const mid = deps.configuration.mid(transaction.midId)
  const merchant = deps.configuration.merchant(payment.merchantId)
  const connector = mid ? deps.acquirers.connector(mid.connector) : null
  return {
    transactionId: transaction.id,
    paymentId: payment.id,
    orderId: payment.orderId,
    description: payment.orderDescription,
    amountMinor: facts.openAmount ? null : transaction.amountMinor,
    currency: payment.currency,
    card: data.card,
    wallet: data.wallet ?? null,
    brand: brandOf(payment),
    payeeCard: data.payeeCard ?? null,
    payer: payment.payer,
    payee: payment.payee,
    // An acquirer that takes only IPv4 gets no IPv6 address. Chapter 10 §2.
    payerIp: payment.payerIp?.includes(':') && !connector?.supports.ipv6 ? null : payment.payerIp,
    ...(facts.browser?.acceptHeaders ? { payerExtraDetails: { acceptHeaders: facts.browser.acceptHeaders } } : {}),
    moto: isMoto(facts.motoType),
    payerPresent: facts.payerPresent ?? true,
    storedCredential: facts.storedCredential
      ? { ...facts.storedCredential, reference: data.credentials?.[transaction.midId] ?? null }
      : null,
    threeDs: data.threeDs ?? null,
    recurringInit: facts.recurringInit ?? false,
    networkTransactionId: data.networkTransactionId ?? null,
    ...chainCredentialAt(data, transaction),
    registerCard: facts.issuedToken !== undefined && facts.storedCredential?.source === 'card_token',
    descriptor: mid?.descriptor ?? '',
    ...(merchant && { merchantName: merchant.title }),
    parameters: data.parameters ?? payment.parameters ?? {},
    returnUrl: facts.termUrl === undefined ? null : redirectReturnUrl(deps, payment),
    ...(mid && { notificationUrl: `${deps.publicUrl()}/acquirers/${encodeURIComponent(mid.name)}/notifications` }),
    mode: payment.mode,
    browser: facts.browser ?? null,
    createdAt: transaction.createdAt,
  }
}

function chainCredentialAt(
  { chainCredentials }: ChargeData,
  { midId }: TransactionRecord,
): Pick<Order, 'chainCredential'> {
  const chainCredential = chainCredentials?.[midId]
  return chainCredential === undefined ? {} : { chainCredential }
}

function brandOf({ facts: { brand } }: PaymentRecord): BrandPayment | null {
  if (!brand) return null
  const { code, kind, identifier, cryptoNetwork, sandboxBehaviour, expiresAt } = brand
  return { code, kind, identifier, cryptoNetwork, sandboxBehaviour, expiresAt: new Date(expiresAt) }
}
