/** The look of the hosted page, and its preview. Chapter 50 §8, "Checkout branding". */
import { z } from 'zod'
import { templateNames } from '#domain/checkout/branding.ts'
import { dropBranding, findBranding, preview, previewLogo, saveBranding } from '../../../../../panel/setup/branding.ts'
import { changeEndpoint, type Endpoint, pageEndpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emptyBody, instant } from '../../values.ts'
import { withoutUndefined } from '../../without-undefined.ts'

const path = '/merchants/:merchantId/branding'
const colour = z.string().nullable()
const template = z.enum(templateNames)

const shownBranding = z.object({
  template: z.string(),
  colours: z.object({ heading: colour, background: colour, button: colour }),
  /** Served at `/branding/<hash>`. */
  logo: z.object({ hash: z.string(), type: z.string() }).nullable(),
  changedAt: instant,
  changedBy: z.string(),
})

const colourInput = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Enter a colour such as #1a6b3c.')
  .nullable()

const logoInput = z
  .base64()
  .max(200_000)
  .transform((text) => Buffer.from(text, 'base64'))

/** An empty value in the query means the page's default colour. */
const colourQuery = z
  .string()
  .regex(/^(#[0-9a-fA-F]{6})?$/, 'Enter a colour such as #1a6b3c.')
  .transform((text) => (text === '' ? null : text))

export const brandingEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path,
    summary:
      'Returns the branding of a merchant’s hosted page, null for each default value, and the available templates.',
    access: 'branding.read',
    output: z.object({ branding: shownBranding.nullable(), templates: z.array(z.string()).readonly() }),
    run: async ({ params: { merchantId } }, { context }) => ({
      branding: await findBranding(context, merchantId),
      templates: templateNames,
    }),
  }),
  changeEndpoint({
    method: 'PUT',
    path,
    summary: 'Changes colours, template and logo; an absent field is unchanged, null restores the default.',
    access: 'branding.write',
    body: z
      .strictObject({
        heading: colourInput,
        background: colourInput,
        button: colourInput,
        template: template.nullable(),
        /** PNG or SVG as base64. */
        logo: logoInput.nullable(),
      })
      .partial()
      .transform(withoutUndefined),
    output: z.object({ branding: shownBranding }),
    run: async ({ params: { merchantId }, body }, { context, actor }) => {
      const { branding, audit } = await saveBranding(context, actor.label, merchantId, body)
      return { answer: { branding }, audit }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path,
    summary: 'Restores the default branding.',
    access: 'branding.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { merchantId } }, { context }) => ({
      answer: doneAnswer,
      audit: await dropBranding(context, merchantId),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/preview/logo`,
    summary: 'Uploads a logo for the caller’s preview and returns its hash. Payers do not see it.',
    access: 'branding.write',
    body: z.strictObject({ logo: logoInput }),
    output: z.object({ logo: z.string() }),
    run: async ({ body: { logo } }, { context, user }) => ({
      answer: { logo: await previewLogo(context, user.id, logo) },
      audit: 'none',
    }),
  }),
  pageEndpoint({
    path: `${path}/preview`,
    summary: 'Returns a preview of the hosted page for a frame; fields that are not given have their saved values.',
    access: 'branding.read',
    query: {
      heading: colourQuery.optional(),
      background: colourQuery.optional(),
      button: colourQuery.optional(),
      template: template.optional(),
      /** The saved logo, no logo, or by its hash a logo that was uploaded for the preview. */
      logo: z
        .string()
        .regex(/^(saved|none|[0-9a-f]{64})$/)
        .default('saved'),
      language: z.string().max(35).default('en'),
    },
    run: ({ params: { merchantId }, query: { language, logo, ...chosen } }, { context, user }) =>
      preview(context, { userId: user.id, merchantId, language }, { ...withoutUndefined(chosen), logo }),
  }),
]
