// The compiler holds our requests against the types of Adyen's own package; the tests show that the check can fail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentCaptureRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentCaptureRequest.js'
import type { PaymentDetailsRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsRequest.js'
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js'
import type { PaymentReversalRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentReversalRequest.js'
import type { StandalonePaymentCancelRequest } from '@adyen/api-library/lib/src/typings/checkout/standalonePaymentCancelRequest.js'
import { followUpWith, orderWith, payerReturnWith, statusQueryWith } from '../testing/contract-samples.ts'
import { captureOrRefundOf, detailsOf, paymentOf, reversalOf, technicalCancelOf } from './request.ts'

/** A type of the package as JSON: its enums and dates are texts, and a whole number may be a bigint. */
type Json<T> = T extends string
  ? `${T}`
  : T extends number
    ? number | bigint
    : T extends readonly (infer Item)[]
      ? readonly Json<Item>[]
      : T extends Date
        ? string
        : T extends object
          ? { readonly [Name in keyof T]: Json<T[Name]> }
          : T

/** The names that the package does not have; never, if it has all. */
type Unknown<Ours, Theirs> = Exclude<Ours extends unknown ? keyof Ours : never, keyof Theirs>

test('a payment has the fields of the package, and no others', () => {
  const ours = paymentOf(orderWith({}), { merchantAccount: 'A', capture: 'at-once' })
  assert.ok(ours)
  const theirs: Json<Omit<PaymentRequest, 'paymentMethod'>> = ours
  const unknown: Unknown<typeof ours, PaymentRequest>[] = []
  assert.equal(theirs.merchantAccount, 'A')
  assert.deepEqual(unknown, [])
})

test('modifications and details have the fields of the package, and no others', () => {
  const part = captureOrRefundOf(followUpWith({}), 'A')
  const details = detailsOf(payerReturnWith({ fields: { redirectResult: 'x' } }))
  assert.ok(part && details)
  const captureRequest: Json<PaymentCaptureRequest> = part
  const reversal: Json<PaymentReversalRequest> = reversalOf(followUpWith({}), 'A')
  const cancel: Json<StandalonePaymentCancelRequest> = technicalCancelOf(statusQueryWith({}), 'A')
  const detailsRequest: Json<PaymentDetailsRequest> = details
  const unknown: [
    Unknown<typeof part, PaymentCaptureRequest>[],
    Unknown<ReturnType<typeof reversalOf>, PaymentReversalRequest>[],
    Unknown<ReturnType<typeof technicalCancelOf>, StandalonePaymentCancelRequest>[],
    Unknown<typeof details, PaymentDetailsRequest>[],
  ] = [[], [], [], []]
  assert.deepEqual([captureRequest.merchantAccount, reversal.merchantAccount, cancel.merchantAccount], ['A', 'A', 'A'])
  assert.equal(detailsRequest.details.redirectResult, 'x')
  assert.deepEqual(unknown.flat(), [])
})

test('a field that the package has with another type does not compile', () => {
  // @ts-expect-error: an amount is a number there.
  const wrong: Json<PaymentCaptureRequest> = { merchantAccount: 'A', amount: { currency: 'EUR', value: '1' } }
  assert.ok(wrong)
})
