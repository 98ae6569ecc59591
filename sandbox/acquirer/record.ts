/** The journal's record of a request and its verdict. */
import { hash } from 'node:crypto'
import { maskCard } from '#domain/card.ts'
import { cryptoExponents } from '#domain/money/currencies.ts'
import type { AwaitingPayer, Judgement } from './judgement.ts'
import type { WalletMethod } from './payment-method.ts'
import type { FirstRequest, TransactionRequest } from './request.ts'
import type { Decision, MoneyDue, TransactionRecord, WalletRecord } from './transaction.ts'
import { RESOLVES_AFTER_MS, type Verdict } from './verdict.ts'

/** Data of the acquirer that the request does not contain. */
type Circumstances = Pick<TransactionRecord, 'number' | 'at' | 'group' | 'fingerprint'> & {
  readonly pageKey: string
  readonly lapseAfterMs: number | null
}

export function recordOf(
  request: TransactionRequest,
  { trigger, verdict, firstId }: Judgement,
  circumstances: Circumstances,
): TransactionRecord {
  const { number, at, group, fingerprint } = circumstances
  const first = request.step === 'first' ? request : null
  return {
    kind: 'transaction',
    number,
    id: request.id,
    type: request.type,
    mid: request.mid,
    paymentId: request.paymentId,
    orderId: first?.orderId ?? null,
    firstId,
    amount: request.amount ?? '0',
    currency: request.currency,
    card: first?.paymentMethod.card ? maskCard(first.paymentMethod.card.number) : null,
    group,
    trigger,
    recurring: first?.recurring ?? null,
    registersCard: first?.registersCard ?? false,
    codeSent: first?.paymentMethod.card?.codeSent ?? false,
    fingerprint,
    at,
    ...verdictFieldsAt(verdict, at),
    ...(first && particularsOf(first, verdict, circumstances)),
  }
}

/** Fields that only some transactions have. */
function particularsOf(
  request: FirstRequest,
  verdict: Verdict | AwaitingPayer,
  { pageKey, lapseAfterMs }: Circumstances,
): Partial<TransactionRecord> {
  const { brand, wallet } = request.paymentMethod
  const awaits = verdict.kind === 'awaits-payer'
  return {
    ...(request.amount === null && { openAmount: true }),
    ...(request.descriptor !== '' && { descriptor: request.descriptor }),
    ...(brand && { brand: brand.code }),
    ...(wallet && { wallet: walletOf(wallet) }),
    ...(awaits && (verdict.state === 'redirect' ? redirectOf(request, pageKey) : { money: moneyOf(request, pageKey) })),
    ...(awaits && brand?.expiresAt && { expiresAt: brand.expiresAt }),
    ...(lapseAfterMs !== null && { holdMs: lapseAfterMs }),
  }
}

function redirectOf({ returnUrl, merchant }: FirstRequest, key: string): Partial<TransactionRecord> {
  return returnUrl === null ? {} : { redirect: { key, returnUrl, merchant } }
}

function moneyOf({ paymentMethod: { brand }, currency, returnUrl, merchant }: FirstRequest, key: string): MoneyDue {
  const page = { key, returnUrl, merchant }
  if ((brand?.behaviour ?? brand?.kind) === 'voucher') return { by: 'voucher', network: null, ...page }
  const wished = brand?.parameters['payment_currency']
  const sent = typeof wished === 'string' ? wished : currency
  const network = brand?.cryptoNetwork ?? (sent === 'BTC' ? 'BTC' : 'ERC20')
  return { by: 'crypto', network, ...(cryptoExponents.has(sent) && { currency: sent }), ...page }
}

function walletOf({ token, eci, merchantTokenSent, ...paymentMethod }: WalletMethod): WalletRecord {
  const tokenSha256 = token === null ? null : hash('sha256', token, 'hex')
  return {
    ...paymentMethod,
    tokenSha256,
    ...(eci !== null && { eci }),
    ...(merchantTokenSent && { merchantTokenSent }),
  }
}

type VerdictFields = Pick<TransactionRecord, 'state' | 'reason' | 'declineClass' | 'decidesAt' | 'becomes'>

function verdictFieldsAt(verdict: Verdict | AwaitingPayer, at: number): VerdictFields {
  switch (verdict.state) {
    case 'approved':
      return { ...decision(verdict), decidesAt: verdict.unseen ? at + RESOLVES_AFTER_MS : null, becomes: null }
    case 'declined':
      return { ...decision(verdict), decidesAt: null, becomes: null }
    case 'pending':
    case 'waiting':
    case 'redirect':
      return {
        state: verdict.state,
        reason: null,
        declineClass: null,
        decidesAt: verdict.kind === 'undecided' && verdict.becomes ? at + verdict.afterMs : null,
        becomes: verdict.becomes && decision(verdict.becomes),
      }
  }
}

function decision(verdict: Extract<Verdict, { kind: 'decided' }>): Decision {
  if (verdict.state === 'approved') return { state: 'approved', reason: null, declineClass: null }
  return { state: 'declined', reason: verdict.reason, declineClass: verdict.declineClass }
}
