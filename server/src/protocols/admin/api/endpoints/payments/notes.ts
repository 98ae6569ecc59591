/** Notes and tags of payments. Chapter 70 §5. */
import { z } from 'zod'
import { addNote, readAnnotations, replaceTags } from '../../../../../panel/notes/payment-notes.ts'
import { requirePayment } from '../../../../../panel/payments/payment-commands.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { id, instant, textInput } from '../../values.ts'

const shownNote = z.object({ id, text: z.string(), author: z.string(), writtenAt: instant })

export const tagInput = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,39}$/,
    'Use letters, digits, dots and hyphens, at most 40 characters, such as refund-call.',
  )

const tagsAtMost = 20

export const noteEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/merchants/:merchantId/payments/:paymentId/notes',
    summary: 'Returns the notes of a payment, newest first, and its tags.',
    access: 'payments.read',
    output: z.object({ notes: z.array(shownNote).readonly(), tags: z.array(z.string()).readonly() }),
    run: async ({ params: { merchantId, paymentId } }, { context }) =>
      readAnnotations(context, await requirePayment(context, merchantId, paymentId)),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/payments/:paymentId/notes',
    summary: 'Writes a note on a payment. It cannot be changed, and is erased with the payer’s data.',
    access: 'payments.annotate',
    body: z.strictObject({ text: textInput(2000) }),
    output: z.object({ note: shownNote }),
    run: async ({ params: { merchantId, paymentId }, body: { text } }, { context, actor }) => ({
      answer: { note: await addNote(context, actor, await requirePayment(context, merchantId, paymentId), text) },
      audit: 'written',
    }),
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/merchants/:merchantId/payments/:paymentId/tags',
    summary: 'Replaces the tags of a payment, by which payments can be searched.',
    access: 'payments.annotate',
    body: z.strictObject({ tags: z.array(tagInput).max(tagsAtMost) }),
    output: z.object({ tags: z.array(z.string()).readonly() }),
    run: async ({ params: { merchantId, paymentId }, body: { tags } }, { context, actor }) => ({
      answer: { tags: await replaceTags(context, actor, await requirePayment(context, merchantId, paymentId), tags) },
      audit: 'written',
    }),
  }),
]
