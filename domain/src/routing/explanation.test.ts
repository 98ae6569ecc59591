import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Explanation, sentencesOf } from './explanation.ts'

const dropped = (midName: string, reason: string): Explanation['dropped'][number] => ({
  midName,
  filter: 1,
  name: 'side',
  reason,
})

test('MIDs that fell out for the same reason share a sentence, in the order of the reasons', () => {
  const other = 'The MID is for the other mode, live or test.'
  const sentences = sentencesOf({
    ordered: [{ midName: 'c', holds: false, reason: 'Priority 10, weight 1.' }],
    dropped: [dropped('a', other), dropped('d', 'The MID does not take the currency.'), dropped('b', other)],
    rule: null,
    refusal: null,
  })
  assert.deepEqual(sentences, [
    'a, b were left out. The MID is for the other mode, live or test.',
    'd was left out. The MID does not take the currency.',
    'c goes first. Priority 10, weight 1.',
  ])
})

const rule = { set: 'merchant', version: 3, position: 1, name: 'own' } as const
const plain: Explanation = {
  ordered: [{ midName: 'c', holds: false, reason: 'Priority 10, weight 1.' }],
  dropped: [],
  rule: null,
  refusal: null,
}

test('a payment that a rule declines goes to no MID', () => {
  assert.deepEqual(sentencesOf({ ...plain, declined: { rule, reason: 'Not sold there' } }), [
    'Rule 1 "own" of the merchant\'s rules, version 3, declines the payment: Not sold there',
    'No acquirer is asked. Otherwise c would go first.',
  ])
})

test('a rule about methods says which ones', () => {
  const hidden = { ...plain, methods: { rule, action: 'hide', codes: ['card', 'bank-redirect'] } } as const
  assert.equal(
    sentencesOf(hidden)[0],
    'Rule 1 "own" of the merchant\'s rules, version 3, hides card, bank-redirect on the hosted page.',
  )
})
