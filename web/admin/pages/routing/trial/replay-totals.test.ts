import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movesOf } from './replay-totals.ts'
import type { ReroutedPayment } from './use-replay.ts'

const moved = (
  wentTo: string | null,
  wouldGoTo: string | null,
  amountMinor: string,
  currency = 'EUR',
): ReroutedPayment => ({
  paymentId: '01a1e009-0000-7000-8000-000000000001',
  merchantId: '01a1e009-0000-7000-8000-000000000002',
  orderId: 'order',
  createdAt: '2026-03-01T00:00:00Z',
  effects: [],
  amountMinor,
  currency,
  status: 'SETTLED',
  wentTo,
  wouldGoTo,
  result: wouldGoTo === null ? 'declined' : 'routed',
  byTheDraft: true,
  sentences: [],
})

test('payments are added up by the MIDs they would leave and reach, each currency by itself', () => {
  const changed = [
    moved('north', null, '100'),
    moved('north', 'south', '1050'),
    moved('north', 'south', '950'),
    moved('north', 'south', '7000', 'JPY'),
    moved(null, 'south', '1'),
  ]
  assert.deepEqual(movesOf(changed), [
    {
      from: 'north',
      to: 'south',
      payments: 3,
      amounts: [
        { currency: 'EUR', minor: '2000' },
        { currency: 'JPY', minor: '7000' },
      ],
    },
    { from: 'north', to: 'declined', payments: 1, amounts: [{ currency: 'EUR', minor: '100' }] },
    { from: 'no MID', to: 'south', payments: 1, amounts: [{ currency: 'EUR', minor: '1' }] },
  ])
})
