/** Builds the body of a payment from the payer's input. Chapter 30 §7.10. */
import { formatExpiry } from '#domain/card.ts'
import { digitsOf } from '../../kit/card-number.ts'
import { readExpiry } from '../../kit/expiry.ts'
import type { FieldView, MethodView, PaymentBody, SavedCardView, SessionView } from '../page-api.ts'

interface PaymentEntry {
  readonly method: MethodView
  readonly savedCard: SavedCardView | null
  readonly fields: readonly FieldView[]
  readonly values: Readonly<Record<string, string>>
}

export type CommonMembers = Pick<
  PaymentBody,
  'attempt_id' | 'shown' | 'browser_info' | 'terms' | 'consent' | 'language'
>

export const shownAmount = ({
  total,
  order: { currency },
}: Pick<SessionView, 'total' | 'order'>): PaymentBody['shown'] => ({
  ...(total === null ? {} : { amount: total }),
  currency,
})

export function paymentBody(entered: PaymentEntry, common: CommonMembers): PaymentBody {
  const { method } = entered
  return {
    ...common,
    method: method.code,
    ...(method.kind === 'card' ? cardPart(entered) : { fields: membersOf('fields', entered) }),
    customer: membersOf('customer', entered),
    billing_address: membersOf('billing_address', entered),
    ...payeePart(entered),
  }
}

/** A wallet's token already contains the payer's data. */
export const walletPaymentBody = (method: MethodView, token: string, common: CommonMembers): PaymentBody => ({
  ...common,
  method: method.code,
  wallet_token: token,
  customer: {},
  billing_address: {},
})

function cardPart({
  savedCard,
  fields,
  values,
}: PaymentEntry): Pick<PaymentBody, 'card' | 'card_token' | 'cvv' | 'expiry'> {
  const isAsked = (name: string): boolean => fields.some((one) => one.name === name)
  const date = readExpiry(values['card.expiry'] ?? '')
  const expiry = date ? formatExpiry(date) : ''
  const code = trimText(values['card.cvv'])
  const cvv = isAsked('card.cvv') && code !== '' ? { cvv: code } : {}
  if (savedCard) return { card_token: savedCard.token, ...cvv, ...(isAsked('card.expiry') ? { expiry } : {}) }
  return { card: { number: digitsOf(values['card.number'] ?? ''), expiry, ...cvv } }
}

/** Only payouts and transfers have a recipient. Chapter 30 §4.9. */
function payeePart(entered: PaymentEntry): Partial<PaymentBody> {
  const { fields, values } = entered
  const has = (name: string): boolean => fields.some((one) => one.name === name)
  return {
    ...(has('payee.name') ? { payee: membersOf('payee', entered) } : {}),
    ...(has('payee_card.number') ? { payee_card: { number: digitsOf(values['payee_card.number'] ?? '') } } : {}),
    ...(has('amount') ? { amount: trimText(values['amount']) } : {}),
  }
}

function membersOf(group: string, { fields, values }: PaymentEntry): Readonly<Record<string, string>> {
  const members = fields.flatMap(({ name }): readonly (readonly [string, string])[] => {
    const value = trimText(values[name])
    return name.startsWith(`${group}.`) && value !== '' ? [[name.slice(group.length + 1), value]] : []
  })
  return Object.fromEntries(members)
}

const trimText = (text: string | undefined): string => text?.trim() ?? ''
