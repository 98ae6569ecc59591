// The compiler holds our requests against the types of PayPal's own package; a field that it does not have is named by the error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CaptureRequest, OrderRequest, RefundRequest } from '@paypal/paypal-server-sdk'
import { followUpWith, orderWith } from '../testing/contract-samples.ts'
import type { PaypalCredentials } from './credentials.ts'
import { fromCapture, fromOrder, fromRefund } from './request.ts'

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? First extends `${number}`
      ? `_${First}${Snake<Rest>}`
      : `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : Name

/** A type of the package as it is on the wire: names in snake case, enums as texts. */
type Json<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? readonly Json<Item>[]
    : T extends object
      ? { readonly [Name in keyof T as Name extends string ? Snake<Name> : never]: Json<T[Name]> }
      : T

/** Dotted names that the package does not have; never, if it has all. */
type Unknown<Ours, Theirs> = Ours extends readonly (infer Item)[]
  ? Unknown<Item, NonNullable<Theirs> extends readonly (infer Other)[] ? Other : never>
  : Ours extends object
    ? {
        [Name in keyof Ours & string]: Name extends keyof NonNullable<Theirs>
          ? Unknown<NonNullable<Ours[Name]>, NonNullable<Theirs>[Name]>
          : Name
      }[keyof Ours & string]
    : never

/** The source is one of many alternatives; each of ours is compared by itself. */
type Each<Ours, Theirs> = Ours extends unknown ? Unknown<Ours, Theirs> : never

const credentials: PaypalCredentials = { client_id: 'id', client_secret: 'secret' }

test('an order has the fields and values of the package, and no others', () => {
  const request = fromOrder('CAPTURE', orderWith({}), credentials)
  assert.ok(request.ok)
  const { body: ours } = request
  const theirs: Json<OrderRequest> = ours
  const unknown: Each<typeof ours, Json<OrderRequest>>[] = []
  assert.equal(theirs.intent, 'CAPTURE')
  assert.deepEqual(unknown, [])
})

test('captures and refunds have the fields of the package, and no others', () => {
  const captured = fromCapture(followUpWith({}))
  const refunded = fromRefund(followUpWith({}))
  assert.ok(captured.ok && refunded.ok)
  const { body: capture } = captured
  const { body: refund } = refunded
  const captureRequest: Json<CaptureRequest> = capture
  const refundRequest: Json<RefundRequest> = refund
  const unknown: [Each<typeof capture, Json<CaptureRequest>>[], Each<typeof refund, Json<RefundRequest>>[]] = [[], []]
  assert.deepEqual([captureRequest.final_capture, refundRequest.invoice_id?.length], [true, 49])
  assert.deepEqual(unknown.flat(), [])
})
