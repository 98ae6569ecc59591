/** Converts the answers that the package read. An answer that does not state the result is `unknown`. */
import { z } from 'zod'
import type { DeclineClass } from '#domain/payment/payment.ts'
import type { AcquirerFacts, MoneyOperation, Outcome } from '../connector.ts'
import { refusedSend } from '../outcome.ts'
import { scrub } from '../scrub.ts'
import { featureFacts } from './messages/later-step.ts'
import type { FlowReading } from './perform.ts'
import { writeMandate } from './stored-credential.ts'
import type { AcquirerRow } from './table/row.ts'

const text = z.string().nullish()
const errorSchema = z.object({
  connectorDetails: z.object({ code: text, message: text, reason: text }).nullish(),
  issuerDetails: z.object({ code: text, message: text }).nullish(),
})

const answerSchema = z.object({
  statusName: z.string().nullable(),
  connectorTransactionId: text,
  connectorRefundId: text,
  networkTransactionId: text,
  error: errorSchema.nullish(),
  redirectionData: z
    .object({
      form: z
        .object({ endpoint: z.url({ protocol: /^https?$/ }), formFields: z.record(z.string(), z.string()).nullish() })
        .nullish(),
      uri: z
        .object({ uri: z.url({ protocol: /^https?$/ }) })
        .nullish()
        .catch(null),
    })
    .nullish(),
  formMethod: text,
  connectorFeatureData: z.object({ value: text }).nullish(),
  mandateReference: z
    .object({
      connectorMandateId: z
        .object({
          connectorMandateId: text,
          paymentMethodId: text,
          connectorMandateRequestReferenceId: text,
          mandateMetadata: z.object({ value: text }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  state: z.object({ connectorCustomerId: text }).nullish(),
})

type PrismAnswer = z.infer<typeof answerSchema>

/** What each status says about the transaction that asked. A status that is not in the list leaves it unknown. */
type Meaning = 'approved' | 'declined' | 'waiting' | 'cancelled' | 'expired' | 'payer' | 'other-step'

const failed = { FAILURE: 'declined', AUTHORIZATION_FAILED: 'declined', ROUTER_DECLINED: 'declined' } as const
const pending = { PENDING: 'waiting', AUTHORIZING: 'waiting', AUTHENTICATION_SUCCESSFUL: 'waiting' } as const
const charge = {
  ...failed,
  ...pending,
  AUTHENTICATION_FAILED: 'declined',
  AUTHENTICATION_PENDING: 'payer',
  DEVICE_DATA_COLLECTION_PENDING: 'other-step',
  VOIDED: 'cancelled',
  EXPIRED: 'expired',
} as const

const meanings: Readonly<
  Record<'sale' | 'authorize' | 'capture' | 'release' | 'refund', Readonly<Record<string, Meaning>>>
> = {
  sale: { ...charge, CHARGED: 'approved', AUTHORIZED: 'waiting', CAPTURE_INITIATED: 'waiting' },
  authorize: { ...charge, AUTHORIZED: 'approved' },
  capture: {
    ...failed,
    ...pending,
    CHARGED: 'approved',
    PARTIAL_CHARGED: 'approved',
    PARTIAL_CHARGED_AND_CHARGEABLE: 'approved',
    CAPTURE_INITIATED: 'waiting',
    CAPTURE_FAILED: 'declined',
  },
  release: { ...failed, ...pending, VOIDED: 'approved', VOID_INITIATED: 'waiting', VOID_FAILED: 'declined' },
  refund: {
    REFUND_SUCCESS: 'approved',
    REFUND_PENDING: 'waiting',
    REFUND_MANUAL_REVIEW: 'waiting',
    REFUND_FAILURE: 'declined',
    REFUND_TRANSACTION_FAILURE: 'declined',
  },
}

const meaningOf = (operation: MoneyOperation, status: string): Meaning | undefined => {
  if (operation === 'reverse' || operation === 'void') return meanings.release[status]
  if (operation === 'authorize' || operation === 'capture' || operation === 'refund') return meanings[operation][status]
  return operation === 'sale' ? meanings.sale[status] : undefined
}

/** The reply to a request that moves money. */
export function outcomeOf(operation: MoneyOperation, reading: FlowReading, row: AcquirerRow): Outcome {
  switch (reading.kind) {
    case 'not-built':
      return refusedSend(`The acquirer does not take this: ${shorten(reading.refusal.message, reading.secrets)}`)
    case 'unread':
      return unknown('The helper process ended before it had read the answer of the acquirer.')
    case 'refused':
      return refusalOutcome(reading, row)
    case 'read':
      return readOutcome(operation, reading, row)
  }
}

function readOutcome(
  operation: MoneyOperation,
  reading: Extract<FlowReading, { kind: 'read' }>,
  row: AcquirerRow,
): Outcome {
  const parsed = answerSchema.safeParse(reading.answer)
  // An acquirer's own error (5xx) proves nothing, whatever the package makes of it.
  if (!parsed.success || reading.status >= 500) return unknown(`The acquirer answered ${reading.status}.`)
  // An acquirer that approves without a word says so with 204; a 200 without one may come from anything on the way.
  if (reading.saysNothing && reading.status !== 204)
    return unknown(`The acquirer answered ${reading.status} without a word.`)
  const answer = parsed.data
  const facts = factsOf(answer, operation)
  const meaning = meaningOf(operation, answer.statusName ?? '')
  switch (meaning) {
    case 'approved':
      // Without its reference a charge could neither be captured nor refunded, nor asked about.
      return isCharge(operation) && facts.reference === undefined
        ? unknown('The acquirer approved without a reference.')
        : { result: 'approved', facts }
    case 'waiting':
      return facts.reference === undefined
        ? unknown(`The answer of the acquirer (${reading.status}) could not be read.`)
        : { result: 'waiting', facts }
    case 'declined':
      // The package reads some pages of strangers as failures: a decline has the acquirer's code or its reference.
      return facts.reference !== undefined || hasCode(answer.error, reading.status)
        ? declinedOrRefused(answer, facts, { row, reading })
        : unknown(`The answer of the acquirer (${reading.status}) could not be read.`)
    case 'cancelled':
      return { result: 'declined', reason: 'Cancelled by payer', declineClass: 'hard', facts }
    case 'expired':
      return { result: 'declined', reason: 'Expired', declineClass: 'hard', facts }
    case 'payer':
      return payerStep(answer, facts, row)
    case 'other-step':
      return { ...unknown(noSuchStep), facts }
    case undefined:
      return { ...unknown('The acquirer has not decided yet.'), facts }
  }
}

/**
 * A hidden page that reads the device, for one: as a page of its own it would leave the payer before nothing. See
 * decisions/three-d-secure#several-steps.
 */
const noSuchStep = 'The acquirer wants a step of the payer that this connector does not have.'

const isCharge = (operation: MoneyOperation): boolean => operation === 'sale' || operation === 'authorize'

function payerStep(
  { redirectionData, formMethod }: PrismAnswer,
  facts: AcquirerFacts,
  { methods }: AcquirerRow,
): Outcome {
  const step = { result: 'payer-step', step: 'REDIRECT', facts } as const
  if (redirectionData?.uri) return { ...step, url: redirectionData.uri.uri, method: 'GET', params: {} }
  const { form } = redirectionData ?? {}
  // The payer acts in an app and stays on the page.
  if (!form && methods && facts.reference !== undefined) return { result: 'waiting', facts }
  if (!form) return { ...unknown(noSuchStep), facts }
  const method = formMethod === 'HTTP_METHOD_GET' ? 'GET' : 'POST'
  return { ...step, url: form.endpoint, method, params: form.formFields ?? {} }
}

/**
 * The package reads the reply as an error of the acquirer, or not at all. Only an error with a code that the acquirer gave says that it looked at
 * the request and did not execute it.
 */
function refusalOutcome(reading: Extract<FlowReading, { kind: 'refused' }>, row: AcquirerRow): Outcome {
  const { status, refusal, secrets } = reading
  if (refusal.code !== 'CONNECTOR_ERROR_RESPONSE')
    return unknown(`The answer of the acquirer (${status}) could not be read.`)
  const atTheDoor = refusalAtTheDoor(status)
  if (atTheDoor) return atTheDoor
  const { data: error } = errorSchema.safeParse(refusal.error)
  if (!decided.has(status) || !hasCode(error, status)) return unknown(`The acquirer answered ${status}.`)
  return decline({ error }, {}, { row, secrets })
}

/** The request was not looked at. Null where it was. */
function refusalAtTheDoor(status: number): Outcome | null {
  if (status === 401 || status === 403) return refusedSend('The acquirer refused the credentials')
  return status === 429 ? refusedSend('The acquirer takes no more requests at the moment') : null
}

/** The package reads wrong credentials as a declined payment at some acquirers. A payment that the acquirer filed was looked at. */
function declinedOrRefused(
  answer: PrismAnswer,
  facts: AcquirerFacts,
  { row, reading }: { readonly row: AcquirerRow; readonly reading: Extract<FlowReading, { kind: 'read' }> },
): Outcome {
  const atTheDoor = facts.reference === undefined ? refusalAtTheDoor(reading.status) : null
  return atTheDoor ?? decline(answer, facts, { row, secrets: reading.secrets })
}

/** True if the acquirer itself gave a code: the package fills in for what is missing. */
function hasCode(error: PrismAnswer['error'], status: number): boolean {
  const code = error?.connectorDetails?.code ?? ''
  return !['', 'NO_ERROR_CODE', 'No error code', String(status)].includes(code)
}

/** By which an acquirer says no to the request itself. Others, such as 409, may be about an earlier one. */
const decided: ReadonlySet<number> = new Set([200, 201, 400, 402, 406, 412, 422])

function decline(
  { error }: Pick<PrismAnswer, 'error'>,
  facts: AcquirerFacts,
  { row, secrets }: { readonly row: AcquirerRow; readonly secrets: readonly string[] },
): Outcome {
  const { connectorDetails, issuerDetails } = error ?? {}
  const codes = [issuerDetails?.code, connectorDetails?.code].filter((code) => typeof code === 'string')
  const reason = connectorDetails?.message ?? connectorDetails?.reason ?? 'Declined'
  return { result: 'declined', reason: shorten(reason, secrets), declineClass: classOf(codes, row), facts }
}

function classOf(codes: readonly string[], { declines = {} }: AcquirerRow): DeclineClass {
  const classes: readonly DeclineClass[] = ['fraud', 'hard', 'authentication_required', 'soft', 'technical']
  const found = classes.find((name) => name !== 'unknown' && declines[name]?.some((code) => codes.includes(code)))
  return found ?? 'unknown'
}

const shorten = (words: string, secrets: readonly string[]): string => String(scrub(words, [], secrets)).slice(0, 200)

function factsOf(answer: PrismAnswer, operation: MoneyOperation): AcquirerFacts {
  const reference = operation === 'refund' ? answer.connectorRefundId : answer.connectorTransactionId
  const extended = isCharge(operation) ? featureFacts(answer.connectorFeatureData?.value ?? null) : null
  return {
    ...(reference && { reference }),
    ...(answer.networkTransactionId && { networkTransactionId: answer.networkTransactionId }),
    ...storedBy(answer),
    ...(extended && { extended }),
  }
}

function storedBy({ mandateReference, state }: PrismAnswer): Pick<AcquirerFacts, 'storedCredential'> {
  const { connectorMandateId: mandate, ...others } = mandateReference?.connectorMandateId ?? {}
  if (!mandate) return {}
  const storedCredential = writeMandate({
    mandate,
    method: others.paymentMethodId === mandate ? undefined : others.paymentMethodId || undefined,
    request: others.connectorMandateRequestReferenceId || undefined,
    details: others.mandateMetadata?.value || undefined,
    customer: state?.connectorCustomerId || undefined,
  })
  return { storedCredential }
}

const unknown = (reason: string): Extract<Outcome, { result: 'unknown' }> => ({
  result: 'unknown',
  reason,
  facts: {},
})
