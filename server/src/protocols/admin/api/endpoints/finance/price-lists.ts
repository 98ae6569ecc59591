/** Price lists of merchants, and their accounts. Chapter 70 §3. */
import { z } from 'zod'
import { pricedKinds, regions, wholeMillionths } from '#domain/pricing/price-list.ts'
import { listAccountsFor } from '../../../../../panel/finance/accounts.ts'
import { addPriceList, endPriceList, listPriceLists } from '../../../../../panel/finance/price-lists.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { dayInput, doneAnswer, doneOutput, id, instant, minor, minorInput } from '../../values.ts'

const country = z.string().regex(/^[A-Z]{2}$/, 'Enter a country of two letters, such as DE.')
const currency = z.string().regex(/^[A-Z0-9]{3,10}$/, 'Enter a currency such as EUR.')
/** Millionths: 1.25 % is 12500. */
const share = z.int().min(0).max(wholeMillionths)

const shownList = z.object({
  id,
  validFrom: z.string(),
  validTo: z.string().nullable(),
  country: z.string(),
  region: z.array(z.string()).readonly(),
  rules: z
    .array(
      z.object({
        kinds: z.array(z.enum(pricedKinds)).readonly(),
        midIds: z.array(id).readonly(),
        networks: z.array(z.string()).readonly(),
        regions: z.array(z.enum(regions)).readonly(),
        currency: z.string().nullable(),
        fromMinor: minor.nullable(),
        toMinor: minor.nullable(),
        fixedMinor: minor,
        share: z.number(),
        minimumMinor: minor,
      }),
    )
    .readonly(),
  monthly: z.array(z.object({ currency: z.string(), amountMinor: minor })).readonly(),
  reserve: z.object({ share: z.number(), days: z.number() }).nullable(),
  madeBy: z.string(),
  madeAt: instant,
})

const ruleInput = z.strictObject({
  kinds: z.array(z.enum(pricedKinds)).max(10).default([]),
  midIds: z.array(z.uuid()).max(100).default([]),
  networks: z.array(z.string().min(1).max(40)).max(50).default([]),
  regions: z.array(z.enum(regions)).max(3).default([]),
  currency: currency.nullable().default(null),
  fromMinor: minorInput.nullable().default(null),
  toMinor: minorInput.nullable().default(null),
  fixedMinor: minorInput.default(0n),
  share: share.default(0),
  minimumMinor: minorInput.default(0n),
})

const lists = '/merchants/:merchantId/price-lists'

export const priceListEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: lists,
    summary: 'Lists the price lists of a merchant, the newest first.',
    access: 'accounts.read',
    output: z.object({ lists: z.array(shownList).readonly() }),
    run: async ({ params: { merchantId } }, { context }) => ({ lists: await listPriceLists(context, merchantId) }),
  }),
  changeEndpoint({
    method: 'POST',
    path: lists,
    summary: 'Adds a price list. Its days must not overlap with those of another list, and it begins in the future.',
    access: 'accounts.write',
    body: z.strictObject({
      validFrom: dayInput,
      validTo: dayInput.nullable().default(null),
      country,
      region: z.array(country).max(250).default([]),
      rules: z.array(ruleInput).max(200),
      monthly: z
        .array(z.strictObject({ currency, amountMinor: minorInput }))
        .max(20)
        .default([]),
      reserve: z
        .strictObject({ share, days: z.int().min(1).max(730) })
        .nullable()
        .default(null),
    }),
    output: z.object({ id }),
    run: async ({ params: { merchantId }, body }, { context, actor }) => ({
      answer: { id: await addPriceList(context, actor, merchantId, body) },
      audit: 'written',
    }),
  }),
  changeEndpoint({
    method: 'PUT',
    path: `${lists}/:listId`,
    summary: 'Ends a price list with a day that is not over yet.',
    access: 'accounts.write',
    body: z.strictObject({ validTo: dayInput }),
    output: doneOutput,
    run: async ({ params: { merchantId, listId }, body }, { context, actor }) => {
      await endPriceList(context, actor, { merchantId, id: listId }, body.validTo)
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
  queryEndpoint({
    path: '/merchants/:merchantId/accounts',
    summary:
      'Returns the accounts of a merchant per currency: now, or the changes from one day to another. Fees of the acquirer and the margin are only for users with `settlements.read`.',
    access: 'accounts.read',
    query: { from: dayInput.optional(), to: dayInput.optional() },
    output: z.object({
      accounts: z
        .array(
          z.object({
            currency: z.string(),
            decimals: z.number(),
            receivableMinor: minor,
            acquirerFeesMinor: minor.optional(),
            feesMinor: minor,
            marginMinor: minor.optional(),
            reserveMinor: minor,
            payableMinor: minor,
            paidOutMinor: minor,
          }),
        )
        .readonly(),
    }),
    run: async ({ params: { merchantId }, query: { from, to } }, { context, grant }) => ({
      accounts: await listAccountsFor(context, grant, merchantId, { from: from ?? null, to: to ?? null }),
    }),
  }),
]
