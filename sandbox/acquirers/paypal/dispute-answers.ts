/** The Disputes API v1: evidence with its files, the acceptance of a claim, and the state of a case. */
import { isObject, parseJson } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call, Handler, Routes } from '../../kit/routes.ts'
import type { Account } from '../kit/accounts.ts'
import type { DisputeAnswer } from '../kit/dispute-pages.ts'
import { filesBytes, readParts, type Upload } from '../kit/uploads.ts'
import { type CapturedOrder, disputeStatuses, enterStep, withDispute } from './disputes.ts'
import { notFound, refusal } from './errors.ts'
import type { Orders } from './orders.ts'

/** Every file is smaller. */
const bytesBelow = 10_000_000
const mostTogether = 50_000_000
const types: ReadonlySet<string> = new Set(['application/pdf', 'image/png', 'image/jpeg', 'image/gif'])

export function disputeAnswerRoutes(orders: Orders): Routes {
  const about =
    (handle: (found: CapturedOrder, call: Call, account: Account) => Promise<Reply>): Handler =>
    (call) =>
      orders.serve(call, async (account) => {
        const found = withDispute(orders.all(), account.name, call.parameters[0] ?? '')
        return found ? handle(found, call, account) : notFound
      })
  const answer = (read: (parts: Parts) => DisputeAnswer | null): Handler =>
    about(async (found, call, account) => {
      const parts = await partsOf(call)
      const response = parts && read(parts)
      if (!response)
        return refusal(400, 'INVALID_EVIDENCE', 'The evidence has no files, or files that are not supported.')
      if (found.capture.dispute?.state !== 'open') return refusal(422, 'ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE')
      return orders.once(call, account, { amount: undefined }, () => ({
        reply: { status: 200, body: { links: [linkTo(`${orders.base}/v1/customer/disputes/${call.parameters[0]}`)] } },
        line: enterStep(found, response.answer === 'accepted' ? 'lost' : 'answered', response),
      }))
    })
  return [
    [
      'GET /v1/customer/disputes/:id',
      about(async ({ capture: { dispute } }) => ({
        status: 200,
        body: { dispute_id: dispute?.id, status: dispute && disputeStatuses[dispute.state] },
      })),
    ],
    ['POST /v1/customer/disputes/:id/provide-evidence', answer(evidenceIn), filesBytes],
    ['POST /v1/customer/disputes/:id/accept-claim', answer(({ input }) => (input.note ? accepted : null))],
  ]
}

const linkTo = (href: string) => ({ rel: 'self', method: 'GET', href })

const accepted: DisputeAnswer = { answer: 'accepted', documents: [] }

interface Parts {
  readonly input: Readonly<Record<string, unknown>>
  readonly files: readonly Upload[]
}

/** The field `input` is JSON. */
async function partsOf(call: Call): Promise<Parts | null> {
  const parts = await readParts(call)
  const input = parseJson(parts?.fields['input'] ?? '')
  return parts && isObject(input) ? { input, files: parts.files } : null
}

/** Every document that the evidence names is there as a file that PayPal takes. */
function evidenceIn({ input, files }: Parts): DisputeAnswer | null {
  const evidences: readonly unknown[] = Array.isArray(input.evidences) ? input.evidences : []
  const documents = evidences.filter(isObject).flatMap(({ evidence_type: as, documents: named }) =>
    (Array.isArray(named) ? named : []).filter(isObject).map(({ name }) => {
      const file = files.find((one) => one.name === name)
      const isTaken = file !== undefined && types.has(file.type) && file.size < bytesBelow
      return isTaken ? { as: String(as), type: file.type, size: file.size, sha256: file.sha256 } : null
    }),
  )
  if (files.reduce((sum, { size }) => sum + size, 0) > mostTogether) return null
  const found = documents.filter((document) => document !== null)
  return found.length > 0 && found.length === documents.length ? { answer: 'contested', documents: found } : null
}
