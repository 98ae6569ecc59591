/**
 * An independent model of a payment, written from chapter 10 §6 and §6.2 and chapter 20 §15 without looking at `rules.ts`.
 *
 * The model keeps a journal and derives everything from it, while production uses a table and running totals, so the same mistake in
 * both is unlikely. Simulations and campaigns compare the two. Production does not use it.
 */
import type { DeclineClass, Kind, Status, TransactionType } from '../payment.ts'

export interface Model {
  readonly kind: Kind
  readonly recurring: boolean
  readonly holds: boolean
  readonly amount: bigint
  /** What the brand permits; null for a card. */
  readonly brand: ModelBrand | null
  status: Status
  declined: DeclineClass | null
  /** The transaction whose outcome is not known yet. */
  open: { readonly type: TransactionType; readonly amount: bigint } | null
  /** Successful transactions, in order. */
  readonly journal: { readonly type: TransactionType; readonly amount: bigint; readonly day: string }[]
}

interface ModelBrand {
  readonly refund: 'none' | 'full' | 'partial'
  readonly partialCapture: boolean
  readonly void: boolean
}

type ModelCommand = 'CAPTURE' | 'CREDITVOID' | 'VOID' | 'RETRY' | 'COMPLETE'
type ModelResult = 'ok' | 'fail' | 'unknown' | 'waiting' | '3DS' | 'REDIRECT'
type ModelAnswer =
  | { readonly kind: 'accepted'; readonly records: TransactionType; readonly amount: bigint }
  | { readonly kind: 'refused'; readonly refused: string }

export function begin(
  {
    kind,
    amount,
    holds,
    recurring,
    brand = null,
  }: Pick<Model, 'kind' | 'amount' | 'holds' | 'recurring'> & {
    readonly brand?: ModelBrand | null
  },
  type: TransactionType = firstStep(kind, holds),
): Model {
  const open = { type, amount }
  return { kind, recurring, holds, amount, brand, status: 'PREPARE', declined: null, open, journal: [] }
}

function firstStep(kind: Kind, holds: boolean): TransactionType {
  if (kind === 'sale') return holds ? 'AUTH' : 'SALE'
  return kind === 'debit' ? 'DEBIT' : kind === 'credit' ? 'CREDIT' : 'TRANSFER'
}

const sum = (model: Model, ...types: readonly TransactionType[]): bigint =>
  model.journal.filter(({ type }) => types.includes(type)).reduce((total, { amount }) => total + amount, 0n)

/** A RETRY counts like the first step that it repeats. */
const retriedAmount = (model: Model): bigint => sum(model, 'RETRY')
const authorisedAmount = (model: Model): bigint => sum(model, 'AUTH') + (model.holds ? retriedAmount(model) : 0n)
export const capturedAmount = (model: Model): bigint =>
  sum(model, 'SALE', 'DEBIT', 'CREDIT', 'TRANSFER', 'CAPTURE') + (model.holds ? 0n : retriedAmount(model))
export const disputedAmount = (model: Model): bigint => sum(model, 'CHARGEBACK')
/** Releasing a hold returns no money, because none was taken. */
export const returnedAmount = (model: Model): bigint =>
  sum(model, 'REFUND', 'VOID') + (model.kind === 'debit' ? sum(model, 'REVERSAL') : 0n)

export function returnableAmount(model: Model): bigint {
  const amount = capturedAmount(model) - returnedAmount(model) - disputedAmount(model)
  return amount > 0n ? amount : 0n
}

/** The answer to a command: the rows of chapter 10 §6 from CAPTURE to RETRY, status rule first, then in flight, then the amount. */
export function ask(
  model: Model,
  command: ModelCommand,
  sent: bigint | null,
  at: { readonly today: string; readonly budget: boolean; readonly expired?: boolean },
): ModelAnswer {
  if (command === 'CAPTURE') return capture(model, sent)
  if (command === 'VOID') return voidPayment(model, at.today)
  if (command === 'RETRY') return retry(model, at.budget)
  if (command === 'COMPLETE') return complete(model, at.expired ?? false)
  return creditvoid(model, sent)
}

const busy: ModelAnswer = { kind: 'refused', refused: 'Previous transaction not completed.' }

function capture(model: Model, sent: bigint | null): ModelAnswer {
  if (model.status !== 'PENDING' || !model.holds) return { kind: 'refused', refused: '208003' }
  if (model.open) return busy
  const amount = sent ?? authorisedAmount(model)
  if (amount <= 0n || amount > authorisedAmount(model)) return { kind: 'refused', refused: '208004' }
  return model.brand?.partialCapture === false && amount < authorisedAmount(model)
    ? { kind: 'refused', refused: '204005' }
    : { kind: 'accepted', records: 'CAPTURE', amount }
}

function creditvoid(model: Model, sent: bigint | null): ModelAnswer {
  if (model.kind === 'credit' || model.kind === 'transfer') return { kind: 'refused', refused: '208005' }
  if (model.status === 'PENDING' && !model.holds) return { kind: 'refused', refused: '208005' }
  if (model.status === 'PENDING') return release(model, sent ?? authorisedAmount(model))
  if (model.brand?.refund === 'none') return { kind: 'refused', refused: '208005' }
  const debit = model.kind === 'debit'
  const open = model.status === 'SETTLED' || (model.status === 'CHARGEBACK' && debit && returnableAmount(model) > 0n)
  if (!open || capturedAmount(model) === 0n) return { kind: 'refused', refused: '208005' }
  if (model.open) return busy
  const amount = sent ?? returnableAmount(model)
  if (amount > returnableAmount(model)) return { kind: 'refused', refused: debit ? '208008' : '208006' }
  if (model.brand?.refund === 'full' && amount < returnableAmount(model)) return { kind: 'refused', refused: '208005' }
  return { kind: 'accepted', records: debit ? 'REVERSAL' : 'REFUND', amount }
}

function release(model: Model, amount: bigint): ModelAnswer {
  if (model.open) return busy
  if (amount > authorisedAmount(model)) return { kind: 'refused', refused: '208008' }
  return amount < authorisedAmount(model)
    ? { kind: 'refused', refused: '208009' }
    : { kind: 'accepted', records: 'REVERSAL', amount }
}

function voidPayment(model: Model, today: string): ModelAnswer {
  const day = model.journal.findLast(({ type }) => ['SALE', 'CAPTURE', 'RETRY'].includes(type))?.day
  const offered = model.brand?.void ?? true
  const possible = model.status === 'SETTLED' && model.kind === 'sale' && day === today && offered
  if (!possible || capturedAmount(model) === 0n || returnedAmount(model) > 0n)
    return { kind: 'refused', refused: 'Void is not allowed.' }
  return model.open ? busy : { kind: 'accepted', records: 'VOID', amount: capturedAmount(model) }
}

function retry(model: Model, budget: boolean): ModelAnswer {
  const soft = model.declined !== null && model.declined !== 'hard' && model.declined !== 'fraud'
  if (model.status !== 'DECLINED' || !model.recurring || !soft || !budget)
    return { kind: 'refused', refused: 'Retry is not allowed.' }
  return model.open ? busy : { kind: 'accepted', records: 'RETRY', amount: model.amount }
}

/** Chapter 20 §12.3: a debit that was calculated and nothing since. */
function complete(model: Model, isExpired: boolean): ModelAnswer {
  const last = model.journal.at(-1)?.type
  if (model.status !== 'PREPARE' || last !== 'CALC' || model.open || isExpired)
    return { kind: 'refused', refused: 'Payment can not be completed.' }
  return { kind: 'accepted', records: 'DEBIT', amount: model.amount }
}

/** The outcome of the open transaction. False when it comes too late to matter. */
export function end(model: Model, result: ModelResult, declined: DeclineClass, day: string): boolean {
  const transaction = model.open
  if (!transaction) return false
  const step = result === '3DS' || result === 'REDIRECT'
  const first = ['SALE', 'AUTH', 'DEBIT', 'TRANSFER', 'CREDIT', 'RETRY', 'CALC'].includes(transaction.type)
  if (step && (!first || ['CREDIT', 'RETRY', 'CALC'].includes(transaction.type) || model.status === 'PENDING'))
    return false
  if (!first && !['PENDING', 'SETTLED', 'CHARGEBACK'].includes(model.status)) return false

  // An unknown CALC fails, because no acquirer can be asked about it.
  const became = transaction.type === 'CALC' && result !== 'ok' ? 'fail' : result
  if (became === 'ok') model.journal.push({ ...transaction, day })
  if (became === 'ok' || became === 'fail') model.open = null
  if (first) endFirst(model, transaction.type, became, declined)
  else if (became === 'ok' && model.status !== 'CHARGEBACK') model.status = afterFollowUp(model, transaction.type)
  return true
}

function endFirst(model: Model, type: TransactionType, result: ModelResult, declined: DeclineClass): void {
  model.declined = result === 'fail' ? declined : null
  if (result === 'fail') model.status = 'DECLINED'
  else if (type === 'CALC') return
  else if (result === 'ok') model.status = model.holds && model.kind === 'sale' ? 'PENDING' : 'SETTLED'
  else if (result === '3DS' || result === 'REDIRECT') model.status = result
  // A payment that waits for money, or for a payout to arrive, stays PENDING until it is decided. Chapter 20 §15, rows 7, 9, 10, 22, 23.
  else if (model.status === 'PENDING') return
  else model.status = result === 'waiting' && (type === 'SALE' || type === 'CREDIT') ? 'PENDING' : 'PREPARE'
}

function afterFollowUp(model: Model, type: TransactionType): Status {
  if (type === 'CAPTURE') return 'SETTLED'
  if (type === 'VOID') return 'VOID'
  if (model.status === 'PENDING') return 'REVERSAL'
  if (returnableAmount(model) > 0n) return 'SETTLED'
  return type === 'REFUND' ? 'REFUND' : 'REVERSAL'
}

export function dispute(model: Model, amount: bigint, day: string): 'applied' | 'too much' | 'alert' {
  if (model.kind === 'credit' || !['SETTLED', 'REFUND', 'CHARGEBACK'].includes(model.status)) return 'alert'
  if (disputedAmount(model) + amount > capturedAmount(model)) return 'too much'
  model.journal.push({ type: 'CHARGEBACK', amount, day })
  model.status = 'CHARGEBACK'
  return 'applied'
}

/** The acquirer reports that the hold is gone. */
export function lapse(model: Model, day: string): boolean {
  if (model.status !== 'PENDING' || !model.holds) return false
  model.journal.push({ type: 'REVERSAL', amount: authorisedAmount(model), day })
  model.status = 'REVERSAL'
  return true
}

/** The payer's time for a calculated debit is over. */
export function expire(model: Model): boolean {
  if (model.status !== 'PREPARE' || model.open || model.journal.at(-1)?.type !== 'CALC') return false
  model.status = 'DECLINED'
  model.declined = 'soft'
  return true
}
