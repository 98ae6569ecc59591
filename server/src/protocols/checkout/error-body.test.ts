/** The error bodies of Checkout, byte for byte. Chapter 30 §1.4. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors } from '#domain/errors.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import { checkoutErrorBody } from './error-body.ts'

test('a validation error has the code 0 and a row for each violation, none of them twice as deep', () => {
  const refused = invalid(
    { param: 'order.number', text: 'This value should not be blank.' },
    { param: null, text: 'x' },
  )
  assert.equal(
    checkoutErrorBody(refused, 'r1'),
    '{"http_code":400,"error_code":0,"error_message":"Request data is invalid.","errors":[' +
      '{"error_code":100000,"error_message":"order.number: This value should not be blank."},' +
      '{"error_code":100000,"error_message":"x"}]}',
  )
})

test('a single error has no rows, and names no request', () => {
  assert.equal(
    checkoutErrorBody(new RefusedError(errors.orderDoesNotExist), 'r1'),
    '{"http_code":400,"error_code":101000,"error_message":"Order does not exist.","errors":[]}',
  )
})

for (const refusal of [errors.internalError, errors.temporarilyUnavailable]) {
  test(`a fault of the service, ${refusal.http}, says so in general words and names the request`, () => {
    assert.equal(
      checkoutErrorBody(new RefusedError(refusal), 'r1'),
      `{"http_code":${refusal.http},"error_code":100000,"error_message":"Internal error.","errors":[],"request_id":"r1"}`,
    )
  })
}
