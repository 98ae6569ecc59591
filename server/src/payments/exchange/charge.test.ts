import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../connectors/connector.ts'
import { declineStepOnChain } from './charge.ts'

const facts = { reference: 'REF-1' }
const step: Answer = {
  result: 'payer-step',
  step: '3DS',
  url: 'https://acs.example.com',
  method: 'POST',
  params: {},
  facts,
}
const declined = {
  result: 'declined',
  reason: 'Authentication required',
  declineClass: 'authentication_required',
  facts,
} as const

test('a payer step that is demanded of a charge on a chain is a decline of class authentication_required', () => {
  for (const kind of ['3DS', 'REDIRECT'] as const) {
    assert.deepEqual(declineStepOnChain({ recurring: true }, { ...step, step: kind }), declined)
  }
})

test('of any other charge it is a payer step, and everything else passes unchanged', () => {
  assert.equal(declineStepOnChain({ recurring: false }, step), step)
  for (const answer of [declined, { result: 'approved', facts }, { result: 'never-arrived' }] as const) {
    assert.equal(declineStepOnChain({ recurring: true }, answer), answer)
  }
})
