/** A charge without the payer in the words of the package. */
import type { JsonObject } from '../../../contracts/json.ts'
import type { CardData, Order } from '../../connector.ts'
import type { Prepared } from '../prepared.ts'
import type { Mandate, RepeatCredential } from '../stored-credential.ts'
import { enumValue } from '../transformer/protocol.ts'
import { type ChargedTerms, cardOf, chargeMessage, monthOf, secretText } from './order.ts'

interface RepeatTerms {
  readonly isCaptured: boolean
  readonly prepared: Prepared
  /** Under which the payer is known there, where the credential does not say it. */
  readonly customerId?: string
  readonly terms?: ChargedTerms
}

export function repeatMessage(order: Order, credential: RepeatCredential, options: RepeatTerms): JsonObject {
  const { isCaptured, prepared, terms = {} } = options
  const charge = chargeMessage(order, { isCaptured, prepared, ownThreeDs: false, terms })
  const customerId = (credential.kind === 'mandate' ? credential.mandate.customer : undefined) ?? options.customerId
  return {
    ...charge,
    merchantChargeId: charge.merchantTransactionId ?? '',
    paymentMethodType: enumValue('PaymentMethodType', 'CREDIT'),
    mitCategory: enumValue('MitCategory', categoryOf(order)),
    offSession: true,
    ...(order.payer.email && { email: secretText(order.payer.email) }),
    ...(customerId !== undefined && { connectorCustomerId: customerId }),
    ...(order.card !== null && additionalOf(order.card)),
    ...(credential.kind === 'mandate' ? mandateOf(credential.mandate) : networkOf(order, credential)),
  }
}

const categoryOf = ({ storedCredential }: Order): string =>
  storedCredential?.source === 'card_token' ? 'UNSCHEDULED_MIT' : 'RECURRING_MIT'

const mandateOf = ({ mandate, method, request, details }: Mandate): JsonObject => ({
  connectorRecurringPaymentId: {
    connectorMandateId: {
      connectorMandateId: mandate,
      ...(method !== undefined && { paymentMethodId: method }),
      ...(request !== undefined && { connectorMandateRequestReferenceId: request }),
      ...(details !== undefined && { mandateMetadata: secretText(details) }),
    },
  },
})

function networkOf(
  { card }: Order,
  { networkTransactionId }: Extract<RepeatCredential, { kind: 'network' }>,
): JsonObject {
  const { cardCvc: _code, ...number } = card === null ? { cardCvc: {} } : cardOf(card)
  return {
    connectorRecurringPaymentId: { networkMandateId: { networkTransactionId } },
    paymentMethod: { cardDetailsForNetworkTransactionId: number },
  }
}

/** Some acquirers want to be told what they have stored. */
const additionalOf = (card: CardData): JsonObject => ({
  additionalPaymentData: {
    card: {
      last4: card.number.reveal().slice(-4),
      cardExpMonth: secretText(monthOf(card)),
      cardExpYear: secretText(String(card.expiryYear ?? '')),
    },
  },
})
