/** Merchants: settings, keys, secrets, notification addresses. */
import { z } from 'zod'
import { maskedAddress } from '#domain/address/callback-address.ts'
import { type Merchant, withMaskedAddresses } from '#domain/merchant.ts'
import { readCommissions } from '#domain/money/commission.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { isZone } from '#domain/schedule/day.ts'
import { parseIpList } from '../../../../../network/ip-list.ts'
import { askForPassword } from '../../../../../panel/access/password-reveal.ts'
import * as merchants from '../../../../../panel/setup/merchants.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { emailInput, emptyBody, id, instant, textInput, webAddress } from '../../values.ts'
import { withoutUndefined } from '../../without-undefined.ts'

const shownMerchant = z.object({
  id,
  name: z.string(),
  title: z.string(),
  key: id,
  testKey: id,
  contactEmail: z.string().nullable(),
  notificationUrl: z.string().nullable(),
  testNotificationUrl: z.string().nullable(),
  allowedIps: z.array(z.string()).readonly(),
  status: z.enum(['active', 'blocked']),
  testOnly: z.boolean(),
  mpiService: z.enum(['none', 'sandbox', 'external']),
  defaultCurrency: z.string().nullable(),
  timeZone: z.string(),
  debitCommission: z.record(z.string(), z.object({ fixed: z.string(), percent: z.string() })),
  ratePerSecond: z.number().nullable(),
  vatPercent: z.string().nullable(),
})

const merchantAnswer = (merchant: Merchant): z.input<typeof shownMerchant> => ({
  ...withMaskedAddresses(merchant),
  debitCommission: Object.fromEntries(
    [...merchant.debitCommission].map(([currency, { fixedMinor, percent }]) => [
      currency,
      { fixed: formatAmount(fixedMinor, currency), percent },
    ]),
  ),
})

/** Settings that the merchant's own users may change. */
const ownSettings = {
  contactEmail: emailInput.nullable(),
  notificationUrl: webAddress.nullable(),
  testNotificationUrl: webAddress.nullable(),
  allowedIps: z
    .array(z.string().trim().max(64))
    .max(500)
    .superRefine((ranges, context) => {
      const list = parseIpList(ranges)
      if (!list.ok) for (const message of list.faults) context.addIssue({ code: 'custom', message })
    }),
}

/** Settings that only the operator may change. */
const settings = {
  title: textInput(100),
  status: z.enum(['active', 'blocked']),
  testOnly: z.boolean(),
  mpiService: z.enum(['none', 'sandbox', 'external']),
  defaultCurrency: z
    .string()
    .refine((code) => exponentOf(code) !== undefined, 'Enter an ISO 4217 currency such as EUR.')
    .nullable(),
  timeZone: z.string().refine(isZone, 'Enter a time zone such as Europe/Paris.'),
  ratePerSecond: z.number().int().min(1).max(100_000).nullable(),
  vatPercent: z
    .string()
    .regex(/^(?:100|[0-9]{1,2})(?:\.[0-9]{1,3})?$/, 'Enter a percentage such as 19.5.')
    .nullable(),
  debitCommission: z
    .record(z.string().max(10), z.strictObject({ fixed: z.string().max(30), percent: z.string().max(10) }))
    .transform((texts, context) => {
      const read = readCommissions(texts)
      if (read.ok) return read.commissions
      for (const message of read.faults) context.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
}

export const merchantEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/merchants',
    summary: 'Lists the caller’s merchants.',
    access: 'merchants.read',
    output: z.object({ merchants: z.array(shownMerchant) }),
    run: async (_, { context, grant }) => ({
      merchants: (await merchants.listMerchantsFor(context, grant)).map(merchantAnswer),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants',
    summary: 'Creates a merchant; its secrets are shown once.',
    access: 'merchants.create',
    body: z
      .strictObject({
        name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Use up to 63 lowercase letters, digits and hyphens.'),
        ...settings,
        ...ownSettings,
      })
      .partial()
      .required({ name: true, title: true })
      .transform((sent) => ({ ...withoutUndefined(sent), name: sent.name, title: sent.title })),
    output: z.object({ merchant: shownMerchant, password: z.string(), webhookSecret: z.string() }),
    run: async ({ body }, { context }) => {
      const { merchant, password, webhookSecret } = await merchants.enterMerchant(context, body)
      return {
        answer: {
          merchant: merchantAnswer(merchant),
          password: password.reveal(),
          webhookSecret: webhookSecret.reveal(),
        },
        audit: { ...merchants.merchantAudit('merchant.create', merchant.id), after: withMaskedAddresses(merchant) },
      }
    },
  }),
  queryEndpoint({
    path: '/merchants/:merchantId',
    summary: 'Returns a merchant with its notification addresses and their block state.',
    access: 'merchants.read',
    output: z.object({
      merchant: shownMerchant,
      previousPasswordUntil: instant.nullable(),
      notificationAddresses: z.array(z.object({ url: z.string(), blockedUntil: instant.nullable() })).readonly(),
    }),
    run: async ({ params: { merchantId } }, { context }) => {
      const row = await merchants.requireMerchant(context, merchantId)
      return {
        merchant: merchantAnswer(row),
        previousPasswordUntil: row.previousPasswordUntil,
        notificationAddresses: await merchants.listNotificationAddresses(context, row),
      }
    },
  }),
  changeEndpoint({
    method: 'PATCH',
    path: '/merchants/:merchantId',
    summary: 'Changes the operator’s settings of a merchant.',
    access: 'merchants.write',
    body: z
      .strictObject({ ...settings, ...ownSettings })
      .partial()
      .transform(withoutUndefined),
    output: shownMerchant,
    run: async ({ params: { merchantId }, body }, { context }) => {
      const { merchant, audit } = await merchants.changeMerchant(context, merchantId, body)
      return { answer: merchantAnswer(merchant), audit }
    },
  }),
  changeEndpoint({
    method: 'PATCH',
    path: '/merchants/:merchantId/settings',
    summary: 'Changes contact, notification addresses and allowed addresses.',
    access: 'merchants.settings',
    body: z.strictObject(ownSettings).partial().transform(withoutUndefined),
    output: shownMerchant,
    run: async ({ params: { merchantId }, body }, { context }) => {
      const { merchant, audit } = await merchants.changeMerchant(context, merchantId, body)
      return { answer: merchantAnswer(merchant), audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/password',
    summary: 'Rotates the password; the new one is shown once, the old one works until the overlap ends.',
    access: 'merchants.secrets',
    stepUp: true,
    body: z.strictObject({ overlapHours: z.number().int().min(0).max(8760).default(24) }),
    output: z.object({ password: z.string(), oldUntil: instant }),
    run: async ({ params: { merchantId }, body }, { context }) => {
      const { password, until, audit } = await merchants.issueMerchantPassword(context, merchantId, body.overlapHours)
      return { answer: { password: password.reveal(), oldUntil: until }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/password/reveal',
    summary: 'Requests that the password be shown; a second person must approve.',
    access: 'merchants.secrets',
    body: z.strictObject({ reason: textInput(500) }),
    output: z.object({ approvalId: id }),
    run: async ({ params: { merchantId }, body }, { context, user, actor }) => {
      const { id: approvalId } = await askForPassword(context, { user, actor }, merchantId, body.reason)
      return { answer: { approvalId }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/webhook-secrets',
    summary: 'Adds a webhook secret, shown once; callbacks are signed with the older secrets as well.',
    access: 'merchants.secrets',
    stepUp: true,
    body: emptyBody,
    output: z.object({ webhookSecret: z.string() }),
    run: async ({ params: { merchantId } }, { context }) => {
      const webhookSecret = await merchants.addWebhookSecret(context, merchantId)
      return {
        answer: { webhookSecret: webhookSecret.reveal() },
        audit: merchants.merchantAudit('merchant.add-webhook-secret', merchantId),
      }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/merchants/:merchantId/webhook-secrets',
    summary: 'Removes all webhook secrets except the newest.',
    access: 'merchants.secrets',
    body: emptyBody,
    output: z.object({ dropped: z.number() }),
    run: async ({ params: { merchantId } }, { context }) => {
      const dropped = await merchants.dropOldWebhookSecrets(context, merchantId)
      const audit = { ...merchants.merchantAudit('merchant.drop-webhook-secrets', merchantId), after: { dropped } }
      return { answer: { dropped }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/unblock',
    summary: 'Unblocks a notification address; waiting callbacks are sent at once.',
    access: 'callbacks.resend',
    body: z.strictObject({ url: z.string().max(2048) }),
    output: z.object({ lifted: z.boolean() }),
    run: async ({ params: { merchantId }, body: { url } }, { context }) => {
      const lifted = await merchants.unblockAddress(context, await merchants.requireMerchant(context, merchantId), url)
      return {
        answer: { lifted },
        audit: {
          ...merchants.merchantAudit('callback-url.unblock', merchantId),
          after: { url: maskedAddress(url), lifted },
        },
      }
    },
  }),
]
