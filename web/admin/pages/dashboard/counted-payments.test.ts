import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterNames, questionOf } from '../payments/filters.ts'
import { countedPayments } from './counted-payments.ts'

const dashboard = { countedFrom: '2026-03-01T10:15:00.000Z', to: '2026-03-08T10:15:00.000Z' }

test('a figure leads to the payments of its own time, reason and attempts', () => {
  const reason = { currency: 'EUR', status: 'DECLINED', declineReason: 'Do not honor', attempts: 'last' }
  const address = new URL(countedPayments(dashboard, { ...reason, merchantId: '' }), 'http://panel')
  const values = Object.fromEntries(filterNames.map((name) => [name, address.searchParams.get(name) ?? '']))
  const question = questionOf(values as Parameters<typeof questionOf>[0], 'live')
  assert.ok(question.ok)
  const { countedFrom: from, to } = dashboard
  assert.deepEqual(question.query, { ...reason, kind: 'income', from, to, test: 'false' })
})
