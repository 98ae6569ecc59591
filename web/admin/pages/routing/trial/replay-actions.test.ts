import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionTotals, withEffect } from './replay-actions.ts'
import type { ReroutedPayment } from './use-replay.ts'

const payment = (paymentId: string, ...effects: ReroutedPayment['effects']): ReroutedPayment => ({
  paymentId,
  merchantId: 'm',
  orderId: 'o',
  createdAt: '2026-01-01T00:00:00Z',
  amountMinor: '100',
  currency: 'EUR',
  status: 'SETTLED',
  wentTo: 'one',
  wouldGoTo: 'one',
  result: 'routed',
  effects,
  byTheDraft: true,
  sentences: [],
})

const declined = { action: 'decline', applies: true } as const
const released = { action: 'decline', applies: false } as const
const held = { action: 'review', applies: true } as const
const changed = [payment('1', held), payment('2', declined, held), payment('3', released)]

test('payments are counted by action, and what ends is told apart from what begins', () => {
  assert.deepEqual(actionTotals(changed), [
    { title: 'Held for review', payments: 2 },
    { title: 'Declined', payments: 1 },
    { title: 'No longer declined', payments: 1 },
  ])
})

test('the payments of one action can be listed alone', () => {
  const idsOf = (title: string) => withEffect(changed, title).map(({ paymentId }) => paymentId)
  assert.deepEqual([idsOf('Held for review'), idsOf('Declined'), idsOf('')], [['1', '2'], ['2'], ['1', '2', '3']])
})
