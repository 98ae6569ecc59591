/**
 * Answers to disputes by Adyen's Disputes API v30 (https://docs.adyen.com/api-explorer/Disputes/30, November 2026).
 *
 * A defence has a reason of Adyen's list, which says what documents it wants. Adyen cannot be asked whether a dispute was defended: the webhook
 * INFORMATION_SUPPLIED tells.
 */
import { z } from 'zod'
import {
  acceptedAnswer,
  type DefenceReason,
  type DisputeAnswerOutcome,
  type DisputeContract,
  type DisputeDefence,
  type EvidenceDocument,
  prepare,
  refusalFor,
  toUnanswered,
} from '../disputes/dispute-answer.ts'
import { evidenceRulesOf } from '../disputes/evidence-limits.ts'
import { jsonBody, type Wire, type WireReply } from '../wire.ts'
import type { AdyenCredentials } from './credentials.ts'

type AdyenWire = Wire<AdyenCredentials>

export const disputes: DisputeContract<[wire: AdyenWire]> = {
  evidence: evidenceRulesOf('adyen'),
  contest,
  accept: async ({ dispute }, wire) => toAnswer(await post('acceptDispute', caseOf(dispute, wire), wire)),
  reasons: readReasons,
}

async function contest({ dispute, reason, documents }: DisputeDefence, wire: AdyenWire): Promise<DisputeAnswerOutcome> {
  if (reason === null) return refusalFor('Adyen needs a reason for the defence')
  const reasons = await prepare(() => readReasons(dispute, wire))
  if (reasons === null) return { result: 'not-sent', reason: 'Adyen did not say which reasons it takes.' }
  const wanted = reasons.find(({ code }) => code === reason)
  if (!wanted)
    return refusalFor(`Adyen takes these reasons for this dispute: ${reasons.map(({ code }) => code).join(', ')}`)
  const defenseDocuments = documentsFor(wanted, documents)
  if (typeof defenseDocuments === 'string') return refusalFor(defenseDocuments)
  const body = { ...caseOf(dispute, wire), defenseDocuments }
  const supplied = toAnswer(await prepare(() => post('supplyDefenseDocument', body, wire)), { isPreparation: true })
  if (supplied.result !== 'accepted') return supplied
  return toAnswer(await post('defendDispute', { ...caseOf(dispute, wire), defenseReasonCode: reason }, wire))
}

const caseOf = (dispute: string, { credentials }: AdyenWire) => ({
  disputePspReference: dispute,
  merchantAccountCode: credentials.merchant_account,
})

const post = (what: string, body: object, wire: AdyenWire): Promise<WireReply> =>
  wire.post(`/${what}`, jsonBody(body), { host: 'disputes' })

/** Each document takes a place of its own: a second one of the same type would replace the first. Or what is wrong with them. */
function documentsFor({ code, required, optional }: DefenceReason, documents: readonly EvidenceDocument[]) {
  const places = [...required, ...optional]
  if (documents.length > places.length)
    return `Adyen takes at most ${places.length} documents for the reason ${code}. Combine the files`
  if (documents.length < required.length)
    return `Adyen wants ${required.length} documents for the reason ${code}: ${required.join(', ')}`
  // A receipt that is the only document takes a required place, whatever its name.
  const open = documents.length > required.length ? places : required
  const invoice = open.find((place) => /invoice|receipt/i.test(place))
  const receipt = invoice === undefined ? undefined : documents.find(({ kind }) => kind === 'receipt')
  const others = places.filter((place) => receipt === undefined || place !== invoice)
  return documents.map((document) => ({
    defenseDocumentTypeCode: document === receipt ? (invoice ?? '') : (others.shift() ?? ''),
    contentType: document.type === 'image/jpeg' ? 'image/jpg' : document.type,
    content: document.bytes.toString('base64'),
  }))
}

const resultSchema = z.object({ success: z.boolean(), errorMessage: z.string().optional() })
const answerSchema = z.object({ disputeServiceResult: resultSchema })
const errorSchema = z.object({ errorCode: z.string(), status: z.int(), message: z.string().nullish() })

/** Adyen answers 200 also if it refuses. */
function toAnswer(reply: WireReply, step: { readonly isPreparation?: boolean } = {}): DisputeAnswerOutcome {
  const result = reply.status === 200 ? answerSchema.safeParse(reply.json()).data?.disputeServiceResult : undefined
  if (result?.success) return acceptedAnswer
  if (result) return toUnanswered({ status: 422 }, result.errorMessage ?? 'no reason', step)
  const error = errorSchema.safeParse(reply.json()).data
  return toUnanswered(reply, error?.status === reply.status ? wordsOf(error) : null, step)
}

const wordsOf = ({ errorCode, message }: z.infer<typeof errorSchema>): string =>
  message ? `${message} (error ${errorCode})` : `error ${errorCode}`

const reasonsSchema = z.object({
  disputeServiceResult: resultSchema,
  defenseReasons: z
    .array(
      z.object({
        defenseReasonCode: z.string().min(1).max(100),
        defenseDocumentTypes: z
          .array(z.object({ defenseDocumentTypeCode: z.string(), requirementLevel: z.string() }))
          .default([]),
      }),
    )
    .default([]),
})

async function readReasons(dispute: string, wire: AdyenWire): Promise<readonly DefenceReason[] | null> {
  return toReasons(await post('retrieveApplicableDefenseReasons', caseOf(dispute, wire), wire))
}

function toReasons(reply: WireReply): readonly DefenceReason[] | null {
  const read = reply.status === 200 ? reasonsSchema.safeParse(reply.json()).data : undefined
  if (!read?.disputeServiceResult.success) return null
  return read.defenseReasons.map(({ defenseReasonCode: code, defenseDocumentTypes: types }) => {
    const at = (...levels: readonly string[]) =>
      types
        .filter(({ requirementLevel }) => levels.includes(requirementLevel))
        .map((one) => one.defenseDocumentTypeCode)
    // Of those that stand for each other one is enough: the first is asked for.
    const [alternative = null, ...alternatives] = at('OneOrMore', 'AlternativeRequired')
    const required = [...at('Required'), ...(alternative === null ? [] : [alternative])]
    return { code, required, optional: [...alternatives, ...at('Optional')] }
  })
}
