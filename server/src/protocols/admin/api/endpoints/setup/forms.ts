/** Merchants' own forms with their review. Chapter 30 §9.4. */
import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import {
  addForm,
  changeForm,
  findingsOf,
  findReturn,
  findReviewObstacle,
  listFormFiles,
  listFormsFor,
  readFormCode,
  requireDigest,
  requireForm,
  requireOtherReviewer,
} from '../../../../../panel/setup/forms.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { id, instant, textInput } from '../../values.ts'

const path = '/merchants/:merchantId/forms'

const shownForm = z.object({
  id,
  merchantId: id,
  formId: z.string(),
  version: z.number(),
  state: z.enum(['draft', 'in review', 'approved', 'withdrawn']),
  uploadedAt: instant,
  changedAt: instant,
  changedBy: z.string(),
})

/** Base64 is a third longer, and the rest of the body is small. */
const archiveBytes = Math.ceil((limits.checkout.formBytes * 4) / 3) + 4096

const texts = z.array(z.string()).readonly()
const formAnswer = z.object({ form: shownForm })

const digest = z.string().regex(/^[0-9a-f]{64}$/)

const diffLine = z.object({
  kind: z.enum(['same', 'added', 'removed', 'gap']),
  text: z.string(),
  before: z.number().nullable(),
  after: z.number().nullable(),
})

const readFile = z.object({
  path: z.string(),
  bytes: z.number(),
  sha256: digest,
  text: z.string().nullable(),
  change: z.enum(['added', 'changed', 'removed', 'same']).nullable(),
  diff: z.array(diffLine).readonly().nullable(),
  findings: z.array(z.object({ line: z.number(), text: z.string() })).readonly(),
})

export const formEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/forms',
    summary: 'Lists forms of the caller’s merchants for review, newest versions first.',
    access: 'branding.read',
    query: { state: shownForm.shape.state.optional() },
    output: z.object({ forms: z.array(shownForm).readonly() }),
    run: async ({ query: { state } }, { context, grant }) => {
      const forms = await listFormsFor(context, grant, null)
      return { forms: forms.filter((form) => state === undefined || form.state === state) }
    },
  }),
  queryEndpoint({
    path,
    summary: 'Lists forms of a merchant, newest versions first.',
    access: 'branding.read',
    output: z.object({ forms: z.array(shownForm).readonly() }),
    run: async ({ params: { merchantId } }, { context, grant }) => ({
      forms: await listFormsFor(context, grant, merchantId),
    }),
  }),
  queryEndpoint({
    path: `${path}/:form`,
    summary: 'Returns a form with its template, file names, review findings and the reason if it was returned.',
    access: 'branding.read',
    output: z.object({
      form: shownForm,
      template: z.string(),
      files: z.array(z.object({ path: z.string(), bytes: z.number() })).readonly(),
      /** `faults` prevent the approval; `scripts` and `styles` are the sources that the form's policy would allow. */
      findings: z.object({ faults: texts, scripts: texts, styles: texts }),
      returned: z.object({ reason: z.string(), at: instant, by: z.string() }).nullable(),
      /** Why the caller does not approve the form, for example because the caller uploaded it. */
      obstacle: z.string().nullable(),
    }),
    run: async ({ params: { merchantId, form: formId } }, { context, user }) => {
      const form = await requireForm(context, merchantId, formId)
      const [files, returned, obstacle] = await Promise.all([
        listFormFiles(context, form),
        findReturn(context, form),
        findReviewObstacle(context, form, user),
      ])
      return { form, template: form.template, files, findings: findingsOf(form), returned, obstacle }
    },
  }),
  queryEndpoint({
    path: `${path}/:form/code`,
    summary:
      'Returns the code of a form for its review: all files, changes since the last approved version, and findings.',
    access: 'branding.read',
    output: z.object({
      /** The digest of the whole form, which an approval must name. */
      digest,
      against: z.object({ version: z.number(), approvedAt: instant.nullable() }).nullable(),
      files: z.array(readFile).readonly(),
    }),
    run: async ({ params: { merchantId, form } }, { context }) =>
      readFormCode(context, await requireForm(context, merchantId, form)),
  }),
  changeEndpoint({
    method: 'POST',
    path,
    summary: 'Uploads a form as the next version of its name; it begins as a draft.',
    access: 'branding.write',
    bodyBytes: archiveBytes,
    body: z.strictObject({ formId: textInput(limits.length.formId), archive: z.base64().max(archiveBytes) }),
    output: formAnswer,
    run: async ({ params: { merchantId }, body: { formId, archive } }, { context, actor }) => {
      const upload = { merchantId, formId, archive: Buffer.from(archive, 'base64') }
      const { form, audit } = await addForm(context, actor.label, upload)
      return { answer: { form }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/:form/state`,
    summary: 'Submits a form for review, returns it to draft, or withdraws it.',
    access: 'branding.write',
    body: z.strictObject({ state: z.enum(['draft', 'in review', 'withdrawn']) }),
    output: formAnswer,
    run: async ({ params: { merchantId, form: formId }, body: { state } }, { context, actor }) => {
      const { form, audit } = await changeForm(context, actor.label, await requireForm(context, merchantId, formId), {
        state,
      })
      return { answer: { form }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/:form/review`,
    summary:
      'Approves a form that another user uploaded, in exactly the reviewed content, which payers then see, or returns it to draft with a reason.',
    access: 'forms.review',
    body: z.discriminatedUnion('decision', [
      z.strictObject({ decision: z.literal('approve'), digest }),
      z.strictObject({ decision: z.literal('refuse'), reason: textInput(500) }),
    ]),
    output: formAnswer,
    run: async ({ params: { merchantId, form: formId }, body }, { context, actor, user }) => {
      const found = await requireForm(context, merchantId, formId)
      if (body.decision === 'approve') {
        await requireOtherReviewer(context, found, user)
        await requireDigest(context, found, body.digest)
      }
      const wish =
        body.decision === 'approve'
          ? ({ state: 'approved' } as const)
          : ({ state: 'draft', reason: body.reason } as const)
      const { form, audit } = await changeForm(context, actor.label, found, wish)
      return { answer: { form }, audit }
    },
  }),
]
