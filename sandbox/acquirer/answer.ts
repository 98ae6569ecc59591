/** The acquirer's answers about transactions, ledger entries, chargebacks and its other reports. */
import type { Chargeback, Report } from './book.ts'
import { cryptoAmountOf } from './crypto-price.ts'
import { exchangeAmount } from './exchange.ts'
import type { LedgerEntry } from './ledger.ts'
import {
  acquirerReferenceOf,
  approvalCodeOf,
  cryptoAddressOf,
  networkTransactionIdOf,
  referenceOf,
  retrievalReferenceOf,
  storedCredentialOf,
  voucherReferenceOf,
} from './references.ts'
import {
  amountOf,
  isFirstStep,
  type MoneyDue,
  reasonOf,
  type State,
  stateOf,
  type Transaction,
  type TransactionRecord,
} from './transaction.ts'
import { triggerByKey } from './triggers/trigger-choice.ts'

type Body = Readonly<Record<string, unknown>>

export function answerOf(transaction: Transaction, now: number, dropAnswer: boolean): Body {
  const { record, decision } = transaction
  const state = shownState(transaction, now)
  const approved = state === 'approved'
  return {
    transaction_id: record.id,
    reference: referenceOf(record.number),
    type: record.type,
    mid: record.mid,
    state,
    ...(state === 'declined' && {
      reason: reasonOf(transaction),
      decline_class: (decision ?? record).declineClass,
    }),
    ...(state === 'redirect' && redirectOf(record)),
    ...moneyDueOf(record),
    ...(!record.openAmount && { amount: record.amount }),
    ...(decision?.received !== undefined && { received: decision.received }),
    currency: record.currency,
    ...(approved && {
      approval_code: approvalCodeOf(record.number),
      arn: acquirerReferenceOf(record.number, record.at),
      ...exchangeOf(transaction),
    }),
    rrn: retrievalReferenceOf(record.number),
    ...(isOnCardNetwork(record) && { network_transaction_id: networkTransactionIdOf(record.number) }),
    ...(record.card !== null && { avs_result: 'Y', cvv_result: record.codeSent ? 'M' : 'P' }),
    descriptor: record.descriptor ?? 'TEST',
    ...(approved && record.registersCard && { stored_credential: storedCredentialOf(record.number) }),
    ...(dropAnswer && { drop_answer: true }),
  }
}

export function ledgerEntryOf({ sequence, at, type, transaction }: LedgerEntry): Body {
  const { brand, wallet, orderId } = transaction.record
  return {
    sequence,
    at: new Date(at).toISOString(),
    type,
    ...nameOf(transaction),
    ...(orderId !== null && { order_id: orderId }),
    amount: String(amountOf(transaction)),
    currency: transaction.record.currency,
    ...(brand !== undefined && { brand }),
    ...(wallet && {
      wallet: {
        name: wallet.name,
        ...(wallet.tokenSha256 !== null && { token_sha256: wallet.tokenSha256 }),
        ...(wallet.panType !== null && { pan_type: wallet.panType, cryptogram_sent: wallet.cryptogramSent }),
        ...(wallet.eci !== undefined && { eci: wallet.eci }),
        ...(wallet.merchantTokenSent && { merchant_token_sent: true }),
        ...(wallet.dataType !== null && { data_type: wallet.dataType }),
      },
    }),
  }
}

export function chargebackOf({ sequence, at, transaction, reasonCode }: Chargeback): Body {
  const instant = new Date(at).toISOString()
  return {
    sequence,
    at: instant,
    bank_date: instant.slice(0, 10),
    ...nameOf(transaction),
    amount: String(amountOf(transaction)),
    currency: transaction.record.currency,
    reason_code: reasonCode,
  }
}

/** A chargeback also has its number in the list of chargebacks, so that readers of both lists can match the entries. */
export function reportOf({ sequence, kind, at, transaction, chargeback }: Report): Body {
  if (chargeback) return { ...chargebackOf(chargeback), sequence, kind, chargeback: chargeback.sequence }
  return {
    sequence,
    kind,
    at: new Date(at).toISOString(),
    ...nameOf(transaction),
    ...(kind === 'decided' && { state: stateOf(transaction) }),
  }
}

function nameOf({ record }: Transaction): Body {
  return {
    mid: record.mid,
    transaction_id: record.id,
    payment_id: record.paymentId,
    reference: referenceOf(record.number),
  }
}

/** A brand does not use a card network, except a wallet brand, which uses that of its card. */
function isOnCardNetwork({ brand, wallet }: TransactionRecord): boolean {
  return brand === undefined || wallet !== undefined
}

function exchangeOf(transaction: Transaction): Body {
  const { trigger, type, currency } = transaction.record
  const { exchange: legs } = triggerByKey(trigger)
  const exchange = legs && isFirstStep(type) ? exchangeAmount(legs, amountOf(transaction), currency) : undefined
  if (!exchange) return {}
  return {
    exchange_rate: exchange.rate,
    ...(exchange.rateBase !== null && { exchange_rate_base: exchange.rateBase }),
    exchange_currency: exchange.currency,
    exchange_amount: exchange.amount,
    settlement_currency: exchange.settlementCurrency,
    settlement_amount: exchange.settlementAmount,
  }
}

function moneyDueOf(record: TransactionRecord): Body {
  const { money, number, paymentId, expiresAt } = record
  if (!money) return {}
  const due = money.by === 'crypto' ? cryptoDueOf(record, money) : { voucher_reference: voucherReferenceOf(number) }
  return {
    ...due,
    ...(expiresAt !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
    payment_path: `/sandbox/pay/${encodeURIComponent(paymentId)}/${money.key}`,
    ...(money.returnUrl !== null && { return_url: money.returnUrl }),
  }
}

function cryptoDueOf({ amount, currency, openAmount }: TransactionRecord, money: MoneyDue): Body {
  const due =
    openAmount || money.currency === undefined ? null : cryptoAmountOf(BigInt(amount), currency, money.currency)
  return {
    crypto_address: cryptoAddressOf(money.key),
    crypto_network: money.network,
    ...(money.currency !== undefined && { crypto_currency: money.currency }),
    ...(due !== null && { crypto_amount: due }),
  }
}

/** Only a path, because the acquirer does not know the address under which its pages are served. */
function redirectOf({ paymentId, redirect }: TransactionRecord): Body {
  if (!redirect) return {}
  return {
    redirect_path: `/sandbox/redirect/${encodeURIComponent(paymentId)}/${redirect.key}`,
    return_url: redirect.returnUrl,
  }
}

/** An unseen success is executed, but the acquirer's own status service learns of it late. */
function shownState(transaction: Transaction, now: number): State {
  const { record } = transaction
  const unseen = record.state === 'approved' && record.decidesAt !== null && now < record.decidesAt
  return unseen ? 'pending' : stateOf(transaction)
}
