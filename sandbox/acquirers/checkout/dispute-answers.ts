/** Files of evidence and answers to disputes, as the API reference has them under Disputes and Files. */
import { isObject } from '#domain/json.ts'
import type { Reply } from '../../kit/reply.ts'
import type { Call, Handler, Routes } from '../../kit/routes.ts'
import type { Account } from '../kit/accounts.ts'
import type { DisputeAnswer } from '../kit/dispute-pages.ts'
import type { Base } from '../kit/stand-in.ts'
import { filesBytes, readParts, type Upload } from '../kit/uploads.ts'
import { takeStep } from './disputes.ts'
import { invalid, notAllowed, notFound } from './errors.ts'
import { newId, type Payment, type Payments } from './payment.ts'

type Known = (handle: (call: Call, account: Account) => Promise<Reply> | Reply) => Handler

interface Parts {
  readonly base: Base<Payment>
  readonly payments: Payments
  readonly known: Known
}

const mostBytes = 4_000_000
const types: ReadonlySet<string> = new Set(['application/pdf', 'image/png', 'image/jpeg'])
const fileField = /^[a-z_]{1,60}_file$/
const done: Reply = { status: 204, body: undefined }

export function disputeAnswerRoutes({ base, payments, known }: Parts): Routes {
  // A file that no evidence names need not outlive the process.
  const files = new Map<string, Upload>()
  const about = (handle: (payment: Payment, dispute: Dispute, call: Call) => Promise<Reply>): Handler =>
    known(async (call, { name }) => {
      const payment = payments.withDispute(name, call.parameters[0] ?? '')
      return payment?.dispute ? handle(payment, payment.dispute, call) : notFound
    })
  /** Faults on purpose happen here as to payments. */
  const take = async (call: Call, before: Payment, step: 'answered' | 'accepted'): Promise<Reply> => {
    const reply = await base.executeOnce({ call, key: null }, () => {
      const { payment, effects, notices } = takeStep(before, step)
      return { reply: done, line: { items: [payment], effects, notices } }
    })
    return reply === 'other-request' ? notAllowed : reply
  }
  return [
    ['POST /files', known((call) => storeFile(call, files)), filesBytes],
    [
      'GET /disputes/:id',
      about(async (_payment, { id, state }) => ({ status: 200, body: { id, status: statuses[state] } })),
    ],
    [
      'PUT /disputes/:id/evidence',
      about(async (payment, dispute, { body }) => {
        if (dispute.state !== 'open') return notAllowed
        const evidence = evidenceIn(body, files)
        if (evidence === null) return invalid('evidence_invalid')
        await base.write({ items: [{ ...payment, dispute: { ...dispute, evidence } }] })
        return done
      }),
    ],
    [
      'POST /disputes/:id/evidence',
      about(async (payment, dispute, call) => {
        const { evidence = [] } = dispute
        if (dispute.state !== 'open') return notAllowed
        if (evidence.length === 0) return invalid('evidence_required')
        const answer = { answer: 'contested', documents: evidence } as const
        return take(call, { ...payment, dispute: { ...dispute, answer } }, 'answered')
      }),
    ],
    [
      'POST /disputes/:id/accept',
      about(async (payment, dispute, call) => {
        if (dispute.state !== 'open') return notAllowed
        const answer = { answer: 'accepted', documents: [] } as const
        return take(call, { ...payment, dispute: { ...dispute, answer } }, 'accepted')
      }),
    ],
  ]
}

type Dispute = NonNullable<Payment['dispute']>

const statuses: Readonly<Record<Dispute['state'], string>> = {
  open: 'evidence_required',
  answered: 'evidence_under_review',
  won: 'won',
  lost: 'lost',
}

async function storeFile(call: Call, files: Map<string, Upload>): Promise<Reply> {
  const parts = await readParts(call)
  const [file] = parts?.files ?? []
  if (!file || parts?.fields['purpose'] !== 'dispute_evidence') return invalid('purpose_invalid')
  if (!types.has(file.type) || file.size > mostBytes) return invalid('file_invalid')
  const id = newId('file')
  files.set(id, file)
  return { status: 200, body: { id } }
}

/** Null if it names a file that is not there, or none. */
function evidenceIn(body: unknown, files: ReadonlyMap<string, Upload>): DisputeAnswer['documents'] | null {
  const named = Object.entries(isObject(body) ? body : {}).filter(([name]) => fileField.test(name))
  const evidence = named.flatMap(([as, id]) => {
    const file = files.get(String(id))
    return file ? [{ as, type: file.type, size: file.size, sha256: file.sha256 }] : []
  })
  return named.length > 0 && evidence.length === named.length ? evidence : null
}
