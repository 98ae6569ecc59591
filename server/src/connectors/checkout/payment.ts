/** A payment as Checkout.com shows it, in the answer to its request and later. */
import { z } from 'zod'
import type { AcquirerFacts } from '../connector.ts'

/** Facts beside the decision: one of an unexpected kind is left out, and the payment is still read. */
const fact = z.string().min(1).max(500).optional().catch(undefined)

const factsIn = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.object(shape).optional().catch(undefined)

const link = z.object({ href: z.url({ protocol: /^https?$/ }) })

export const paymentSchema = z.object({
  id: z.string().min(1).max(100),
  status: z.string(),
  reference: z.string().nullish(),
  amount: z.int().nonnegative().nullish(),
  approved: z.boolean().nullish(),
  response_code: fact,
  response_summary: fact,
  auth_code: fact,
  scheme_id: fact,
  eci: fact,
  source: factsIn({ avs_check: fact, cvv_check: fact, issuer: fact, issuer_country: fact }),
  processing: factsIn({ retrieval_reference_number: fact, acquirer_reference_number: fact }),
  risk: factsIn({ flagged: z.boolean().optional().catch(undefined) }),
  /** Newest first; in the details of a payment the codes stand here. */
  actions: z
    .array(z.object({ response_code: fact, response_summary: fact }))
    .optional()
    .catch(undefined),
  _links: z.object({ redirect: link.optional() }).optional().catch(undefined),
})

export type Payment = z.infer<typeof paymentSchema>

export function factsOf(payment: Payment): AcquirerFacts {
  const { auth_code, scheme_id, source, processing } = payment
  const extended = extendedOf(payment)
  return {
    reference: payment.id,
    ...(auth_code && { approvalCode: auth_code }),
    ...(processing?.retrieval_reference_number && { rrn: processing.retrieval_reference_number }),
    ...(processing?.acquirer_reference_number && { arn: processing.acquirer_reference_number }),
    ...(scheme_id && { networkTransactionId: scheme_id }),
    ...(source?.issuer_country && { issuerCountry: source.issuer_country }),
    ...(source?.issuer && { issuerBank: source.issuer }),
    // Later charges name the first payment, whatever it stored.
    ...(source && payment.approved && { storedCredential: payment.id }),
    ...(Object.keys(extended).length > 0 && { extended }),
  }
}

function extendedOf({ source, eci, risk }: Payment): Readonly<Record<string, string>> {
  return {
    ...(source?.avs_check && { avs_result: source.avs_check }),
    ...(source?.cvv_check && { cvv_result: source.cvv_check }),
    ...(eci && { eci }),
    // Not captured before a person has released it in the Dashboard.
    ...(risk?.flagged && { risk_review: 'flagged' }),
  }
}
