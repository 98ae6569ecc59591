/** What notifications of CyberSource report, as events. Each says when to ask; the outcome is what CyberSource then answers. */

import { z } from 'zod'
import { parseJson } from '#domain/json.ts'
import type { AcquirerEvent } from '../connector.ts'
import { readMerchantReference } from '../merchant-reference.ts'
import { decryptMessage } from './message-encryption.ts'

const envelopeSchema = z.object({ eventType: z.string().min(1).max(200), eventDate: z.string(), payload: z.unknown() })

export type Envelope = z.infer<typeof envelopeSchema>

const encryptedSchema = z.union([
  z.object({ encData: z.string() }).transform(({ encData }) => encData),
  z.object({ encryptedRequest: z.string() }).transform(({ encryptedRequest }) => encryptedRequest),
])

/** The whole notification may be encrypted, or only what is inside it. */
export function readEnvelope(text: string, privateKey: string | undefined): Envelope | 'encrypted' | 'unreadable' {
  const isCompact = /^[\w-]+(?:\.[\w-]*){4}$/.test(text.trim())
  const body = isCompact ? { encData: text.trim() } : parseJson(text)
  const { data: message } = encryptedSchema.safeParse(body)
  if (message === undefined) return asEnvelope(body)
  if (privateKey === undefined) return 'encrypted'
  const opened = decryptMessage(message, privateKey)
  return opened === null ? 'encrypted' : asEnvelope(parseJson(opened))
}

function asEnvelope(body: unknown): Envelope | 'unreadable' {
  const { data: envelope } = envelopeSchema.safeParse(body)
  return envelope && !Number.isNaN(Date.parse(envelope.eventDate)) ? envelope : 'unreadable'
}

/** Events about a payment that was made here: its own, and the decision of a person about one that the risk rules held back. */
const isDecision = (eventType: string): boolean =>
  eventType.startsWith('payments.') || eventType.startsWith('risk.casemanagement.decision.')

/** Where the products of CyberSource put the transaction. */
const detailsSchema = z.object({
  clientReferenceInformation: z.object({ code: z.string() }).optional().catch(undefined),
  /** The reference of a case. */
  referenceNumber: z.string().optional().catch(undefined),
})
const dataSchema = z.object({ data: z.unknown() })
const resultSchema = z.object({ transactionResult: z.object({ details: z.unknown() }) })

const referencesIn = (payload: unknown): readonly string[] =>
  (Array.isArray(payload) ? payload : [payload]).flatMap((item: unknown) => {
    const inner = dataSchema.safeParse(item).data?.data ?? resultSchema.safeParse(item).data?.transactionResult.details
    const details = detailsSchema.safeParse(inner ?? item).data
    return details?.clientReferenceInformation?.code ?? details?.referenceNumber ?? []
  })

/** Empty if the notification reports nothing about a payment of ours. */
export function toEvents({ eventType, eventDate, payload }: Envelope, id: string): readonly AcquirerEvent[] {
  if (!isDecision(eventType)) return []
  const at = new Date(eventDate)
  return [...new Set(referencesIn(payload))].flatMap((reference, index) => {
    const key = readMerchantReference(reference)
    return key ? [{ kind: 'decided', reference: `${id}.${index}`, ...key, at } as const] : []
  })
}
