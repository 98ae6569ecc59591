/** Calls `settle` as an operation does, on a real payment store, and records what it writes and reports. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Outcome } from '#server/connectors/connector.ts'
import type { Alerts } from '#server/contracts/ports.ts'
import type { CardRecord, Opening, OutcomeRecord, PaymentRecord, TransactionRecord } from '#server/contracts/records.ts'
import { settle } from '#server/payments/outcome/perform.ts'
import type { Deps } from '#server/payments/request/deps.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { paymentStore } from '#server/store/payments/payments.ts'
import { scheduleStore } from '#server/store/plans/schedules.ts'
import { newOpening } from './opening-rows.ts'

export interface SettleCall {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
  readonly recorded: readonly OutcomeRecord[]
  readonly reported: readonly (readonly [PaymentRecord, TransactionRecord])[]
  readonly alerts: readonly Parameters<Alerts['raise']>[0][]
  readonly health: readonly string[]
  readonly wakes: number
}

interface Circumstances extends NonNullable<Parameters<typeof settle>[3]> {
  /** The payment is already stored. */
  readonly opened?: Opening
  /** Another process changes the payment before every write. */
  readonly stale?: boolean
  readonly mid?: object
  readonly now?: Date
}

const moneyBack: ReadonlySet<string> = new Set(['REFUND', 'REVERSAL'])

const cardOf = (merchantId: string, id: string): CardRecord => ({
  merchantId,
  id,
  panSealed: Buffer.from('sealed'),
  bin: '411111',
  lastFour: '1111',
  panLength: 16,
  expiryMonth: 12,
  expiryYear: 2031,
  network: 'visa',
})

export function settleScene(pool: Pool) {
  const store = paymentStore(pool)
  const now = new Date('2026-03-01T12:00:00Z')

  async function opened(
    of: Partial<PaymentRecord> = {},
    transaction: Partial<TransactionRecord> = {},
  ): Promise<Opening> {
    const usual = newOpening({}, { protocol: 'S2S_CARD', ...of })
    const creditvoidId = moneyBack.has(transaction.type ?? 'SALE') ? randomUUID() : null
    const one = {
      ...usual,
      card: of.cardId ? cardOf(usual.payment.merchantId, of.cardId) : null,
      transaction: { ...usual.transaction, creditvoidId, ...transaction },
    }
    assert.equal(await store.open(one), 'opened')
    return one
  }

  async function settled(
    payment: Partial<PaymentRecord>,
    transaction: Partial<TransactionRecord>,
    outcome: Outcome,
    { opened: stored, stale = false, mid, now: at = now, ...options }: Circumstances = {},
  ): Promise<SettleCall> {
    const one = stored ?? (await opened(payment, transaction))
    const recorded: OutcomeRecord[] = []
    const reported: [PaymentRecord, TransactionRecord][] = []
    const alerts: Parameters<Alerts['raise']>[0][] = []
    const health: string[] = []
    let wakes = 0
    const deps = {
      payments: {
        ...store,
        settle: async (record: OutcomeRecord) => {
          recorded.push(record)
          return stale ? 'stale' : store.settle(record)
        },
      },
      schedules: scheduleStore(pool),
      configuration: {
        mid: (id: string) => (id === one.transaction.midId ? (mid ?? null) : null),
        mapping: () => null,
        merchant: () => null,
      },
      reporter: {
        composeCallback: async (of: PaymentRecord, ended: TransactionRecord) => {
          reported.push([of, ended])
          const url = 'https://shop.example.com/callback'
          return { id: randomUUID(), url, contentType: 'text/plain', body: 'reported', retrySeconds: [] }
        },
      } satisfies Pick<Deps['reporter'], 'composeCallback'>,
      alerts: { raise: async (alert: Parameters<Alerts['raise']>[0]) => void alerts.push(alert) },
      midHealth: { record: (_: string, __: object, answer: string) => void health.push(answer) },
      clock: { now: () => at },
      ids: { next: () => randomUUID() },
      planRetryHours: [1],
      processNumber: 7,
      publicUrl: () => 'https://pay.example.com',
      wake: () => {
        wakes += 1
      },
    }
    const open = { payment: { ...one.payment, ...payment }, transaction: { ...one.transaction, ...transaction } }
    // An outcome needs only these dependencies.
    const written = await settle(deps as unknown as Deps, open, outcome, options)
    return { ...written, recorded, reported, alerts, health, wakes }
  }

  return { store, now, opened, settled }
}
