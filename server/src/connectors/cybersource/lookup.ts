/**
 * What became of a transaction, by Transaction Search. It shows a transaction some time after it was executed, and CyberSource names no limit
 * for that time. What it shows happened. What it does not show counts as not executed only an hour after the last request about it,
 * and is watched for three days after that.
 */
import { z } from 'zod'
import type { Answer, MoneyOperation, Outcome, SentTransaction, StatusQuery } from '../connector.ts'
import { merchantReference } from '../merchant-reference.ts'
import { notExecuted } from '../outcome.ts'
import { jsonBody, type WireReply } from '../wire.ts'
import { unknown } from './answer.ts'
import type { CybersourceWire } from './credentials.ts'
import { fromCybersourceAmount } from './currencies.ts'
import { declineOf, leavesHold, reasonOfNumber } from './declines.ts'
import { fact, factsIn, factsOf, issuerSchema, processorSchema } from './facts.ts'

/**
 * A reversal by our own id is sent at the earliest when a request can no longer be executed: this time, and that for which we waited
 * for its answer. Until then no such reversal can exist that the search does not show yet, so that an approval it shows still stands.
 */
export const executesWithinMs = 180_000

/**
 * From then on no reversal is sent any more, so that the search comes to show everything that there is. See
 * decisions/certainty#search-of-cybersource.
 */
const reversedUntilMs = 30 * 60_000

/** Ours: an hour after the last reversal. */
export const searchCompleteMs = 90 * 60_000

const ageOf = ({ createdAt }: SentTransaction, wire: CybersourceWire): number =>
  wire.now().getTime() - createdAt.getTime()

export const mayBeReversed = (sent: SentTransaction, wire: CybersourceWire): boolean =>
  ageOf(sent, wire) < reversedUntilMs

const recordSchema = z.object({
  id: z.string().regex(/^\w{1,60}$/),
  clientReferenceInformation: factsIn({ code: fact }),
  applicationInformation: z.object({
    applications: z.array(
      z.object({
        name: z.string(),
        /** 1 executed, 0 declined, -1 failed. */
        rCode: z.string().nullish(),
        reasonCode: z.coerce.number().nullish(),
      }),
    ),
  }),
  processorInformation: processorSchema,
  issuerInformation: issuerSchema,
  orderInformation: factsIn({ amountDetails: factsIn({ totalAmount: fact, currency: fact }) }),
})

type TransactionRecord = z.infer<typeof recordSchema>

export async function findOutcome(query: StatusQuery, wire: CybersourceWire): Promise<Answer> {
  if (query.reference !== null) return findById(query, query.reference, wire)
  const age = ageOf(query, wire)
  if (age >= searchCompleteMs) return decideBySearch(query, wire)
  if (age >= reversedUntilMs) return unknown('The search of the acquirer may not show everything yet.')
  if (age >= executesWithinMs) return { result: 'cannot-be-asked' }
  const found = await search(query, wire)
  if (found === null) return noSearch
  const record = found.find((one) => runOf(one, query.operation) !== null)
  return record ? findById(query, record.id, wire) : { result: 'cannot-be-asked' }
}

const noSearch = unknown('The acquirer did not answer the search.')

/** The search is complete: it shows the transaction and every reversal of it. */
async function decideBySearch(query: StatusQuery, wire: CybersourceWire): Promise<Answer> {
  const { operation } = query
  const records = await search(query, wire)
  if (records === null) return noSearch
  const isRelease = operation === 'reverse' || operation === 'void'
  if (!isRelease && records.some((record) => runOf(record, 'reverse')?.kind === 'executed')) return reversalOutcome
  const record =
    records.find((one) => runOf(one, operation)?.kind === 'executed') ??
    records.find((one) => runOf(one, operation) !== null)
  if (!record) return { result: 'never-arrived' }
  const answer = await findById(query, record.id, wire)
  if (answer.result !== 'cannot-be-asked') return answer
  return runOf(record, operation)?.kind === 'declined'
    ? notExecuted('The acquirer did not execute the transaction')
    : unknown('The acquirer cannot say what it did.')
}

export const reversalOutcome: Outcome = notExecuted('The acquirer reversed the transaction')

async function findById(query: StatusQuery, id: string, wire: CybersourceWire): Promise<Answer> {
  const reply = await wire.get(`/tss/v2/transactions/${encodeURIComponent(id)}`)
  const { data: record } = reply.status === 200 ? recordSchema.safeParse(reply.json()) : { data: undefined }
  if (!record) return unknown(`The acquirer answered ${reply.status} instead of the transaction.`)
  if (record.id !== id || record.clientReferenceInformation?.code !== merchantReference(query))
    return unknown('The answer of the acquirer is about another transaction.')
  return answerOf(record, query)
}

/** Null if there was no readable answer. */
export async function search(
  sent: SentTransaction,
  wire: CybersourceWire,
): Promise<readonly TransactionRecord[] | null> {
  const code = merchantReference(sent)
  const query = `clientReferenceInformation.code:${code}`
  const reply = await wire.post(
    '/tss/v2/searches',
    jsonBody({ save: false, query, offset: 0, limit: 20, sort: 'submitTimeUtc:desc' }),
  )
  const list = readList(reply)
  return list?.filter((record) => record.clientReferenceInformation?.code === code) ?? null
}

const listSchema = z.object({
  totalCount: z.int(),
  _embedded: z.object({ transactionSummaries: z.array(recordSchema) }).optional(),
})

function readList(reply: WireReply): readonly TransactionRecord[] | null {
  const { data: list } = reply.status === 201 ? listSchema.safeParse(reply.json()) : { data: undefined }
  const found = list?._embedded?.transactionSummaries ?? []
  // An entry that was counted and is not shown might be the one.
  return list && found.length >= Math.min(list.totalCount, 20) ? found : null
}

/** The services of CyberSource that an operation runs. */
const services: Partial<Readonly<Record<MoneyOperation, readonly string[]>>> = {
  sale: ['ics_auth', 'ics_bill'],
  authorize: ['ics_auth'],
  capture: ['ics_bill'],
  refund: ['ics_credit'],
  credit: ['ics_credit'],
  reverse: ['ics_auth_reversal', 'ics_void'],
  void: ['ics_void'],
}

type Run =
  | { readonly kind: 'executed' }
  | { readonly kind: 'declined'; readonly reason: string | undefined }
  | { readonly kind: 'doubtful' }

/** How the operation ended in this record; null if the record is about something else, such as a reversal of it. */
export function runOf(
  { applicationInformation: { applications } }: TransactionRecord,
  operation: MoneyOperation,
): Run | null {
  const names = services[operation] ?? []
  const runs = applications.filter(({ name }) => names.includes(name))
  if (runs.length === 0) return null
  const declined = runs.find(({ rCode }) => rCode === '0')
  if (declined) return { kind: 'declined', reason: reasonOfNumber(declined.reasonCode ?? 0) }
  const isWhole = operation === 'sale' ? runs.length === names.length : true
  return isWhole && runs.every(({ rCode }) => rCode === '1') ? { kind: 'executed' } : { kind: 'doubtful' }
}

function answerOf(record: TransactionRecord, { operation, amountMinor, currency }: StatusQuery): Answer {
  // A sale of nothing verifies the card, and is not captured.
  const run = runOf(record, operation === 'sale' && amountMinor === 0n ? 'authorize' : operation)
  const facts = factsOf(record)
  if (run?.kind === 'executed') {
    const { totalAmount } = record.orderInformation?.amountDetails ?? {}
    const isSame = totalAmount === undefined || fromCybersourceAmount(totalAmount, currency) === amountMinor
    const hasAmount = operation !== 'reverse' && operation !== 'void'
    return isSame || !hasAmount ? { result: 'approved', facts } : unknown('The acquirer executed another amount.')
  }
  // The hold of a payment that CyberSource declined after the issuer had approved it is released by a reversal.
  const isFinal = run?.kind === 'declined' && run.reason !== undefined && !leavesHold.has(run.reason)
  if (!isFinal) return { result: 'cannot-be-asked' }
  const { reason, declineClass } = declineOf(run.reason, record.processorInformation?.responseCode)
  return { result: 'declined', reason, declineClass, facts }
}
