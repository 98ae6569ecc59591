/** The requirements of a first step on a MID. Chapter 50 §3. */
import { firstRules } from '#domain/payment/rules.ts'
import type { Need } from '#domain/routing/need.ts'
import type { Secret } from '#domain/secret.ts'
import type { CardData } from '../../connectors/connector.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'

/** `paymentMethod` holds the details of card, wallet and brand that are known so far. */
export function needOf(
  request: FirstStepRequest,
  paymentMethod: {
    readonly card?: Need['card']
    readonly wallet?: Need['wallet']
    readonly brand?: Need['brand']
  },
): Need {
  const { order, saveCard } = request
  const savedCard = request.paymentMethod.kind === 'card' && request.paymentMethod.card.source === 'token'
  return {
    mode: request.mode,
    channelId: request.channel,
    protocol: request.protocol,
    kind: firstRules[request.action].kind,
    auth: request.auth,
    recurring: request.recurringInit ? 'init' : 'none',
    wallet: paymentMethod.wallet ?? null,
    methods: [],
    brand: paymentMethod.brand ?? null,
    card: paymentMethod.card ?? null,
    currency: order.currency,
    amountMinor: order.openAmount ? null : order.amountMinor,
    preferCardOnFile: saveCard || savedCard,
    chainMidId: null,
    // Without the payer only a saved card can be charged. Chapter 10 §7.1.9.
    initiator: savedCard && !request.payerPresent ? 'merchant' : 'cardholder',
    payerCountry: request.payer['country'] ?? null,
    motoType: request.motoType,
    customData: request.customData,
    payerEmail: request.payer['email'] ?? null,
    payerIp: request.payerIp,
    payerPhone: request.payer['phone'] ?? null,
  }
}

/** An entered or saved card, reduced to the attributes that rules may read. */
export const enteredCard = (card: {
  readonly network: string | null
  readonly data: Pick<CardData, 'number'>
}): NonNullable<Need['card']> => ({
  network: card.network,
  bin: binOf(card.data.number),
  panType: null,
  number: card.data.number,
})

/** The BIN: first eight digits. */
export const binOf = (number: Secret<string>): string => number.reveal().slice(0, 8)
