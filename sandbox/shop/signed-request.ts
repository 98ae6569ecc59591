/** A request of the shop to the gateway, with the text that its hash covers, so that visitors can see how to sign their own. */
import type { Account } from './gateway.ts'
import type { Order } from './orders.ts'
import { checkoutHash, upperCase } from './signature.ts'

export interface SignedRequest {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** The text before the digests; the password at its end is masked. */
  readonly signedText: string
}

const passwordMask = '<PASSWORD>'

interface RequestParts {
  readonly path: string
  readonly values: readonly string[]
  readonly members: Readonly<Record<string, unknown>>
}

/** Opens a session for an order. Chapter 30 §2.2. */
export const orderRequest = (
  account: Account,
  order: Order,
  path: string,
  members: Readonly<Record<string, unknown>>,
): SignedRequest =>
  sign(account, {
    path,
    values: [order.number, order.amount, order.currency, order.description],
    members: { order, ...members },
  })

export type FollowUp = 'capture' | 'refund'

/** Captures a hold or refunds a payment, completely. */
export const followUpRequest = (
  account: Account,
  kind: FollowUp,
  paymentId: string,
  { amount }: Order,
): SignedRequest =>
  sign(account, {
    path: `/api/v1/payment/${kind}`,
    values: [paymentId, amount],
    members: { payment_id: paymentId, amount },
  })

function sign({ key, password }: Account, { path, values, members }: RequestParts): SignedRequest {
  return {
    path,
    body: { merchant_key: key, ...members, hash: checkoutHash(values, password) },
    signedText: upperCase(values.join('')) + passwordMask,
  }
}
