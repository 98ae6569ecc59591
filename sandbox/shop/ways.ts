/** The ways to pay that the shop offers, one row each: the text for the payer, and the request to the gateway. */
import type { Order } from './orders.ts'

export interface WayToPay {
  readonly id: string
  readonly group: 'Hosted page' | 'Your own page'
  readonly title: string
  readonly hint: string
  readonly order: Omit<Order, 'number'>
  /** Members of the Authentication request besides the order; null for a page of the shop itself. */
  readonly request: ((sources: RequestSources) => Readonly<Record<string, unknown>>) | null
  /** Added to the page's address: the kind of browser that the simulator plays. */
  readonly query?: string
}

interface RequestSources {
  /** Tokens of cards that were saved here. */
  readonly cards: readonly string[]
  readonly scheduleId: string
  /** `YYYY-MM-DD`. */
  readonly trialEnds: string
}

const shoes = { amount: '49.90', currency: 'EUR', description: 'Running shoes' }
const plan = { amount: '0.00', currency: 'EUR', description: 'Running club, first month free' }
const topUp = { amount: '20.00', currency: 'EUR', description: 'Gift card' }

// biome-ignore format: a table is read in columns.
export const ways: readonly WayToPay[] = [
  { id: 'card', group: 'Hosted page', title: 'Card', hint: 'Expiry 01/38 succeeds, 02/38 is declined.', order: shoes,
    request: () => ({ operation: 'purchase', methods: ['card'] }) },
  { id: '3ds', group: 'Hosted page', title: 'Card with 3-D Secure', hint: 'Expiry 05/38 asks you to confirm.', order: shoes,
    request: () => ({ operation: 'purchase', methods: ['card'] }) },
  { id: 'wallet-a', group: 'Hosted page', title: 'Wallet A', hint: 'On a device with the wallet.', order: shoes,
    request: () => ({ operation: 'purchase', methods: ['walletapay'] }) },
  { id: 'wallet-a-phone', group: 'Hosted page', title: 'Wallet A by phone', hint: 'Any browser: scan a code and confirm on a phone.', order: shoes,
    request: () => ({ operation: 'purchase', methods: ['walletapay'] }), query: '?wallet_browser=other' },
  { id: 'wallet-b', group: 'Hosted page', title: 'Wallet B', hint: 'The sandbox simulates the wallet and its provider.', order: shoes,
    request: () => ({ operation: 'purchase', methods: ['walletbpay'] }) },
  { id: 'all', group: 'Hosted page', title: 'All methods', hint: 'Every method that the gateway offers for this order.', order: shoes,
    request: () => ({ operation: 'purchase' }) },
  { id: 'saved', group: 'Hosted page', title: 'Saved card', hint: 'The first payment saves the card; later payments offer it.', order: shoes,
    request: ({ cards }) => ({ operation: 'purchase', methods: ['card'], req_token: true, ...(cards.length > 0 && { card_token: cards }) }) },
  { id: 'subscription', group: 'Hosted page', title: 'Subscription with trial', hint: 'First month free, then 9.99 EUR a month.', order: plan,
    request: ({ scheduleId, trialEnds }) => ({ operation: 'purchase', methods: ['card'], recurring_init: true, schedule_id: scheduleId,
      schedule_start_date: trialEnds, payment_schedule_amount: '9.99', recurring_consent_required: true }) },
  { id: 'hold', group: 'Hosted page', title: 'Hold', hint: 'Authorised now, captured later.', order: shoes,
    request: () => ({ operation: 'purchase', methods: ['card'], auth: true }) },
  { id: 'debit', group: 'Hosted page', title: 'Debit', hint: 'A top-up. Its refund is a reversal.', order: topUp,
    request: () => ({ operation: 'debit', methods: ['card'] }) },
  { id: 'form', group: 'Your own page', title: 'SDK form', hint: 'Your own form, hosted by the gateway.', order: shoes,
    request: () => ({ operation: 'purchase', methods: ['card', 'walletapay', 'walletbpay'], form_id: 'sample-form' }) },
  { id: 'fields', group: 'Your own page', title: 'Hosted Fields', hint: 'Your own page with card fields in frames.', order: shoes,
    request: null },
]
