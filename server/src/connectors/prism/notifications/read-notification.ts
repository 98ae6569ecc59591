/**
 * A notification of an acquirer of the family: verified by us, then by the package, and read by the package for whom it is about. It is never more
 * than a reason to ask, since what the package makes of it is not what the acquirer answers to a question.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { JsonObject } from '../../../contracts/json.ts'
import type { AcquirerEvent } from '../../connector.ts'
import { type NotificationReading, type NotificationRequest, rejectUnverified } from '../../notification.ts'
import type { PrismLink } from '../perform.ts'
import { enumValue } from '../transformer/protocol.ts'
import { askTwice } from '../transformer/transformer.ts'
import { type SignedReports, signedReports } from './signatures.ts'

export async function readNotification(request: NotificationRequest, link: PrismLink): Promise<NotificationReading> {
  const signed = signedReports[link.row.name]
  if (signed === undefined) return rejectUnverified('Notifications of this acquirer are not taken.')
  const secrets = secretsOf(signed, link)
  if (secrets.length === 0) return rejectUnverified('The MID has no webhook secret.')
  const reason = signed.verify(request, secrets)
  if (reason !== null) return rejectUnverified(reason)
  const id = createHash('sha256').update(request.body).digest('hex')
  const event = await readEvent(request, link, secrets)
  // Genuine, and of a kind that the package does not know.
  if (event === null) return { kind: 'ignored', id }
  if (!event.sourceVerified) return rejectUnverified('The package does not find the signature.')
  const reported = reportedEvent(event, { reference: id, at: request.receivedAt })
  return reported === null ? { kind: 'ignored', id } : { kind: 'verified', id, events: [reported] }
}

function secretsOf({ secret }: SignedReports, { credentials }: PrismLink): readonly string[] {
  return [credentials[secret], credentials.webhook_secret_previous].filter((one) => one !== undefined)
}

/** Null if the package cannot read it. A helper that does not answer is a fault, so that the acquirer sends the notification again. */
async function readEvent(
  request: NotificationRequest,
  { transformer, mode, config }: PrismLink,
  secrets: readonly string[],
): Promise<EventReading | null> {
  let read: EventReading | null = null
  for (const secret of secrets) {
    const call = { mode, config, request: eventMessage(request, secret) }
    const result = await askTwice(() => transformer.readEvent(call))
    read = result.kind === 'done' ? (eventSchema.safeParse(result.value).data ?? null) : null
    if (read?.sourceVerified) break
  }
  return read
}

/** Names of headers as they come and as acquirers document them: the package looks for either, by the acquirer. */
function eventMessage({ headers, body }: NotificationRequest, secret: string): JsonObject {
  const named = Object.entries(headers).flatMap(([name, value]) => [
    [name, value],
    [name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()), value],
  ])
  return {
    requestDetails: {
      method: enumValue('HttpMethod', 'HTTP_METHOD_POST'),
      headers: Object.fromEntries(named),
      body: { $bytes: body.toString('base64') },
    },
    webhookSecrets: { secret },
  }
}

const text = z.string().nullish()
const eventSchema = z.object({
  sourceVerified: z.boolean().default(false),
  eventTypeName: z.string().nullable(),
  payment: z
    .object({ statusName: z.string().nullable(), connectorTransactionId: text, merchantTransactionId: text })
    .nullish(),
  refund: z.object({ statusName: z.string().nullable(), connectorRefundId: text, merchantRefundId: text }).nullish(),
  dispute: z.object({ connectorDisputeId: text, connectorTransactionId: text, disputeReason: text }).nullish(),
  named: z
    .object({
      payment: z.object({ connectorTransactionId: text, merchantTransactionId: text }).nullish(),
      refund: z.object({ connectorRefundId: text, merchantRefundId: text }).nullish(),
      dispute: z.object({ connectorTransactionId: text }).nullish(),
    })
    .nullish(),
})
type EventReading = z.infer<typeof eventSchema>

/** Statuses in which something was decided. In others the payer or the acquirer is not done, and the plan of questions goes on. */
const decided: ReadonlySet<string> = new Set([
  'AUTHENTICATION_FAILED',
  'AUTHORIZATION_FAILED',
  'AUTHORIZED',
  'CAPTURE_FAILED',
  'CHARGED',
  'EXPIRED',
  'FAILURE',
  'PARTIAL_CHARGED',
  'PARTIAL_CHARGED_AND_CHARGEABLE',
  'REFUND_FAILURE',
  'REFUND_SUCCESS',
  'ROUTER_DECLINED',
  'VOIDED',
  'VOID_FAILED',
])

/** Null where nothing is decided or nothing is named. */
function reportedEvent(event: EventReading, head: Pick<AcquirerEvent, 'reference' | 'at'>): AcquirerEvent | null {
  const { payment, refund, eventTypeName } = event
  const isDispute = eventTypeName?.startsWith('WEBHOOK_DISPUTE') ?? false
  if (!isDispute && !decided.has((refund ?? payment)?.statusName ?? '')) return null
  const names = namesAmong(namesIn(event, isDispute))
  if (names.transactionId === null && names.acquirerReference === null) return null
  return { kind: 'reported', paymentId: null, ...head, ...names, task: isDispute ? disputeTask(event) : null }
}

/** Takes the acquirer's own names first: for some acquirers the package's second reading adds our own name. */
function namesIn(
  { payment, refund, dispute, named }: EventReading,
  isDispute: boolean,
): readonly (string | null | undefined)[] {
  if (isDispute) return [dispute?.connectorTransactionId, named?.dispute?.connectorTransactionId]
  if (refund)
    return [
      refund.connectorRefundId,
      refund.merchantRefundId,
      named?.refund?.connectorRefundId,
      named?.refund?.merchantRefundId,
    ]
  return [
    payment?.connectorTransactionId,
    payment?.merchantTransactionId,
    named?.payment?.connectorTransactionId,
    named?.payment?.merchantTransactionId,
  ]
}

/** The package mixes up the acquirer's names and ours; ours have a form that no acquirer uses. */
function namesAmong(values: readonly (string | null | undefined)[]) {
  const texts = values.filter((value): value is string => typeof value === 'string' && value !== '')
  const ours = texts.find((value) => /^[0-9a-f]{32}$/.test(value)) ?? null
  const transactionId = ours?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') ?? null
  return { transactionId, acquirerReference: texts.find((value) => value !== ours) ?? null }
}

const disputeTask = ({ dispute, eventTypeName }: EventReading): string => {
  const state = (eventTypeName ?? '').replace('WEBHOOK_DISPUTE_', '').toLowerCase()
  const id = dispute?.connectorDisputeId ?? ''
  const reason = dispute?.disputeReason ?? ''
  return `The acquirer reports a dispute: ${state}${id === '' ? '' : `, ${id}`}${reason === '' ? '' : ` (${reason.slice(0, 100)})`}. Enter the chargeback in the panel.`
}
