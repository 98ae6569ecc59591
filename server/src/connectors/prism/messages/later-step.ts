/** Later steps and questions in the words of the package. */
import type { JsonObject } from '../../../contracts/json.ts'
import type { FollowUp, StatusQuery } from '../../connector.ts'
import type { Prepared } from '../prepared.ts'
import { longValue } from '../transformer/protocol.ts'
import { captureMethod, moneyOf, preparedParts, referenceOf, secretText } from './order.ts'

/** What the acquirer wants to be given again with a later step, as it came with the answer to the first. */
const featureKey = 'acquirer_data'

export const featureFacts = (data: string | null): Readonly<Record<string, string>> | null =>
  data === null || data === '' ? null : { [featureKey]: data }

const featureOf = ({ first }: Pick<FollowUp, 'first'>): JsonObject => {
  const data = first.facts.extended?.[featureKey]
  return data === undefined ? {} : { connectorFeatureData: secretText(data), metadata: secretText(data) }
}

/** Some acquirers want to know where the request comes from; a later step has no browser. */
const noBrowser: JsonObject = { ipAddress: '127.0.0.1', userAgent: 'Gatehouse', acceptHeader: '*/*' }

const common = (step: FollowUp, prepared: Prepared): JsonObject => ({
  connectorTransactionId: step.reference ?? '',
  merchantOrderId: referenceOf({ transactionId: step.originalTransactionId }),
  merchantRequestId: referenceOf(step),
  browserInfo: noBrowser,
  ...featureOf(step),
  ...preparedParts(prepared),
})

export const captureMessage = (step: FollowUp, prepared: Prepared): JsonObject => ({
  ...common(step, prepared),
  merchantCaptureId: referenceOf(step),
  amountToCapture: moneyOf(step.amountMinor, step.currency),
  captureMethod: captureMethod(false),
})

export const voidMessage = (step: FollowUp, prepared: Prepared): JsonObject => ({
  ...common(step, prepared),
  merchantVoidId: referenceOf(step),
  amount: moneyOf(step.amountMinor, step.currency),
  cancellationReason: 'requested_by_customer',
})

/** Some acquirers refund a capture, and not the payment: the last capture is the one that the money came with. */
export const refundMessage = (step: FollowUp, prepared: Prepared): JsonObject => ({
  ...common(step, prepared),
  connectorTransactionId: refundedReference(step),
  merchantRefundId: referenceOf(step),
  paymentAmount: longValue(step.first.amountMinor),
  refundAmount: moneyOf(step.amountMinor, step.currency),
  reason: 'requested_by_customer',
  captureMethod: captureMethod(step.captures.length === 0),
})

const refundedReference = ({ captures, reference }: FollowUp): string => captures.at(-1)?.reference ?? reference ?? ''

/** `id`: the acquirer's reference, or our own where it finds payments by that. */
export const getMessage = (query: StatusQuery, id: string, prepared: Prepared): JsonObject => ({
  merchantTransactionId: referenceOf(query),
  connectorTransactionId: id,
  // Some acquirers are asked by our own reference of the payment.
  connectorOrderReferenceId: referenceOf(query.first),
  amount: moneyOf(query.amountMinor, query.currency),
  captureMethod: captureMethod(query.operation !== 'authorize'),
  merchantRequestId: referenceOf(query),
  ...featureOf(query),
  ...preparedParts(prepared),
})

export const refundGetMessage = (query: StatusQuery, id: string, prepared: Prepared): JsonObject => ({
  merchantRefundId: referenceOf(query),
  refundId: referenceOf(query),
  connectorRefundId: id,
  connectorTransactionId: query.first.reference ?? '',
  refundAmount: moneyOf(query.amountMinor, query.currency),
  merchantRequestId: referenceOf(query),
  ...featureOf(query),
  ...preparedParts(prepared),
})
