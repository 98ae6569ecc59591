import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declineClasses } from '../payment/payment.ts'
import { type Cascade, decideNextAttempt } from './cascade.ts'

const cascade = (over: Partial<Cascade> = {}): Cascade => ({
  tried: 1,
  maximum: 3,
  midsLeft: 1,
  noCascadeBecause: null,
  stepUp: 'no-service',
  ...over,
})

const wished = { withoutStepUp: 'no-service' }

// biome-ignore format: a table is read in columns.
const expected: readonly (readonly [string, unknown])[] = [
  ['soft',                    'next-mid'],
  ['technical',               'next-mid'],
  ['authentication_required', 'next-mid'],
  ['hard',                    { reason: 'hard-decline', declineClass: 'hard' }],
  ['fraud',                   { reason: 'hard-decline', declineClass: 'fraud' }],
  ['unknown',                 'next-mid'],
]

test('a soft, technical or unexplained decline goes on to the next MID, a hard or fraudulent one never', () => {
  const found = declineClasses.map(
    (declineClass) => [declineClass, decideNextAttempt(declineClass, cascade())] as const,
  )
  assert.deepEqual(new Map<string, unknown>(found), new Map(expected))
})

test('authentication_required is repeated with 3-D Secure where the payer can be authenticated', () => {
  const able = cascade({ stepUp: 'possible' })
  const found = declineClasses.filter((declineClass) => decideNextAttempt(declineClass, able) === 'step-up')
  assert.deepEqual(found, ['authentication_required'])
})

// biome-ignore format: a table is read in columns.
const unmoved: readonly (readonly [string, Partial<Cascade>])[] = [
  ['no MID is left',                        { midsLeft: 0 }],
  ['only one MID may be tried',             { maximum: 1 }],
  ['as many MIDs as may be were tried',     { tried: 3 }],
  ['its brand does not cascade',            { noCascadeBecause: 'brand', midsLeft: 0 }],
]

for (const [when, over] of unmoved) {
  test(`a step-up tries no further MID, and is made also when ${when}`, () => {
    assert.equal(decideNextAttempt('authentication_required', cascade({ ...over, stepUp: 'possible' })), 'step-up')
  })
}

// biome-ignore format: a table is read in columns.
const endings: readonly (readonly [string, Partial<Cascade>, object])[] = [
  ['no MID is left',                        { midsLeft: 0 },                  { reason: 'no-mid-left' }],
  ['the maximum is reached',                { tried: 3, midsLeft: 9 },        { reason: 'maximum-reached', maximum: 3 }],
  ['the maximum is one',                    { maximum: 1 },                   { reason: 'maximum-reached', maximum: 1 }],
  ['the payment stays where it is',         { noCascadeBecause: 'wallet-virtual' }, { reason: 'stays', because: 'wallet-virtual' }],
]

for (const [when, over, ending] of endings) {
  test(`when ${when}, the cascade ends with that reason`, () => {
    for (const declineClass of ['soft', 'technical', 'unknown'] as const)
      assert.deepEqual(decideNextAttempt(declineClass, cascade(over)), ending)
    assert.deepEqual(decideNextAttempt('authentication_required', cascade(over)), { ...ending, ...wished })
  })
}

test('the maximum counts MIDs: one more is tried until it is reached', () => {
  assert.equal(decideNextAttempt('soft', cascade({ tried: 2, midsLeft: 9 })), 'next-mid')
})
