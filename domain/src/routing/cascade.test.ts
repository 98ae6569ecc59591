import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declineClasses } from '../payment/payment.ts'
import { type Cascade, type Following, following } from './cascade.ts'

const cascade = (over: Partial<Cascade> = {}): Cascade => ({
  attempts: 1,
  maximum: 3,
  midsLeft: 1,
  mayAuthenticate: false,
  ...over,
})

// biome-ignore format: a table is read in columns.
const expected: readonly (readonly [string, Following])[] = [
  ['soft',                    'next-mid'],
  ['technical',               'next-mid'],
  ['authentication_required', 'next-mid'],
  ['hard',                    'end'],
  ['fraud',                   'end'],
  ['unknown',                 'next-mid'],
]

test('a soft, technical or unexplained decline goes on to the next MID, a hard or fraudulent one never', () => {
  const found = declineClasses.map((declineClass) => [declineClass, following(declineClass, cascade())])
  assert.deepEqual(new Map(found as [string, Following][]), new Map(expected))
})

test('authentication_required is repeated with 3-D Secure where the payer can be authenticated', () => {
  const found = declineClasses.filter(
    (declineClass) => following(declineClass, cascade({ mayAuthenticate: true })) === 'step-up',
  )
  assert.deepEqual(found, ['authentication_required'])
})

test('a step-up needs no other MID', () => {
  assert.equal(following('authentication_required', cascade({ midsLeft: 0, mayAuthenticate: true })), 'step-up')
})

test('without a MID left the cascade ends', () => {
  for (const declineClass of declineClasses)
    assert.equal(following(declineClass, cascade({ midsLeft: 0 })), 'end', declineClass)
})

test('the maximum counts every attempt, a step-up among them', () => {
  assert.equal(following('soft', cascade({ attempts: 2, midsLeft: 9 })), 'next-mid')
  assert.equal(following('soft', cascade({ attempts: 3, midsLeft: 9 })), 'end')
  assert.equal(following('authentication_required', cascade({ attempts: 3, mayAuthenticate: true })), 'end')
})
