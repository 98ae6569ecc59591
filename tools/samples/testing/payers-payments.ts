/** Payments that a payer makes in a browser, and that samples of Checkout name. */
import { randomUUID } from 'node:crypto'
import { CheckoutClient } from '../../../server/test/pages/checkout.ts'
import type { Shop } from '../../../server/test/shop.ts'

/** As variables of the samples. */
export async function makePayersPayments(shop: Shop): Promise<Readonly<Record<string, string>>> {
  const checkout = new CheckoutClient(shop)
  const order = () => ({ order: { number: randomUUID() } })
  const chainOf = async (paymentId: string): Promise<Readonly<Record<string, string>>> =>
    (await checkout.status({ payment_id: paymentId })).body
  const hold = await checkout.makePayment({ auth: true, ...order() })
  const first = await checkout.makePayment({ recurring_init: true, ...order() })
  const soft = await checkout.makePayment({ recurring_init: true, ...order() }, '01/39')
  const { recurring_init_trans_id, recurring_token } = await chainOf(soft.payment.id)
  const declined = await checkout.recurring({
    recurring_init_trans_id,
    recurring_token,
    order: { number: randomUUID(), amount: '1.00', description: 'Month' },
  })
  return {
    payment_id_hold: hold.payment.id,
    checkout_init_trans_id: first.payment.id,
    checkout_recurring_token: (await chainOf(first.payment.id))['recurring_token'] ?? '',
    payment_id_declined: declined.body.payment_id,
  }
}
