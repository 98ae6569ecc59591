/** A webhook of Checkout.com, before it is known what it reports. */

import { z } from 'zod'
import { parseJson } from '#domain/json.ts'

const webhookSchema = z.object({
  id: z.string().min(1).max(200),
  type: z.string(),
  /** Two names for the same, by the version of the webhook. */
  timestamp: z.string().optional(),
  created_on: z.string().optional(),
  data: z.unknown(),
})

export type Webhook = z.infer<typeof webhookSchema> & { readonly at: Date }

/** Null if it is no webhook of Checkout.com. */
export function parseWebhook(body: Buffer): Webhook | null {
  const parsed = webhookSchema.safeParse(parseJson(body.toString('utf8')))
  if (!parsed.success) return null
  const at = new Date(parsed.data.timestamp ?? parsed.data.created_on ?? '')
  return Number.isNaN(at.getTime()) ? null : { ...parsed.data, at }
}
