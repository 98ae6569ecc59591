/** Outcomes as they are written, for tests of the store itself. */
import { randomUUID } from 'node:crypto'
import { entriesOf } from '#domain/money/ledger.ts'
import type { Opening, OutcomeRecord } from '#server/contracts/records.ts'
import { at } from './opening-rows.ts'

/** The sale succeeds and is called back. */
export function success({ payment, transaction }: Opening, changes: Partial<OutcomeRecord> = {}): OutcomeRecord {
  return {
    chain: null,
    plan: null,
    endsPlan: null,
    deferred: null,
    before: payment,
    after: {
      ...payment,
      status: 'SETTLED',
      authorisedMinor: 1000n,
      capturedMinor: 1000n,
      financialDay: '2026-03-01',
      openTransaction: null,
    },
    transaction: { ...transaction, state: 'success', reference: 'R-1', endedAt: at },
    askAt: null,
    entries: entriesOf(payment, transaction),
    callback: {
      id: randomUUID(),
      url: 'https://shop.example.com/callback',
      contentType: 'application/json',
      body: '{}',
      retrySeconds: [60],
    },
    token: null,
    step: null,
    at,
    ...changes,
  }
}
