/** Our words into messages of the dialect. */
import type { FollowUp, Order, Outcome, SentTransaction } from '../connector.ts'
import { catalogueBrandOf } from '../order.ts'
import { type Message, packMessage } from './codec/message.ts'
import type { Iso8583Credentials } from './credentials.ts'
import type { Dialect, DialectMessage } from './dialect.ts'
import { layoutOf } from './message-layout.ts'
import {
  type NumberedTransaction,
  numbersOf,
  type Purpose,
  type RequestPurpose,
  retrievalReference,
} from './original.ts'
import type { ValueName, Values } from './template.ts'
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
  const layout = layoutOf(dialect, message)
  refuseLost(layout.names, values)
  const fields = new Map<number, string>()
  for (const { number, fill } of layout.fields) {
    const value = fill(values)
    if (value !== null) fields.set(number, value)
  }
  const written = { mti: message.mti, fields }
  return { message: written, bytes: packMessage(dialect, written) }
}

/** The proof of an authentication or of a device must not be dropped in silence. */
const proofs: readonly (readonly [what: string, names: readonly ValueName[]])[] = [
  ['the result of the authentication', ['cavv', 'cavvHex']],
  ['the cryptogram of a device', ['cryptogram', 'cryptogramHex']],
  ['the data of a chip', ['emvHex']],
]

function refuseLost(written: ReadonlySet<string>, values: Values): void {
  const lost = proofs.find(
    ([, names]) => names.some((name) => values[name] !== undefined) && !names.some((name) => written.has(name)),
  )
  if (lost) throw new UnwritableError(`The acquirer's dialect has no field for ${lost[0]}`)
}
