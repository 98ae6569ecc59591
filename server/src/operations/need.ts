/** What a first step asks of a MID. Chapter 50 §3. */
import { firstRules } from '#domain/payment/rules.ts'
import type { Need } from '#domain/routing/route.ts'
import type { FirstStepRequest } from './first-step.ts'

/** `means` names what is known of the card, the wallet and the brand by now. */
export function needOf(
  request: FirstStepRequest,
  means: {
    readonly card?: { readonly network: string | null } | null
    readonly wallet?: Need['wallet']
    readonly brand?: Need['brand']
  },
): Need {
  const { order, saveCard } = request
  return {
    side: request.side,
    channelId: request.channel,
    protocol: request.protocol,
    kind: firstRules[request.action].kind,
    auth: request.auth,
    recurring: request.recurringInit ? 'init' : 'none',
    moto: request.moto,
    wallet: means.wallet ?? null,
    methods: [],
    brand: means.brand ?? null,
    card: means.card ? { network: means.card.network } : null,
    requires3ds: false,
    currency: order.currency,
    amountMinor: order.openAmount ? null : order.amountMinor,
    preferCardOnFile: saveCard || (request.means.kind === 'card' && request.means.card.source === 'token'),
    chainMidId: null,
    rule: null,
  }
}
