/** What CyberSource tells about a transaction beside its status, in the answer to the request and in Transaction Search. */
import { z } from 'zod'
import type { AcquirerFacts } from '../connector.ts'

/** Facts beside the decision: one of an unexpected kind is left out, and the answer is still read. */
export const fact = z.string().min(1).max(500).optional().catch(undefined)

export const factsIn = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape).optional().catch(undefined)

export const processorSchema = factsIn({
  approvalCode: fact,
  transactionId: fact,
  networkTransactionId: fact,
  retrievalReferenceNumber: fact,
  responseCode: fact,
  avs: factsIn({ code: fact }),
  cardVerification: factsIn({ resultCode: fact }),
  merchantAdvice: factsIn({ code: fact }),
})

export const issuerSchema = factsIn({ country: fact, name: fact })

interface TransactionFacts {
  readonly id: string
  readonly processorInformation?: z.infer<typeof processorSchema>
  readonly issuerInformation?: z.infer<typeof issuerSchema>
}

export function factsOf({
  id,
  processorInformation: processor,
  issuerInformation: issuer,
}: TransactionFacts): AcquirerFacts {
  const network = processor?.networkTransactionId ?? processor?.transactionId
  const extended = {
    ...(processor?.avs?.code && { avs_result: processor.avs.code }),
    ...(processor?.cardVerification?.resultCode && { cvv_result: processor.cardVerification.resultCode }),
    ...(processor?.responseCode && { processor_response: processor.responseCode }),
    ...(processor?.merchantAdvice?.code && { merchant_advice: processor.merchantAdvice.code }),
  }
  return {
    reference: id,
    ...(processor?.approvalCode && { approvalCode: processor.approvalCode }),
    ...(processor?.retrievalReferenceNumber && { rrn: processor.retrievalReferenceNumber }),
    ...(network && { networkTransactionId: network }),
    ...(issuer?.country && { issuerCountry: issuer.country }),
    ...(issuer?.name && { issuerBank: issuer.name }),
    ...(Object.keys(extended).length > 0 && { extended }),
  }
}
