/** What happened to a payment, in the order of time: its transactions and its callbacks. */
import { listLoggedCallbacks } from '#server/store/callbacks/callback-log.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { paymentStore } from '#server/store/payments/payments.ts'
import { findWalletPayment } from '#server/store/wallets/wallet-payments.ts'
import { CommandError } from '../../kit/command-error.ts'
import { record, table } from '../../kit/table.ts'
import { lastAnswerOf } from '../callbacks/last-answer.ts'

interface PaymentLog {
  readonly paymentId: string
  readonly merchant: string
  readonly orderId: string
  readonly status: string
  readonly events: readonly LoggedEvent[]
}

interface LoggedEvent {
  readonly at: Date
  readonly what: string
  readonly result: string
  /** Why a transaction was declined, or how a callback was answered. */
  readonly because: string | null
}

export async function readPaymentLog(pool: Pool, paymentId: string): Promise<PaymentLog> {
  const payment = await findWalletPayment(pool, paymentId)
  const merchants = await merchantStore(pool).list()
  const merchantId = merchants.find(({ name }) => name === payment?.merchant)?.id
  if (!payment || merchantId === undefined)
    throw new CommandError(
      `There is no payment ${paymentId}.`,
      'A refused request makes no payment: use --request or --order.',
    )
  const [transactions, callbacks] = await Promise.all([
    paymentStore(pool).listTransactions(merchantId, paymentId),
    listLoggedCallbacks(pool, { merchantId, paymentId, limit: 500 }),
  ])
  const events = [
    ...transactions.map(({ createdAt, type, state, declineReason }) => ({
      at: createdAt,
      what: type,
      result: state,
      because: declineReason,
    })),
    ...callbacks.map(({ createdAt, sequence, state, attempts }) => ({
      at: createdAt,
      what: `callback ${sequence}`,
      result: state,
      because: lastAnswerOf({ attempts }),
    })),
  ]
  const { merchant, orderId, status } = payment
  return { paymentId, merchant, orderId, status, events: events.toSorted((a, b) => a.at.getTime() - b.at.getTime()) }
}

export function paymentLogText({ paymentId, merchant, orderId, status, events }: PaymentLog): string {
  const heading = record([
    ['payment', paymentId],
    ['merchant', merchant],
    ['order', orderId],
    ['status', status],
  ])
  const rows = events.map(({ at, what, result, because }) => [at, what, result, because])
  return `${heading}\n\n${table(['at', 'what', 'result', 'because'], rows)}`
}
