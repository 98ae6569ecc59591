/** Payment links of merchants. Chapter 70 §8. */
import { z } from 'zod'
import { linkMetadata, linkUses } from '#domain/checkout/payment-link.ts'
import { languages } from '#domain/place/language.ts'
import { linkAddress } from '../../../../../panel/links/link-address.ts'
import { mailPaymentLink } from '../../../../../panel/links/link-mail.ts'
import {
  cancelPaymentLink,
  createPaymentLink,
  listPaymentLinks,
  readPaymentLink,
} from '../../../../../panel/links/payment-links.ts'
import { scopeOf } from '../../../../../panel/reports/dashboard.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import {
  doneAnswer,
  doneOutput,
  emailInput,
  emptyBody,
  id,
  instant,
  instantInput,
  minor,
  minorInput,
  pageLimit,
  textInput,
} from '../../values.ts'

const language = z.enum(languages.map(({ code }) => code))
const metadata = z
  .record(z.string().min(1).max(linkMetadata.name), z.string().max(linkMetadata.value))
  .refine(
    (members) => Object.keys(members).length <= linkMetadata.members,
    `Enter at most ${linkMetadata.members} values.`,
  )

const shownLink = z.object({
  id,
  merchantId: id,
  url: z.string(),
  mode: z.enum(['live', 'test']),
  state: z.enum(['open', 'paid', 'expired', 'cancelled']),
  amountMinor: minor.nullable(),
  currency: z.string(),
  decimals: z.number(),
  description: z.string(),
  orderNumber: z.string().nullable(),
  uses: z.enum(linkUses),
  language: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  expiresAt: instant.nullable(),
  /** Successful payments. */
  paid: z.number(),
  createdBy: z.string(),
  createdAt: instant,
})

const shownPayment = z.object({
  id,
  status: z.string(),
  amountMinor: minor,
  amountDecimals: z.number(),
  currency: z.string(),
  payerEmail: z.string().nullable(),
  createdAt: instant,
})

export const paymentLinkEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/payment-links',
    summary: 'Lists payment links, newest first; the next page starts before the last id.',
    access: 'payments.read',
    query: { merchantId: z.uuid().optional(), before: z.uuid().optional(), limit: pageLimit },
    output: z.object({ links: z.array(shownLink).readonly() }),
    run: async ({ query: { merchantId, before, limit } }, { context, grant }) => {
      const links = await listPaymentLinks(context, scopeOf(grant, merchantId ?? null), before ?? null, limit)
      return { links: links.map((link) => ({ ...link, url: linkAddress(context, link) })) }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/payment-links',
    summary: 'Creates a payment link. Without `amountMinor` the payer chooses the amount.',
    access: 'links.write',
    body: z.strictObject({
      mode: z.enum(['live', 'test']).default('live'),
      amountMinor: minorInput.nullable().default(null),
      currency: z.string().regex(/^[A-Z0-9]{3,10}$/, 'Enter a currency such as EUR.'),
      description: textInput(1024),
      orderNumber: textInput(255).nullable().default(null),
      uses: z.enum(linkUses).default('single'),
      language: language.nullable().default(null),
      metadata: metadata.nullable().default(null),
      expiresAt: instantInput.nullable().default(null),
    }),
    output: shownLink,
    run: async ({ params: { merchantId }, body }, { context, actor }) => {
      const { link, audit } = await createPaymentLink(context, actor, { ...body, merchantId })
      return { answer: { ...link, url: linkAddress(context, link) }, audit }
    },
  }),
  queryEndpoint({
    path: '/merchants/:merchantId/payment-links/:linkId',
    summary: 'Returns a payment link with its newest payments.',
    access: 'payments.read',
    output: shownLink.extend({ payments: z.array(shownPayment).readonly() }),
    run: async ({ params: { merchantId, linkId } }, { context }) => {
      const link = await readPaymentLink(context, merchantId, linkId)
      return { ...link, url: linkAddress(context, link) }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/payment-links/:linkId/mail',
    summary: 'Sends a payment link to a payer by mail.',
    access: 'links.write',
    body: z.strictObject({ to: emailInput }),
    output: doneOutput,
    run: async ({ params: { merchantId, linkId }, body: { to } }, { context }) => ({
      answer: doneAnswer,
      audit: await mailPaymentLink(context, merchantId, linkId, to),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/payment-links/:linkId/cancel',
    summary: 'Cancels a payment link. A payment that has begun may still finish.',
    access: 'links.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { merchantId, linkId } }, { context }) => ({
      answer: doneAnswer,
      audit: await cancelPaymentLink(context, merchantId, linkId),
    }),
  }),
]
