/** What PayPal tells beyond yes or no. */
import type { AcquirerFacts } from '../connector.ts'
import type { Payment, PaypalOrder } from './resources.ts'

export function factsOf(payment: Payment, order?: PaypalOrder): AcquirerFacts {
  const { network_transaction_reference: network } = payment
  const arn = network?.acquirer_reference_number ?? payment.acquirer_reference_number
  const extended = extendedOf(payment)
  return {
    reference: payment.id,
    ...(network?.id && { networkTransactionId: network.id }),
    ...(arn && { arn }),
    ...(order && cardFacts(order)),
    ...(Object.keys(extended).length > 0 && { extended }),
  }
}

function cardFacts({ payment_source }: PaypalOrder): AcquirerFacts {
  const { bin_details: bin, attributes } = payment_source?.card ?? {}
  const vaultId = attributes?.vault?.id
  return {
    ...(bin?.bin_country_code && { issuerCountry: bin.bin_country_code }),
    ...(bin?.issuing_bank && { issuerBank: bin.issuing_bank }),
    ...(vaultId && { storedCredential: vaultId }),
  }
}

function extendedOf({ processor_response: response }: Payment): Readonly<Record<string, string>> {
  const { avs_code, cvv_code, response_code, payment_advice_code } = response ?? {}
  return {
    ...(avs_code && { avs_result: avs_code }),
    ...(cvv_code && { cvv_result: cvv_code }),
    ...(response_code && { processor_response_code: response_code }),
    ...(payment_advice_code && { payment_advice_code }),
  }
}
