/** What Adyen's `additionalData` tells beyond the result. Which of it comes is set in the Customer Area. */
import { z } from 'zod'
import type { AcquirerFacts } from '../connector.ts'
import { storedReference } from './stored-card.ts'

type AdditionalData = Readonly<Record<string, string>>

/** Values of other kinds are passed over. */
export function readAdditionalData(value: unknown): AdditionalData {
  const parsed = z.record(z.string(), z.unknown()).safeParse(value)
  if (!parsed.success) return {}
  return Object.fromEntries(
    Object.entries(parsed.data).flatMap(([name, text]) => (typeof text === 'string' && text ? [[name, text]] : [])),
  )
}

export function factsOf(reference: string, data: AdditionalData): AcquirerFacts {
  const shopper = data['tokenization.shopperReference'] ?? data['recurring.shopperReference']
  const stored = data['tokenization.storedPaymentMethodId'] ?? data['recurring.recurringDetailReference']
  const { authCode, arn, networkTxReference, cardIssuingCountry, cardIssuingBank, avsResultRaw, cvcResultRaw } = data
  const extended = {
    ...((avsResultRaw ?? data['avsResult']) && { avs_result: avsResultRaw ?? data['avsResult'] ?? '' }),
    ...((cvcResultRaw ?? data['cvcResult']) && { cvv_result: cvcResultRaw ?? data['cvcResult'] ?? '' }),
  }
  return {
    reference,
    ...(authCode && { approvalCode: authCode }),
    ...(arn && { arn }),
    ...(networkTxReference && { networkTransactionId: networkTxReference }),
    ...(cardIssuingCountry && { issuerCountry: cardIssuingCountry }),
    ...(cardIssuingBank && { issuerBank: cardIssuingBank }),
    ...(shopper && stored && { storedCredential: storedReference(shopper, stored) }),
    ...(Object.keys(extended).length > 0 && { extended }),
  }
}
