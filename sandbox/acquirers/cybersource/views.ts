/** Transactions as the API shows them: in the answer to a request, and in Transaction Search. */
import { exponentOf } from '#domain/money/money.ts'
import type { Reply } from '../../kit/reply.ts'
import { isExecuted, type Transaction } from './transaction.ts'

type Fields = Readonly<Record<string, unknown>>

/** The path of the resource that a request created. */
const resources = {
  sale: 'payments',
  authorize: 'payments',
  capture: 'captures',
  refund: 'refunds',
  credit: 'credits',
  reverse: 'reversals',
  void: 'voids',
} as const satisfies Readonly<Record<Transaction['kind'], string>>

export function answerTo(transaction: Transaction): Reply {
  const { id, code, merchantId, kind, currency, verdict, at } = transaction
  const isPayment = kind === 'sale' || kind === 'authorize'
  const amountDetails = {
    ...(isPayment ? { authorizedAmount: amountText(transaction) } : { totalAmount: amountText(transaction) }),
    currency,
  }
  const body = {
    _links: { self: { method: 'GET', href: `/pts/v2/${resources[kind]}/${id}` } },
    clientReferenceInformation: { code, ...(merchantId !== null && { transactionId: merchantId }) },
    id,
    orderInformation: { amountDetails },
    ...(verdict.reason !== null && { errorInformation: { reason: verdict.reason, message: 'Decline' } }),
    ...(isPayment && { processorInformation: processorOf(transaction) }),
    reconciliationId: id,
    status: verdict.status,
    submitTimeUtc: at,
  }
  return { status: 201, body }
}

function processorOf({ id, verdict, code }: Transaction): Fields {
  if (verdict.reason !== null && verdict.status === 'DECLINED') return { responseCode: verdict.responseCode }
  return {
    approvalCode: id.slice(-6),
    responseCode: verdict.responseCode,
    networkTransactionId: id.slice(-15),
    transactionId: id.slice(-15),
    retrievalReferenceNumber: id.slice(-12),
    avs: { code: code !== '' && verdict.reason === 'AVS_FAILED' ? 'N' : 'Y' },
    cardVerification: { resultCode: 'M' },
  }
}

/** The services that a transaction ran, by their names in reports. */
const services = {
  sale: ['ics_auth', 'ics_bill'],
  authorize: ['ics_auth'],
  capture: ['ics_bill'],
  refund: ['ics_credit'],
  credit: ['ics_credit'],
  reverse: ['ics_auth_reversal'],
  void: ['ics_void'],
} as const satisfies Readonly<Record<Transaction['kind'], readonly string[]>>

export function recordOf(transaction: Transaction): Fields {
  const { id, account, code, kind, currency, verdict, lastFour, at } = transaction
  const isDone = isExecuted(transaction)
  // A declined authorisation is not followed by its capture.
  const names = isDone ? services[kind] : services[kind].slice(0, 1)
  const [reasonCode, rCode, rFlag] = [String(verdict.number), isDone ? '1' : '0', isDone ? 'SOK' : 'DCARDREFUSED']
  return {
    id,
    submitTimeUtc: at,
    merchantId: `gatehouse_${account}`,
    applicationInformation: {
      reasonCode: verdict.number,
      applications: names.map((name) => ({ name, reasonCode, rCode, rFlag, reconciliationId: id })),
    },
    clientReferenceInformation: { code, applicationName: 'REST API' },
    orderInformation: { amountDetails: { totalAmount: amountText(transaction), currency } },
    paymentInformation: { card: { suffix: lastFour } },
    processorInformation: processorOf(transaction),
  }
}

function amountText({ amount, currency }: Pick<Transaction, 'amount' | 'currency'>): string {
  const decimals = exponentOf(currency) ?? 2
  return (amount / 10 ** decimals).toFixed(decimals)
}

/** Null if the text is no amount of the currency. Minor units. */
export function minorOf(text: string, currency: string): number | null {
  const decimals = exponentOf(currency)
  const isAmount = /^[0-9]{1,15}(?:\.[0-9]{1,4})?$/.test(text)
  if (!isAmount || decimals === undefined) return null
  // CyberSource cuts further decimals off.
  return Math.floor(Number((Number(text) * 10 ** decimals).toFixed(4)))
}
