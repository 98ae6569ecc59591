/** The data of the session that a form may read, in the terms of the SDK. Chapter 30 §9.1. */
import type { SessionView } from '../checkout/page-api.ts'
import type { BillingAddress, CardToken, CustomerInfo, OrderInfo, PayState } from './pay-session-types.ts'

type Texts = Readonly<Record<string, string>>

export function billingAddressIn({ billing_address: texts }: { readonly billing_address: Texts }): BillingAddress {
  const { address = '', city = '', country = '', phone = '', state = '', zip = '' } = texts
  return { address, city, country, phone, state, zip }
}

export function customerIn({ customer }: { readonly customer: Texts }): CustomerInfo {
  const { name = '', email = '', birth_date = '' } = customer
  return { name, email, birth_date }
}

export function orderIn({ order: { number, amount, currency, description } }: SessionView): OrderInfo {
  return { number, amount: amount ?? '', currency, description }
}

export function cardTokensIn({ card_tokens: cards }: SessionView): readonly CardToken[] {
  return cards.map(({ token, last, month, year, brand, cardholder_name: name }) => ({
    token,
    last,
    month: String(month).padStart(2, '0'),
    year: String(year),
    brand,
    cardholder_name: name ?? '',
  }))
}

/** Unix seconds. */
export const expiryIn = ({ expires_at: at }: SessionView): number => Math.floor(Date.parse(at) / 1000)

export function stateIn({ state, declines }: Pick<SessionView, 'state' | 'declines'>): PayState {
  switch (state) {
    case 'complete':
      return 'complete'
    case 'busy':
    case 'away':
      return 'redirect'
    case 'waiting':
    case 'undefined':
      return 'waiting'
    case 'declined':
    case 'limit':
      return 'decline'
    case 'ready':
    case 'expired':
      return declines.count > 0 ? 'decline' : ''
  }
}
