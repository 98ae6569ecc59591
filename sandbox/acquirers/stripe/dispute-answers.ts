/** Files of evidence, and the answers to disputes: https://docs.stripe.com/api/files/create, https://docs.stripe.com/api/disputes. */
import type { Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'
import type { DisputeAnswer } from '../kit/dispute-pages.ts'
import type { Execution } from '../kit/idempotency.ts'
import type { Base } from '../kit/stand-in.ts'
import { readParts } from '../kit/uploads.ts'
import type { Caller } from './charge.ts'
import { noticesOf } from './disputes.ts'
import { invalid, missing } from './errors.ts'
import { type DisputeRecord, type FileRecord, type Item, newId, type Records } from './records.ts'
import { showDispute } from './views.ts'

const mostBytes = 5_000_000
const mostTogether = 4_500_000
const mostPages = { mastercard: 19, others: 49 }
const types = new Map([
  ['application/pdf', 'pdf'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
])

export async function createFile(base: Base<Item>, account: string, call: Call): Promise<Reply> {
  const parts = await readParts(call)
  const [file] = parts?.files ?? []
  if (!parts || !file) return invalid(400, 'parameter_missing', 'Missing required param: file.')
  if (parts.fields['purpose'] !== 'dispute_evidence') return invalid(400, 'parameter_invalid', 'Invalid purpose.')
  const type = types.get(file.type)
  if (type === undefined)
    return invalid(400, 'file_invalid', 'This type of file is not supported. Upload a PDF, JPEG or PNG.')
  if (file.size > mostBytes) return invalid(400, 'file_invalid', 'The file exceeds 5 MB. Upload a smaller one.')
  const { size, sha256, pages, name: filename } = file
  const item: FileRecord = { object: 'file', id: newId('file'), account, type: file.type, size, sha256, pages }
  await base.write({ items: [item] })
  return { status: 200, body: { id: item.id, object: 'file', purpose: 'dispute_evidence', type, size, filename } }
}

const fileFields: ReadonlySet<string> = new Set([
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
])

export function updateDispute(id: string, { account, fields, records }: Caller): Execution<Item> {
  const before = records.find('dispute', account, id)
  if (!before) return refuse(missing('dispute'))
  if (!isOpen(before))
    return refuse(invalid(400, 'dispute_already_submitted', 'The dispute takes no evidence any more.'))
  const documents: DisputeAnswer['documents'][number][] = []
  let pages = 0
  for (const [name, value] of Object.entries(fields)) {
    const [, field] = /^evidence\[(\w+)\]$/.exec(name) ?? []
    if (field === undefined || !fileFields.has(field)) continue
    const file = records.find('file', account, value)
    if (!file) return refuse(missing('file'))
    pages += file.pages ?? 1
    documents.push({ as: field, type: file.type, size: file.size, sha256: file.sha256 })
  }
  if (documents.reduce((sum, { size }) => sum + size, 0) > mostTogether)
    return refuse(
      invalid(400, 'evidence_too_large', "This dispute's evidence exceeds 4.5 MB in total. Try smaller files."),
    )
  const isMastercard = records.find('payment_intent', account, before.intent)?.brand === 'mastercard'
  const pagesAtMost = isMastercard ? mostPages.mastercard : mostPages.others
  if (pages > pagesAtMost) return refuse(tooLong(pages, pagesAtMost))
  if (fields['submit'] === 'false') return refuse({ status: 200, body: showDispute(before) })
  const status = before.status === 'warning_needs_response' ? 'warning_under_review' : 'under_review'
  const after: DisputeRecord = { ...before, status, answer: { answer: 'contested', documents } }
  return answer(after, 'charge.dispute.updated')
}

/** Since the API version 2026-09-30.endive, whether the evidence is submitted or only stored. */
const tooLong = (pages: number, atMost: number): Reply =>
  invalid(
    400,
    'dispute_evidence_page_limit_exceeded',
    `This dispute's evidence has an estimated ${pages} pages, and the card network allows ${atMost}. Remove some & try again.`,
  )

/** Dismisses it, which loses it. */
export function closeDispute(id: string, { account, records }: Caller): Execution<Item> {
  const before = records.find('dispute', account, id)
  if (!before) return refuse(missing('dispute'))
  if (!isOpen(before)) return refuse(invalid(400, 'dispute_closed', 'The dispute is closed.'))
  const after: DisputeRecord = { ...before, status: 'lost', answer: { answer: 'accepted', documents: [] } }
  return answer(after, 'charge.dispute.closed')
}

export function answerDispute(account: string, { parameters: [id = ''] }: Call, records: Records): Reply {
  const dispute = records.find('dispute', account, id)
  return dispute ? { status: 200, body: showDispute(dispute) } : missing('dispute')
}

const isOpen = ({ status }: DisputeRecord): boolean =>
  status === 'needs_response' || status === 'warning_needs_response'

const answer = (dispute: DisputeRecord, type: string): Execution<Item> => ({
  reply: { status: 200, body: showDispute(dispute) },
  line: { items: [dispute], notices: noticesOf(dispute, [type]) },
})

const refuse = (reply: Reply): Execution<Item> => ({ reply, isRefused: true })
