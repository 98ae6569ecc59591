/** What a shop stores: its orders, and how far it has read each payment's callbacks. Here in memory; yours are in a database. */
import { randomUUID } from 'node:crypto'
import { agreesWith, type Callback } from '../../client/typescript/src/index.ts'

export interface Order {
  readonly number: string
  readonly amount: string
  readonly currency: string
  readonly description: string
  /** `open`, then what callbacks report: `settled`, `refund`, `declined` and so on. */
  state: string
  paymentId?: string
  /** Of a session of hosted fields. It pays the order, so it stays on the server. */
  token?: string
  /** Of a payment by server to server: what its later requests are signed with. */
  card?: { readonly transId: string; readonly email: string; readonly card: string }
  /** Of a subscription: what later charges name. */
  chain?: { readonly recurring_init_trans_id: string; readonly recurring_token: string }
}

const orders = new Map<string, Order>()
const sequences = new Map<string, number>()

export const allOrders = (): readonly Order[] => [...orders.values()].toReversed()

export function addOrder(): Order {
  const number = `SHOP-${randomUUID()}`
  const order: Order = { number, amount: '10.00', currency: 'EUR', description: 'A pair of shoes', state: 'open' }
  orders.set(number, order)
  return order
}

export function findOrder(number: string): Order {
  const order = orders.get(number)
  if (!order) throw new RangeError('There is no such order.')
  return order
}

export const lastSequence = (callback: Callback): number => sequences.get(textsOf(callback).payment) ?? 0

export function record(callback: Callback): void {
  const { payment, order: number, state, outcome, recurring_token, recurring_init_trans_id } = textsOf(callback)
  sequences.set(payment, callback.sequence ?? 0)
  const order = orders.get(number)
  // An unknown outcome is no decline: another callback follows. A paid order is changed only by the payment that paid it.
  if (!order || outcome === 'undefined' || (order.state === 'settled' && order.paymentId !== payment)) return
  // Paid is an order only with its own amount; a payment of another one is for people to look at.
  order.state = agreesWith(callback, order) ? state : 'wrong amount'
  order.paymentId = payment
  if (recurring_token && recurring_init_trans_id) order.chain = { recurring_token, recurring_init_trans_id }
}

/** Checkout calls them `id`, `order_number`, `order_status` and `status`, the other protocols `trans_id`, `order_id`, `status` and `result`. */
function textsOf({ fields }: Callback) {
  const field = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '')
  return {
    payment: field('id') || field('trans_id'),
    order: field('order_number') || field('order_id'),
    state: (field('order_status') || field('status')).toLowerCase(),
    outcome: (fields['order_status'] === undefined ? field('result') : field('status')).toLowerCase(),
    recurring_token: field('recurring_token'),
    recurring_init_trans_id: field('recurring_init_trans_id'),
  }
}
