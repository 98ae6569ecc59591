import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declineClasses } from '../payment/payment.ts'
import { type DeclineCause, declineCause, mayRetrySameCard } from './decline-cause.ts'

// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [Parameters<typeof declineCause>[0], string | null, DeclineCause])[] = [
  [ 'soft',                    'Insufficient funds',             'funds' ],
  [ 'soft',                    'Not enough balance',             'funds' ],
  [ 'hard',                    'Expired card',                   'expiredCard' ],
  [ 'hard',                    'The stored card has expired',    'expiredCard' ],
  [ 'soft',                    'Do not honour',                  'issuer' ],
  [ 'soft',                    'Declined by the issuer',         'issuer' ],
  [ 'hard',                    'Authentication failed',          'authentication' ],
  [ 'authentication_required', 'Authentication required',        'authentication' ],
  [ 'technical',               'Issuer is not available',        'technical' ],
  [ 'hard',                    'Incorrect security code',        'general' ],
  [ 'soft',                    'Exceeds amount limit',           'otherCard' ],
  [ 'hard',                    'Declined by processing',         'otherCard' ],
  [ 'soft',                    'A reason of the future',         'general' ],
  [ null,                      null,                             'general' ],
  // The payer did not confirm in time. The card has not expired.
  [ 'hard',                    'Expired',                        'late' ],
]
for (const [declineClass, reason, cause] of cases) {
  test(`${reason}, ${declineClass}: ${cause}`, () => assert.equal(declineCause(declineClass, reason), cause))
}

const secrets = ['Lost card', 'Stolen card', 'Expired card - Pick up', 'Suspected fraud', 'Security violation']

test('a lost or stolen card and suspected fraud read like any refusal of the issuer, whatever their class', () => {
  for (const declineClass of [...declineClasses, null]) {
    for (const reason of secrets) assert.equal(declineCause(declineClass, reason), 'issuer', reason)
  }
  for (const reason of ['Insufficient funds', 'Expired card', 'A reason of the future', null])
    assert.equal(declineCause('fraud', reason), 'issuer', String(reason))
})

test('a card may be tried again unless it has expired, cannot pay, or the issuer refuses it', () => {
  const causes = ['general', 'funds', 'authentication', 'technical', 'late'] as const
  for (const cause of causes) assert.equal(mayRetrySameCard(cause), true, cause)
  for (const cause of ['expiredCard', 'issuer', 'otherCard'] as const)
    assert.equal(mayRetrySameCard(cause), false, cause)
})
