/** What PayPal answers, as far as it is read. Loose where PayPal may add values: an unknown status is an open outcome. */
import { z } from 'zod'

export const moneySchema = z.object({ currency_code: z.string(), value: z.string() })

const networkReference = z.object({
  id: z.string().optional(),
  acquirer_reference_number: z.string().optional(),
})

const processorResponse = z.object({
  avs_code: z.string().optional(),
  cvv_code: z.string().optional(),
  response_code: z.string().optional(),
  payment_advice_code: z.string().optional(),
})

/** A capture, an authorisation or a refund. */
export const paymentSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: moneySchema.optional(),
  custom_id: z.string().optional(),
  invoice_id: z.string().optional(),
  acquirer_reference_number: z.string().optional(),
  network_transaction_reference: networkReference.optional(),
  processor_response: processorResponse.optional(),
})

export type Payment = z.infer<typeof paymentSchema>

const cardSchema = z.object({
  authentication_result: z
    .object({
      liability_shift: z.string().optional(),
      three_d_secure: z
        .object({ enrollment_status: z.string().optional(), authentication_status: z.string().optional() })
        .optional(),
    })
    .optional(),
  attributes: z.object({ vault: z.object({ id: z.string().optional() }).optional() }).optional(),
  bin_details: z.object({ bin_country_code: z.string().optional(), issuing_bank: z.string().optional() }).optional(),
})

export const orderSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
  payment_source: z.object({ card: cardSchema.optional() }).optional(),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().optional(),
        payments: z
          .object({
            captures: z.array(paymentSchema).default([]),
            authorizations: z.array(paymentSchema).default([]),
          })
          .optional(),
      }),
    )
    .default([]),
})

export type PaypalOrder = z.infer<typeof orderSchema>

export const errorSchema = z.object({
  name: z.string(),
  message: z.string().optional().catch(undefined),
  details: z
    .array(z.object({ issue: z.string().optional(), description: z.string().optional().catch(undefined) }))
    .default([]),
})

/** Of the token endpoint, and of tokens that are refused. */
export const oauthErrorSchema = z.object({ error: z.string() })
