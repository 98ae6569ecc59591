/** Our words into messages of the dialect. */
import type { FollowUp, Order, Outcome, SentTransaction } from '../connector.ts'
import { catalogueBrandOf } from '../order.ts'
import { FieldError } from './codec/field.ts'
import { type Message, packMessage } from './codec/message.ts'
import { writeSubfields } from './codec/subfields.ts'
import type { Iso8583Credentials } from './credentials.ts'
import type { Dialect, DialectMessage, FieldTemplates } from './dialect.ts'
import {
  type NumberedTransaction,
  numbersOf,
  type Purpose,
  type RequestPurpose,
  retrievalReference,
} from './original.ts'
import { fillTemplate, namesIn, type ValueName, type Values } from './template.ts'
import { orderValues, originalValues, transactionValues, UnwritableError } from './values.ts'

export interface HostTerms {
  readonly dialect: Dialect
  readonly credentials: Iso8583Credentials
}

/** A message that is ready to be sent. */
export interface Request {
  readonly message: Message
  readonly bytes: Buffer
}

type LaterStep = 'capture' | 'refund' | 'reverse' | 'void'

/** Throws `UnwritableError` or `FieldError`. */
export function fromOrder(
  kind: 'sale' | 'authorize',
  order: Order,
  { dialect, credentials }: HostTerms,
  purpose: RequestPurpose = 'request',
): Request {
  const { card, wallet, amountMinor } = order
  if (!card || amountMinor === null || catalogueBrandOf(order) || wallet?.token || wallet?.decrypted?.pinData)
    throw new UnwritableError('The acquirer takes only cards')
  const values = {
    ...transactionValues(dialect, credentials, { ...order, amountMinor }, purpose),
    ...orderValues(dialect, order, card),
  }
  return write(dialect, dialect.messages[firstMessage(kind, amountMinor)], values)
}

/** A first step without an amount only verifies the account. */
export const firstMessage = (kind: 'sale' | 'authorize', amountMinor: bigint): 'sale' | 'authorize' | 'verify' =>
  amountMinor === 0n ? 'verify' : kind

/** What both a follow-up and its record tell. */
type LaterTransaction = Pick<
  FollowUp & SentTransaction,
  'transactionId' | 'paymentId' | 'amountMinor' | 'currency' | 'createdAt' | 'first'
>

/** `isRepeated`: an advice that was not answered goes out again, the same but for its type. */
export function fromFollowUp(
  kind: LaterStep,
  followUp: LaterTransaction,
  { dialect, credentials }: HostTerms,
  {
    purpose = 'request',
    isRepeated = false,
  }: { readonly purpose?: RequestPurpose; readonly isRepeated?: boolean } = {},
): Request {
  const { first } = followUp
  const { approvalCode, rrn } = first.facts
  const isHold = kind === 'capture' || kind === 'reverse'
  const { mti = dialect.messages[isHold ? 'authorize' : 'sale'].mti, stan } = readHostReference(first.reference)
  const values = {
    ...transactionValues(dialect, credentials, followUp, purpose),
    ...originalValues(dialect, followUp.currency, { ...first, approvalCode, rrn, stan }, mti),
  }
  const message = dialect.messages[kind]
  return write(dialect, isRepeated ? { ...message, mti: message.repeat ?? message.mti } : message, values)
}

interface ReversalTerms {
  readonly purpose: Purpose
  /** Under which the request was sent. */
  readonly requestPurpose: RequestPurpose
  readonly isRepeated: boolean
}

/** The reversal of a request that was not answered. */
export function reversalOf(
  sent: SentTransaction,
  mti: string,
  { dialect, credentials }: HostTerms,
  { purpose, requestPurpose, isRepeated }: ReversalTerms,
): Request {
  const { stan } = numbersOf(sent, requestPurpose)
  const values = {
    ...transactionValues(dialect, credentials, sent, purpose),
    ...originalValues(dialect, sent.currency, { ...sent, approvalCode: undefined, rrn: undefined, stan }, mti),
  }
  const message = dialect.messages.undo
  return write(dialect, isRepeated ? { ...message, mti: message.repeat ?? message.mti } : message, values)
}

/** Our name of a transaction at the host: the type of its message, and the reference by which both sides find it. */
export const hostReference = (mti: string, rrn: string): string => `${mti}-${rrn}`

/** The record of a transaction that was sent under another number than its id derives first has that number in its reference. */
export function withTraceNumber(
  outcome: Outcome,
  { mti }: Message,
  sent: NumberedTransaction,
  purpose: RequestPurpose,
): Outcome {
  if (purpose === 'request') return outcome
  const { reference = hostReference(mti, retrievalReference(sent.transactionId)) } = outcome.facts
  const { stan } = numbersOf(sent, purpose)
  return { ...outcome, facts: { ...outcome.facts, reference: `${reference}-t${stan}` } }
}

function readHostReference(reference: string | null): { readonly mti?: string; readonly stan: string | undefined } {
  const { mti, stan } = /^(?<mti>[0-9]{4})-.*?(-t(?<stan>[0-9]{6}))?$/.exec(reference ?? '')?.groups ?? {}
  return { ...(mti !== undefined && { mti }), stan }
}

export function write(dialect: Dialect, message: DialectMessage, values: Values): Request {
  const templates = templatesOf(dialect, message)
  refuseLost(templates, values)
  const fields = new Map<number, string>()
  for (const [number, template] of Object.entries(templates)) {
    const value = fieldValue(dialect, number, template, values)
    if (value !== null) fields.set(Number(number), value)
  }
  const written = { mti: message.mti, fields }
  return { message: written, bytes: packMessage(dialect, written) }
}

export const templatesOf = (dialect: Dialect, { with: groups = [], fields = {} }: DialectMessage): FieldTemplates =>
  Object.assign({}, ...groups.map((group) => dialect.groups[group]), fields)

function fieldValue(dialect: Dialect, number: string, template: FieldTemplates[string], values: Values): string | null {
  if (typeof template === 'string') return fillTemplate(template, values)
  const format = dialect.subfields[number]
  if (!format) throw new FieldError(`The elements of field ${number} have no format.`)
  const elements = Object.entries(template).flatMap(([tag, text]) => {
    const value = fillTemplate(text, values)
    return value === null ? [] : [[tag, value] as const]
  })
  return elements.length === 0 ? null : writeSubfields(format, elements)
}

/** The proof of an authentication or of a device must not be dropped in silence. */
const proofs: readonly (readonly [what: string, names: readonly ValueName[]])[] = [
  ['the result of the authentication', ['cavv', 'cavvHex']],
  ['the cryptogram of a device', ['cryptogram', 'cryptogramHex']],
  ['the data of a chip', ['emvHex']],
]

function refuseLost(templates: FieldTemplates, values: Values): void {
  const texts = Object.values(templates).flatMap((field) =>
    typeof field === 'string' ? [field] : Object.values(field),
  )
  const used = new Set(texts.flatMap(namesIn))
  const lost = proofs.find(
    ([, names]) => names.some((name) => values[name] !== undefined) && !names.some((name) => used.has(name)),
  )
  if (lost) throw new UnwritableError(`The acquirer's dialect has no field for ${lost[0]}`)
}
