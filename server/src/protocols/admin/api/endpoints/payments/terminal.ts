/** The virtual terminal: card payments by telephone and mail. Chapter 70 §8. */
import { z } from 'zod'
import { isCountry } from '#domain/place/country.ts'
import { openTerminal } from '../../../../../panel/payments/terminal.ts'
import { chargeTerminal } from '../../../../../panel/payments/terminal-charge.ts'
import { changeEndpoint, type Endpoint } from '../../endpoint.ts'
import { emailInput, id, instant, minor, minorInput, textInput } from '../../values.ts'

const payer = z.strictObject({
  name: textInput(255).min(2, 'Enter the payer’s name.'),
  email: emailInput.optional(),
  address: textInput(255).optional(),
  city: textInput(40).optional(),
  zip: textInput(10).optional(),
  country: z.string().refine(isCountry, 'Enter a country of two letters, such as DE.').optional(),
})

export const terminalEndpoints: readonly Endpoint[] = [
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/terminal',
    summary: 'Opens a session of the virtual terminal, whose frames collect the card.',
    access: 'terminal.use',
    body: z.strictObject({
      mode: z.enum(['live', 'test']).default('live'),
      motoType: z.enum(['phone_moto', 'email_moto']).default('phone_moto'),
      auth: z.boolean().default(false),
      amountMinor: minorInput,
      currency: z.string().regex(/^[A-Z0-9]{3,10}$/, 'Enter a currency such as EUR.'),
      orderNumber: textInput(255).nullable().default(null),
      description: textInput(1024),
      payer,
    }),
    output: z.object({
      id,
      token: z.string(),
      fieldsUrl: z.string(),
      orderNumber: z.string(),
      decimals: z.number(),
      expiresAt: instant,
    }),
    run: async ({ params: { merchantId }, body }, { context, site }) => {
      const { terminal, audit } = await openTerminal(context, { ...body, merchantId }, site.origin)
      return { answer: terminal, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/terminal/:terminalId/payment',
    summary: 'Charges the card that the frames have collected. The same `attemptId` is charged once.',
    access: 'terminal.use',
    body: z.strictObject({ attemptId: z.uuid(), sendsReceipt: z.boolean().default(false) }),
    output: z.object({
      result: z.enum(['approved', 'declined', 'open']),
      paymentId: id,
      status: z.string(),
      declineReason: z.string().nullable(),
      cardMask: z.string().nullable(),
      amountMinor: minor,
      amountDecimals: z.number(),
      currency: z.string(),
      mayTryAgain: z.boolean(),
      isReceiptSent: z.boolean(),
    }),
    run: async ({ params, body }, { context }) => {
      const { charge, audit } = await chargeTerminal(context, { ...params, ...body })
      return { answer: charge, audit }
    },
  }),
]
