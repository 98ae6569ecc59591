/** Which demands for 3-D Secure can be met, and why the others cannot. Chapter 50 §4, chapter 10 §7.1.7 to §7.1.9, chapter 40 §9. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NoStepUp } from '#domain/routing/ending.ts'
import type { ChargeData } from '../exchange/charge.ts'
import type { Deps } from '../request/deps.ts'
import { checkStepUp } from './cascade-authentication.ts'

type Payment = Parameters<typeof checkStepUp>[1]

interface Case {
  readonly payment?: Record<string, unknown>
  readonly facts?: Record<string, unknown>
  readonly data?: Record<string, unknown>
  readonly mpiService?: string
  readonly takesProof?: boolean
}

/** A payer who entered a card and can be sent away, at a merchant with an MPI service, unless the case says otherwise. */
function checkCase({ payment = {}, facts = {}, data = {}, mpiService = 'sandbox', takesProof = true }: Case) {
  const deps = {
    configuration: { merchant: () => ({ mpiService }), mid: () => ({ connector: 'any' }) },
    acquirers: { capabilities: () => ({ externalThreeDs: takesProof }) },
    mpis: { sandbox: {}, external: null },
  }
  const usual = { merchantId: 'm', midId: 'mid', recurring: false, cardId: 'card', cardToken: null }
  const record = { ...usual, ...payment, facts: { termUrl: 'https://shop.example.com/return', ...facts } }
  // Nothing else of either is looked at.
  return checkStepUp(
    deps as unknown as Deps,
    record as unknown as Payment,
    { card: {}, ...data } as unknown as ChargeData,
  )
}

// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [string, 'possible' | NoStepUp, Case])[] = [
  ['a card and its payer',                         'possible',      {}],
  ['a wallet’s funding number',                    'possible',      { facts: { wallet: { panType: 'FPAN' } } }],
  ['a saved card and its payer',                   'possible',      { payment: { cardToken: 't' } }],
  ['an e-commerce payment that says so',           'possible',      { facts: { motoType: 'ecommerce' } }],
  ['an authentication that was made before',       'done-before',   { facts: { threeDs: {} } }],
  ['a step-up that was made before',               'done-before',   { facts: { stepUp: 'here' } }],
  ['a device’s number',                            'no-number',     { facts: { wallet: { panType: 'DPAN' } } }],
  ['a token that goes on unopened',                'no-number',     { data: { card: null } }],
  ['a card that is not kept',                      'no-number',     { payment: { cardId: null } }],
  ['a merchant without an MPI service',            'no-service',    { mpiService: 'none' }],
  ['a connector that cannot be told of it',        'connector',     { takesProof: false }],
  ['a charge of a chain',                          'payer-absent',  { payment: { recurring: true } }],
  ['a payment by telephone',                       'payer-absent',  { facts: { motoType: 'phone_moto' } }],
  ['a saved card without its payer',               'payer-absent',  { payment: { cardToken: 't' }, facts: { payerPresent: false } }],
  ['a payer with no way back',                     'payer-absent',  { facts: { termUrl: undefined } }],
]

for (const [what, expected, given] of cases) {
  test(`${what}: ${expected}`, () => {
    assert.equal(checkCase(given), expected)
  })
}
