import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ending, endingSentence } from './ending.ts'

const day = 24 * 3_600_000

// biome-ignore format: a table is read in columns.
const sentences: readonly (readonly [Ending, string])[] = [
  [{ reason: 'hard-decline', declineClass: 'fraud' },
   'No other MID was tried: a decline of class fraud is final.'],
  [{ reason: 'stays', because: 'wallet-passed-on' },
   'No other MID was tried: the acquirer does not accept decrypted wallet data.'],
  [{ reason: 'maximum-reached', maximum: 3 },
   'No other MID was tried: at most 3 may be.'],
  [{ reason: 'maximum-reached', maximum: 1 },
   'No other MID was tried: only one may be.'],
  [{ reason: 'mids-fell-out', mids: [{ midName: 'b', because: 'failing' }, { midName: 'c', because: 'mapping week' }] },
   'No MID was left: b was failing, c had no room within the week limit of the mapping.'],
  [{ reason: 'budget-spent', network: 'visa', window: { tries: 20, withinMs: 30 * day } },
   'No other MID was tried: the card has used the 20 tries that visa allows within 30 days.'],
  [{ reason: 'budget-spent', network: 'mastercard', window: { tries: 10, withinMs: day } },
   'No other MID was tried: the card has used the 10 tries that mastercard allows within 24 hours.'],
  [{ reason: 'budget-spent', network: 'visa' },
   'No other MID was tried: the card has no try left at visa.'],
  [{ reason: 'not-authenticated', because: 'failed' },
   'No other MID was tried: the issuer did not authenticate the payer.'],
  [{ reason: 'no-mid-left', withoutStepUp: 'connector' },
   'The issuer asked for 3-D Secure, but the connector does not accept its proof. No other MID was tried: none was left in the order.'],
]

for (const [ending, sentence] of sentences) {
  test(`${ending.reason}: ${sentence}`, () => {
    assert.equal(endingSentence(ending), sentence)
  })
}
