import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromStripeAmount, toStripeAmount } from './currencies.ts'
import { declineOf } from './declines.ts'

/** Every decline code of https://docs.stripe.com/declines/codes. */
const documented =
  `authentication_required approve_with_id call_issuer card_not_supported card_velocity_exceeded currency_not_supported
  do_not_honor do_not_try_again duplicate_transaction expired_card fraudulent generic_decline incorrect_number incorrect_cvc incorrect_pin
  incorrect_zip incorrect_address insufficient_funds invalid_account invalid_amount invalid_cvc invalid_expiry_month invalid_expiry_year
  invalid_number invalid_pin issuer_not_available lost_card merchant_blacklist new_account_information_available no_action_taken
  not_permitted offline_pin_required online_or_offline_pin_required pickup_card pin_try_exceeded processing_error reenter_transaction
  restricted_card revocation_of_all_authorizations revocation_of_authorization security_violation service_not_allowed stolen_card
  stop_payment_order testmode_decline transaction_not_allowed try_again_later withdrawal_count_limit_exceeded`.split(
    /\s+/,
  )

test('every documented decline code has a class and a reason in our words', () => {
  for (const code of documented) {
    const { declineClass, reason } = declineOf({ code: 'card_declined', decline_code: code })
    assert.notEqual(declineClass, 'unknown', code)
    assert.ok(!reason.includes('_'), code)
  }
})

test('a new decline code is shown, and its class is unknown', () => {
  assert.deepEqual(declineOf({ code: 'card_declined', decline_code: 'new_code' }), {
    declineClass: 'unknown',
    reason: 'Declined: new_code',
  })
  const { reason } = declineOf({ decline_code: '4111111111111111 is no code' })
  assert.equal(reason, 'Declined')
})

test('the advice not to try again makes a soft decline hard, and keeps fraud fraud', () => {
  const advice = { code: 'card_declined', advice_code: 'do_not_try_again' }
  assert.equal(declineOf({ ...advice, decline_code: 'do_not_honor' }).declineClass, 'hard')
  assert.equal(declineOf({ ...advice, decline_code: 'stolen_card' }).declineClass, 'fraud')
})

// biome-ignore format: a table is read in columns.
const amounts = [
  // ours         currency  at Stripe
  [ 1000n,        'EUR',    1000 ],
  [ 500n,         'JPY',    500 ],
  [ 5n,           'ISK',    500 ],
  [ 5n,           'UGX',    500 ],
  [ 1000_00n,     'MGA',    1000 ],
  [ 5120n,        'KWD',    5120 ],
  [ 99_999_999n,  'EUR',    99_999_999 ],
  [ 9_999_999_999n, 'JPY',  9_999_999_999 ],
] as const

test('amounts go over in Stripe’s units and come back the same', () => {
  for (const [ours, currency, theirs] of amounts) {
    assert.equal(toStripeAmount(ours, currency), theirs, currency)
    assert.equal(fromStripeAmount(theirs, currency.toLowerCase()), ours, currency)
  }
})

test('an amount without an exact form at Stripe, or with too many digits, is refused and never rounded', () => {
  assert.equal(toStripeAmount(5124n, 'KWD'), null)
  assert.equal(toStripeAmount(1000_50n, 'MGA'), null)
  assert.equal(toStripeAmount(100_000_000n, 'EUR'), null)
  assert.equal(toStripeAmount(1_000_000n, 'ISK'), null)
  assert.equal(fromStripeAmount(550, 'isk'), null)
  assert.equal(fromStripeAmount(550, 'no currency'), null)
})
