/** Brands and card networks. */
import { z } from 'zod'
import {
  copyBrandAs,
  listBrands,
  requireBrand,
  saveBrandRecord,
  switchBrandTo,
} from '../../../../../panel/setup/brands.ts'
import { brandRecordInput, shownBrandRecord } from '../../documented.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { countInput, textInput } from '../../values.ts'

const shownBrand = z.object({
  code: z.string(),
  kind: z.string(),
  enabled: z.boolean(),
  version: z.number(),
  record: shownBrandRecord,
})

export const brandEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/brands',
    summary: 'Lists brands and card networks.',
    access: 'brands.read',
    output: z.object({ brands: z.array(shownBrand).readonly() }),
    run: async (_, { context }) => ({ brands: await listBrands(context) }),
  }),
  queryEndpoint({
    path: '/brands/:brand',
    summary: 'Returns a brand with its record.',
    access: 'brands.read',
    output: shownBrand,
    run: ({ params: { brand } }, { context }) => requireBrand(context, brand),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/brands',
    summary: 'Creates a brand from its record, or replaces the record.',
    access: 'brands.write',
    body: z.strictObject({
      record: brandRecordInput,
      /** The version that the user edited, 0 for none; refused if it has changed since. */
      over: countInput.min(0).optional(),
    }),
    output: shownBrand,
    run: async ({ body: { record, over } }, { context, actor }) => {
      const { brand, audit } = await saveBrandRecord(context, actor.label, record, over)
      return { answer: brand, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/brands/:brand/copy',
    summary: 'Copies a brand under a new code.',
    access: 'brands.write',
    body: z.strictObject({ code: textInput(64), title: textInput(100).nullable().default(null) }),
    output: shownBrand,
    run: async ({ params, body: { code, title } }, { context, actor }) => {
      const { brand, audit } = await copyBrandAs(context, actor.label, { code: params.brand, as: code, title })
      return { answer: brand, audit }
    },
  }),
  changeEndpoint({
    method: 'PATCH',
    path: '/brands/:brand',
    summary: 'Enables or disables a brand or a card network.',
    access: 'brands.write',
    body: z.strictObject({ enabled: z.boolean() }),
    output: shownBrand,
    run: async ({ params, body: { enabled } }, { context, actor }) => {
      const { brand, audit } = await switchBrandTo(context, actor.label, params.brand, enabled)
      return { answer: brand, audit }
    },
  }),
]
