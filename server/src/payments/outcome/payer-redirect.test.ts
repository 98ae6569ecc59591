/** Chapter 20 §6.3: the redirect that the merchant gets, and the payer's time limit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../connectors/connector.ts'
import type { PayerStep, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'
import { newPayerStep, withRedirect } from './payer-redirect.ts'

const now = new Date('2026-02-03T10:00:00Z')
// Only the dependencies that the functions read.
const deps = {
  clock: { now: () => now },
  ids: { next: () => 'id' },
  configuration: { mapping: () => null },
} as unknown as Deps
const payment = (protocol: string, facts: object = {}) => ({ protocol, facts }) as PaymentRecord

function redirectFor(protocol: string, step: Pick<PayerStep, 'url' | 'method' | 'params'>) {
  return withRedirect(deps, payment(protocol), { ...step, storedUntil: null } as PayerStep).facts.redirect
}

const params = { session: 'a b&c', lang: 'de' }

// biome-ignore format: a table is read in columns.
const redirects = [
  // protocol    method   address                   params   becomes the address                              with params
  [ 'S2S_APM',  'GET',   'https://p.example/x',    params,  'https://p.example/x?session=a+b%26c&lang=de',   {} ],
  [ 'S2S_APM',  'GET',   'https://p.example/x?k=1', params, 'https://p.example/x?k=1&session=a+b%26c&lang=de', {} ],
  [ 'S2S_APM',  'GET',   'https://p.example/?K=%2F', {},    'https://p.example/?K=%2F',                       {} ],
  [ 'S2S_APM',  'POST',  'https://p.example/x?k=1', params, 'https://p.example/x?k=1',                        params ],
  [ 'S2S_CARD', 'GET',   'https://p.example/x',    params,  'https://p.example/x',                            params ],
] as const

for (const [protocol, method, url, given, address, left] of redirects) {
  test(`${protocol}: ${method} ${url} with ${Object.keys(given).length} parameters leads to ${address}`, () => {
    assert.deepEqual(redirectFor(protocol, { url, method, params: given }), { url: address, method, params: left })
  })
}

const away: Outcome = { result: 'payer-step', step: 'REDIRECT', url: 'https://p', method: 'GET', params: {}, facts: {} }
const sale = { id: 't', type: 'SALE' } as TransactionRecord

test('a payer step expires with the brand’s time, without a brand after 30 minutes', () => {
  const expiresAt = '2026-02-03T11:00:00.000Z'
  const ofBrand = newPayerStep(deps, payment('S2S_APM', { brand: { expiresAt } }), sale, away)
  assert.equal(ofBrand?.expiresAt.toISOString(), expiresAt)
  assert.equal(newPayerStep(deps, payment('S2S_CARD'), sale, away)?.expiresAt.toISOString(), '2026-02-03T10:30:00.000Z')
})
