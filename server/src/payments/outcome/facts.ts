/** The only mapping from our records to `PaymentFacts`, which callbacks, answers and the panel present. */
import {
  acquirerReferences,
  type BrandDocument,
  type CardOfPayment,
  type PayerFacts,
  type PaymentFacts,
  payerFacts,
  requestTexts,
  type TransactionFacts,
  textsOf,
} from '#domain/payment/facts.ts'
import type { Acquirers, Configuration } from '../../contracts/ports.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'

export function factsOf(
  { configuration, acquirers }: { configuration: Configuration; acquirers: Pick<Acquirers, 'connector'> },
  payment: PaymentRecord,
  shown: { readonly transaction?: TransactionRecord | null; readonly transactions?: readonly TransactionRecord[] } = {},
): PaymentFacts {
  const merchant = configuration.merchant(payment.merchantId)
  const mid = payment.midId === null ? null : configuration.mid(payment.midId)
  const acquirer = { ...payment.facts.acquirer, ...shown.transaction?.facts }
  // A refund has references of its own; until the acquirer sends them, those of the sale must not be shown in their place.
  const references = shown.transaction?.creditvoidId ? shown.transaction.facts : acquirer
  return {
    id: payment.id,
    merchant: {
      name: merchant?.name ?? '',
      title: merchant?.title ?? '',
      timeZone: merchant?.timeZone ?? 'UTC',
    },
    mid: mid && {
      name: mid.name,
      connectorTitle: acquirers.connector(mid.connector)?.title ?? mid.connector,
      overrideLinkTarget: mid.overrideLinkTarget,
    },
    protocol: payment.protocol,
    action: payment.action,
    kind: payment.kind,
    status: payment.status,
    mode: payment.mode,
    createdAt: payment.createdAt,
    order: {
      id: payment.orderId,
      description: payment.orderDescription,
      amountMinor: orderedOf(payment),
      amountDecimals: payment.amountDecimals,
      currency: payment.currency,
      amountAsSent: payment.facts.amountAsSent ?? null,
    },
    transaction: shown.transaction ? transactionFacts(shown.transaction) : null,
    transactions: shown.transactions?.map(transactionFacts) ?? null,
    descriptor: payment.facts.acquirer?.descriptor ?? mid?.descriptor ?? null,
    declineReason: shown.transaction ? shown.transaction.declineReason : payment.declineReason,
    declineClass: shown.transaction ? shown.transaction.declineClass : payment.declineClass,
    card: cardOf(payment),
    payeeCardMask: payment.facts.payeeCardMask ?? null,
    payer: personOf(payment.payer, payment.payerEmail),
    payee: personOf(payment.payee, null),
    ip: payment.payerIp,
    language: payment.language,
    digitalWallet: payment.facts.wallet?.sentAs ?? null,
    panType: payment.facts.wallet?.panType ?? null,
    ...textsOf(requestTexts, (name) => payment.facts[name] ?? null),
    storedCredential: payment.facts.storedCredential ?? null,
    threeDs: payment.facts.threeDs ?? null,
    browser: payment.facts.browser ?? null,
    customData: payment.customData,
    extendedData: acquirer.extended ?? null,
    exchange: acquirer.exchange ?? null,
    commissionMinor: commissionOf(payment),
    vatMinor: payment.facts.vatMinor === undefined ? null : BigInt(payment.facts.vatMinor),
    recurring: recurringOf(payment),
    schedule: scheduleOf(payment),
    consent: payment.facts.consent ?? null,
    reqToken: payment.facts.issuedToken !== undefined,
    cardToken: payment.facts.issuedToken ?? payment.cardToken,
    paidWithToken: payment.cardToken !== null,
    ...textsOf(acquirerReferences, (name) => references[name] ?? null),
    networkTransactionId: acquirer.networkTransactionId ?? null,
    checkoutMethod: methodOf(payment),
    brandDocument: documentOf(payment),
    crypto: cryptoOf(payment),
    voucher: payment.facts.acquirer?.voucher ?? null,
    redirect: payment.facts.redirect ?? null,
    chargeback: disputeOf(payment),
  }
}

const transactionFacts = (transaction: TransactionRecord): TransactionFacts => ({
  id: transaction.id,
  type: transaction.type,
  state: transaction.state,
  amountMinor: transaction.amountMinor,
  at: transaction.createdAt,
  creditvoidId: transaction.creditvoidId,
})

function cardOf(payment: PaymentRecord): CardOfPayment | null {
  if (payment.cardMask === null || payment.pan10 === null) return null
  const [month, year] = (payment.cardExpiry ?? '').split('/')
  return {
    mask: payment.cardMask,
    pan10: payment.pan10,
    expiryMonth: month ? Number(month) : null,
    expiryYear: year ? Number(year) : null,
    network: payment.facts.network ?? null,
    issuerCountry: payment.facts.acquirer?.issuerCountry ?? payment.facts.issuer?.country ?? null,
    issuerBank: payment.facts.acquirer?.issuerBank ?? payment.facts.issuer?.bank ?? null,
  }
}

/** `firstName` is stored as `first_name`, the wire's name without its prefix. Computed once, because every payment reads these names. */
const storedNames = new Map<string, string>(
  payerFacts.map((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
)

function personOf(stored: Readonly<Record<string, string>>, email: string | null): PayerFacts {
  const person = textsOf(payerFacts, (name) => stored[storedNames.get(name) ?? name] ?? null)
  return { ...person, email: person.email ?? email }
}

/** A wallet token that was decrypted to a card number counts as a card, whatever the brand. Chapter 20 §5.1, chapter 40 §10. */
function documentOf({ pan10, facts: { brand } }: PaymentRecord): BrandDocument {
  if (pan10 !== null) return 'payment_document_card'
  return brand?.document ?? 'payment_document_virtual'
}

/** The wallet's name, even if its token was not decrypted; otherwise the brand's. Chapter 20 §5.1, "checkout_name". */
const methodOf = ({ facts: { wallet, brand } }: PaymentRecord): string => wallet?.name ?? brand?.checkoutName ?? 'card'

/** The payment's amount includes the commission, the order's does not. Null while the payer still decides the amount. */
function orderedOf(payment: PaymentRecord): bigint | null {
  return payment.facts.openAmount ? null : payment.amountMinor - (commissionOf(payment) ?? 0n)
}

const commissionOf = ({ facts: { commissionMinor } }: PaymentRecord): bigint | null =>
  commissionMinor === undefined ? null : BigInt(commissionMinor)

function cryptoOf({ facts: { brand, acquirer } }: PaymentRecord): PaymentFacts['crypto'] {
  if (brand?.kind !== 'crypto') return null
  return { address: acquirer?.crypto?.address ?? null, network: acquirer?.crypto?.network ?? brand.cryptoNetwork }
}

function recurringOf({ facts }: PaymentRecord): PaymentFacts['recurring'] {
  const { recurringFirst, recurringToken, recurringInit } = facts
  if (!recurringFirst || !recurringToken) return null
  return { initTransId: recurringFirst, token: recurringToken, init: recurringInit ?? false }
}

/** If a merchant charges a chain that has a plan, only the id of the plan's schedule is shown. Chapter 30 §4.6. */
function scheduleOf({ facts: { schedule, chainSchedule } }: PaymentRecord): PaymentFacts['schedule'] {
  if (schedule) return schedule
  return chainSchedule === undefined ? null : { id: chainSchedule, startDate: null, amount: null, firstDate: null }
}

function disputeOf({ facts }: PaymentRecord): PaymentFacts['chargeback'] {
  const { chargeback } = facts
  return chargeback ? { ...chargeback, at: new Date(chargeback.at) } : null
}
