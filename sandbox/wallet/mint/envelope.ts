/** The forms in which a wallet B token reaches a merchant's page (Chapter 40 §12.1). */
import { numberOf } from '../cards.ts'
import type { MintRequest } from './mint-request.ts'

export function inEnvelope(token: object, request: MintRequest): string {
  const { envelope } = request
  const text = JSON.stringify(token)
  if (envelope === 'bare') return text
  const type = request.recipient.gateway === '' ? 'DIRECT' : 'PAYMENT_GATEWAY'
  const tokenizationData = { type, token: text }
  if (envelope === 'tokenization_data') return JSON.stringify(tokenizationData)
  const cardNetwork = request.card.network.toUpperCase()
  const cardDetails = numberOf(request.card, request.panType).slice(-4)
  return JSON.stringify({
    apiVersion: 2,
    apiVersionMinor: 0,
    paymentMethodData: {
      type: 'CARD',
      description: `${cardNetwork} •••• ${cardDetails}`,
      info: { cardNetwork, cardDetails },
      tokenizationData,
    },
  })
}
