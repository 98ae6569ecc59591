/** The Disputes API v30: reasons of a defence, its documents, the defence and the acceptance. Adyen answers 200 also where it refuses. */
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { DisputeAnswer } from '../kit/dispute-pages.ts'
import type { Execution } from '../kit/idempotency.ts'
import { countPages, describeFile } from '../kit/uploads.ts'
import { takeStep } from './disputes.ts'
import { invalid } from './errors.ts'
import type { Payment, Payments } from './payment.ts'

type Fields = Readonly<Record<string, unknown>>
export type DisputeMethod =
  | 'retrieveApplicableDefenseReasons'
  | 'supplyDefenseDocument'
  | 'defendDispute'
  | 'acceptDispute'

interface Caller {
  readonly body: Fields
  readonly account: string
  readonly merchantAccount: string
  readonly payments: Payments
}

const typesOf = (...codes: readonly (readonly [code: string, level: string])[]) =>
  codes.map(([defenseDocumentTypeCode, requirementLevel]) => ({
    defenseDocumentTypeCode,
    requirementLevel,
    available: false,
  }))

const defenseReasons = [
  {
    defenseReasonCode: 'SupplyDefenseMaterial',
    defenseDocumentTypes: typesOf(['DefenseMaterial', 'Required'], ['TIDorInvoice', 'Optional']),
    satisfied: false,
  },
  {
    defenseReasonCode: 'GoodsWereAsDescribed',
    defenseDocumentTypes: typesOf(['GoodsWereAsDescribed', 'Required'], ['TIDorInvoice', 'Required']),
    satisfied: false,
  },
]

export function serveDispute(method: DisputeMethod, caller: Caller): Execution<Payment> {
  const { body, account, merchantAccount, payments } = caller
  if (body.merchantAccountCode !== merchantAccount) return refuse(invalid('901', 'Invalid Merchant Account'))
  const payment = payments.withDispute(account, String(body.disputePspReference))
  if (!payment?.dispute) return refuse(fail('Dispute not found'))
  if (method === 'retrieveApplicableDefenseReasons') return refuse(succeed({ defenseReasons }))
  const { state } = payment.dispute
  if (state !== 'open' && state !== 'inquiry') return refuse(fail('Dispute is not in a state that allows it'))
  switch (method) {
    case 'supplyDefenseDocument':
      return supply(payment, payment.dispute, body)
    case 'defendDispute':
      return defend(payment, payment.dispute, caller)
    case 'acceptDispute':
      return step(
        { ...payment, dispute: { ...payment.dispute, answer: { answer: 'accepted', documents: [] } } },
        state === 'inquiry' ? 'inquiry-accepted' : 'accepted',
        merchantAccount,
      )
  }
}

type Dispute = NonNullable<Payment['dispute']>

const mostBytes: Readonly<Record<string, number>> = {
  'application/pdf': 2_000_000,
  'image/jpg': 10_000_000,
  'image/tiff': 10_000_000,
}
/** Of a document about a card of Discover or Diners Club. */
const mostBytesOfDiscover = 3_000_000
/** Of a document about a card of Mastercard. */
const mostPages = 19

function supply(payment: Payment, dispute: Dispute, body: Fields): Execution<Payment> {
  const sent: readonly unknown[] = Array.isArray(body.defenseDocuments) ? body.defenseDocuments : []
  if (sent.length === 0) return refuse(invalid('130', 'Required field defenseDocuments is not provided.'))
  const documents: DisputeAnswer['documents'][number][] = []
  for (const { defenseDocumentTypeCode, contentType, content } of sent.filter(isObject)) {
    const [bytes, type] = [Buffer.from(String(content), 'base64'), String(contentType)]
    const fault = faultOf(bytes, type, payment)
    if (fault !== null) return refuse(fail(fault))
    documents.push({ as: String(defenseDocumentTypeCode), ...describeFile(bytes, type) })
  }
  const others = (dispute.documents ?? []).filter(({ as }) => !documents.some((one) => one.as === as))
  const after: Payment = { ...payment, dispute: { ...dispute, documents: [...others, ...documents] } }
  return { reply: succeed({}), line: { items: [after] } }
}

function faultOf(bytes: Buffer, type: string, { brand }: Payment): string | null {
  const mostOfBrand = brand === 'discover' || brand === 'diners' ? mostBytesOfDiscover : Number.POSITIVE_INFINITY
  if (bytes.length === 0 || bytes.length > Math.min(mostBytes[type] ?? 0, mostOfBrand))
    return `Document of type ${type} is not accepted`
  return brand === 'mastercard' && countPages(bytes, type) > mostPages
    ? `Document exceeds the maximum of ${mostPages} pages`
    : null
}

function defend(payment: Payment, dispute: Dispute, { body, merchantAccount }: Caller): Execution<Payment> {
  const reason = defenseReasons.find(({ defenseReasonCode }) => defenseReasonCode === body.defenseReasonCode)
  if (!reason) return refuse(fail('Defense reason is not applicable'))
  const { documents = [] } = dispute
  const missing = reason.defenseDocumentTypes.find(
    ({ requirementLevel, defenseDocumentTypeCode: code }) =>
      requirementLevel === 'Required' && !documents.some(({ as }) => as === code),
  )
  if (missing) return refuse(fail(`Required document ${missing.defenseDocumentTypeCode} is missing`))
  const answer = { answer: 'contested', reason: reason.defenseReasonCode, documents } as const
  const name = dispute.state === 'inquiry' ? 'inquiry-answered' : 'defended'
  return step({ ...payment, dispute: { ...dispute, answer } }, name, merchantAccount)
}

type AnswerStep = 'defended' | 'accepted' | 'inquiry-answered' | 'inquiry-accepted'

function step(before: Payment, name: AnswerStep, merchantAccount: string): Execution<Payment> {
  const { payment, effects, notices } = takeStep(before, name, merchantAccount)
  return { reply: succeed({}), line: { items: [payment], effects, notices } }
}

const refuse = (reply: Reply): Execution<Payment> => ({ reply, isRefused: true })
const succeed = (more: Fields): Reply => ({ status: 200, body: { ...more, disputeServiceResult: { success: true } } })
const fail = (errorMessage: string): Reply => ({
  status: 200,
  body: { disputeServiceResult: { success: false, errorMessage } },
})
