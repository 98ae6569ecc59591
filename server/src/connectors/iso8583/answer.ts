/**
 * What the host answered, in our words.
 *
 * Only a code that the dialect lists as an approval or a decline is one. Any other leaves the outcome unknown, so that the transaction is
 * reversed: a code of the future may be an approval.
 */
import type { AcquirerFacts, Outcome } from '../connector.ts'
import { FieldError } from './codec/field.ts'
import { answerType, type Message, unpackMessage } from './codec/message.ts'
import { readSubfields } from './codec/subfields.ts'
import type { Dialect } from './dialect.ts'
import { hostReference } from './request.ts'

export function toOutcome(dialect: Dialect, request: Message, bytes: Buffer): Outcome {
  const answer = answerTo(dialect, request, bytes)
  if (typeof answer === 'string') return { result: 'unknown', reason: answer, facts: {} }
  const facts = factsOf(dialect, request, answer)
  const code = codeOf(dialect, answer)
  const meaning = dialect.codes[code]
  switch (meaning?.outcome) {
    case 'approved':
      return { result: 'approved', facts }
    case 'declined':
      return { result: 'declined', reason: meaning.reason, declineClass: meaning.class, facts }
    case 'not-executed':
      return { result: 'not-executed', reason: meaning.reason, facts }
    case 'unknown':
      return { result: 'unknown', reason: meaning.reason, facts }
    case undefined:
      return { result: 'unknown', reason: 'The host answered with a code that its dialect does not have', facts }
  }
}

/** True if the host acknowledges that the request has no effect. */
export function toReversal(dialect: Dialect, request: Message, bytes: Buffer): Outcome {
  const answer = answerTo(dialect, request, bytes)
  if (typeof answer === 'string') return { result: 'unknown', reason: answer, facts: {} }
  if (dialect.reversed.includes(codeOf(dialect, answer)))
    return {
      result: 'not-executed',
      reason: 'The acquirer did not answer in time, and the transaction was reversed',
      facts: {},
    }
  return { result: 'unknown', reason: 'The host did not acknowledge the reversal', facts: {} }
}

/** The response code; empty if the message has none. */
export const codeOf = (dialect: Dialect, { fields }: Message): string => fields.get(dialect.answer.code)?.trim() ?? ''

/** A text says why the bytes are not the answer to the request. */
function answerTo(dialect: Dialect, request: Message, bytes: Buffer): Message | string {
  try {
    const answer = unpackMessage(dialect, bytes)
    if (answer.mti !== answerType(request.mti)) return 'The host answered with a message of another type'
    const amount = answer.fields.get(dialect.answer.amount)
    const requested = request.fields.get(dialect.answer.amount) ?? '0'
    if (amount !== undefined && BigInt(amount) !== BigInt(requested)) return 'The host answered about another amount'
    return answer
  } catch (error) {
    if (error instanceof FieldError) return 'The answer of the host cannot be read'
    throw error
  }
}

function factsOf(dialect: Dialect, request: Message, answer: Message): AcquirerFacts {
  const { approvalCode, rrn, networkTransactionId, avsResult, cvvResult } = dialect.answer
  const at = (place: string | undefined): string | undefined => valueAt(dialect, answer, place)
  const [found, avs, cvv] = [at(rrn), at(avsResult), at(cvvResult)]
  const [approval, network] = [at(approvalCode), at(networkTransactionId)]
  const extended = { ...(avs !== undefined && { avs_result: avs }), ...(cvv !== undefined && { cvv_result: cvv }) }
  return {
    ...(found !== undefined && { reference: hostReference(request.mti, found), rrn: found }),
    ...(approval !== undefined && { approvalCode: approval }),
    ...(network !== undefined && { networkTransactionId: network }),
    ...(Object.keys(extended).length > 0 && { extended }),
  }
}

/** Undefined if it is empty. */
function valueAt(dialect: Dialect, { fields }: Message, place: string | undefined): string | undefined {
  const [number = '', tag] = place?.split('.') ?? []
  const text = fields.get(Number(number))
  const format = dialect.subfields[number]
  const value = tag === undefined ? text : format && readSubfields(format, text ?? '').get(tag)
  return value?.trim() || undefined
}
