/** A PaymentIntent or SetupIntent as Stripe shows it, and what it tells about the payment. */
import { z } from 'zod'
import type { AcquirerFacts } from '../connector.ts'

const texts = z.record(z.string(), z.string())

/** An id, or the object itself where the request asked for it. */
const reference = z.union([z.string(), z.looseObject({ id: z.string() })]).nullish()

const idOf = (value: z.infer<typeof reference>): string | null =>
  typeof value === 'object' ? (value?.id ?? null) : (value ?? null)

const cardSchema = z.object({
  authorization_code: z.string().nullish(),
  network_transaction_id: z.string().nullish(),
  country: z.string().nullish(),
  issuer: z.string().nullish(),
  checks: z
    .object({
      address_line1_check: z.string().nullish(),
      address_postal_code_check: z.string().nullish(),
      cvc_check: z.string().nullish(),
    })
    .nullish(),
})

/** A charge, or an attempt of a SetupIntent. */
export const attemptSchema = z.object({
  id: z.string(),
  calculated_statement_descriptor: z.string().nullish(),
  payment_method_details: z.object({ card: cardSchema.nullish() }).nullish(),
})

const errorSchema = z.object({
  type: z.string(),
  code: z.string().nullish(),
  decline_code: z.string().nullish(),
  advice_code: z.string().nullish(),
  network_decline_code: z.string().nullish(),
})

const common = {
  id: z.string().min(1),
  status: z.string(),
  created: z.int(),
  metadata: texts.nullish(),
  payment_method: reference,
  customer: reference,
  cancellation_reason: z.string().nullish(),
  next_action: z
    .object({ redirect_to_url: z.object({ url: z.url({ protocol: /^https?$/ }).nullish() }).nullish() })
    .nullish(),
}

const intentSchema = z
  .discriminatedUnion('object', [
    z.object({
      ...common,
      object: z.literal('payment_intent'),
      currency: z.string(),
      amount_received: z.int(),
      capture_method: z.string(),
      last_payment_error: errorSchema.nullish(),
      latest_charge: z.union([z.string(), attemptSchema]).nullish(),
    }),
    z.object({
      ...common,
      object: z.literal('setup_intent'),
      last_setup_error: errorSchema.nullish(),
      latest_attempt: z.union([z.string(), attemptSchema]).nullish(),
    }),
  ])
  .transform((intent) => {
    const isPayment = intent.object === 'payment_intent'
    const attempt = isPayment ? intent.latest_charge : intent.latest_attempt
    return {
      id: intent.id,
      status: intent.status,
      metadata: intent.metadata ?? {},
      paymentMethod: idOf(intent.payment_method),
      customer: idOf(intent.customer),
      cancellationReason: intent.cancellation_reason ?? null,
      redirectUrl: intent.next_action?.redirect_to_url?.url ?? null,
      error: (isPayment ? intent.last_payment_error : intent.last_setup_error) ?? null,
      attempt: typeof attempt === 'object' ? attempt : null,
      // The issuer was asked.
      wasTried: attempt !== null && attempt !== undefined,
      isCapturedByCommand: isPayment && intent.capture_method === 'manual',
      amountReceived: isPayment ? intent.amount_received : 0,
      currency: isPayment ? intent.currency : null,
    }
  })

export type Intent = z.infer<typeof intentSchema>

/** Null if it is none. */
export const readIntent = (value: unknown): Intent | null => intentSchema.safeParse(value).data ?? null

export function factsOf({ id, attempt, customer, paymentMethod, error }: Intent): AcquirerFacts {
  const { payment_method_details: details, calculated_statement_descriptor: descriptor } = attempt ?? {}
  const { authorization_code, network_transaction_id, country, issuer, checks } = details?.card ?? {}
  const avs = avsResult(checks?.address_postal_code_check, checks?.address_line1_check)
  const cvv = cvvResults[checks?.cvc_check ?? '']
  const extended = {
    ...(avs && { avs_result: avs }),
    ...(cvv && { cvv_result: cvv }),
    ...(error?.network_decline_code && { network_decline_code: error.network_decline_code }),
  }
  return {
    reference: id,
    ...(authorization_code && { approvalCode: authorization_code }),
    ...(network_transaction_id && { networkTransactionId: network_transaction_id }),
    ...(descriptor && { descriptor }),
    ...(country && { issuerCountry: country }),
    ...(issuer && { issuerBank: issuer }),
    // Without a customer Stripe does not let the payment method be used again.
    ...(customer && paymentMethod && { storedCredential: `${customer}/${paymentMethod}` }),
    ...(Object.keys(extended).length > 0 && { extended }),
  }
}

const cvvResults: Readonly<Record<string, string>> = { pass: 'M', fail: 'N', unavailable: 'U', unchecked: 'P' }

type Check = string | null | undefined

/** In the networks' letters: whole address, postal code only, street only, nothing matches, not verified. */
function avsResult(postalCode: Check, street: Check): string | null {
  if (!postalCode && !street) return null
  if (postalCode === 'pass') return street === 'fail' ? 'Z' : 'Y'
  if (street === 'pass') return postalCode === 'fail' ? 'A' : 'Y'
  return postalCode === 'fail' || street === 'fail' ? 'N' : 'U'
}
