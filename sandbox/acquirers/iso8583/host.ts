/** Decides what a message of a merchant comes to. It writes nothing: the answer and what is to be recorded are given back together. */
import type { Effect, Line } from '../kit/books.ts'
import { type AnswerName, behaviourOf } from './codes.ts'
import type { Item, OriginalName, Payment, PaymentRecord } from './record.ts'
import type { HostMessage } from './wire-format.ts'

interface Decision {
  readonly answer: AnswerName
  readonly line?: Omit<Line<Item>, 'reply'>
}

type EffectFields = Pick<Effect, 'transactionId' | 'kind' | 'amount'>

/** `transactionId` is the merchant's own, if its message has it. */
export function decide(
  record: PaymentRecord,
  account: string,
  message: HostMessage,
  transactionId: string | undefined,
): Decision {
  const at = (number: number): string => message.fields.get(number) ?? ''
  const rrn = at(37)
  const amount = String(BigInt(at(4) || '0'))
  const own = transactionId ?? rrn
  const kind = message.mti.slice(1, 3)
  const isRefund = at(3).startsWith('20')
  if (kind === '42' || kind === '40') return reverse(record, account, { rrn, own })
  const original = record.findOriginal(account, originalIn(message))
  if (kind === '22' && !isRefund) return capture(original, { rrn, own }, amount)
  if (isRefund) return refund(original, { rrn, own }, amount)
  if (kind === '10' || kind === '20') return pay(record, account, message, { amount, own })
  return { answer: 'invalid' }
}

/** Type, trace number and time of the original message: that of field 7 in 1987, that of field 12 in 1993. */
function originalIn({ fields }: HostMessage): OriginalName {
  const [of1987, of1993 = ''] = [fields.get(90), fields.get(56)]
  const text = of1987 ?? of1993
  return { stan: text.slice(4, 10), sentAt: text.slice(10, of1987 === undefined ? 22 : 20) }
}

const sentAtOf = ({ mti, fields }: HostMessage): string => fields.get(mti.startsWith('0') ? 7 : 12) ?? ''

function pay(
  record: PaymentRecord,
  account: string,
  message: HostMessage,
  { amount, own }: { readonly amount: string; readonly own: string },
): Decision {
  const { mti, fields } = message
  const at = (number: number): string => fields.get(number) ?? ''
  const { first, capture: captureAnswer = 'approved', void: voidAnswer = 'approved' } = behaviourOf(at(2), at(14))
  const answer = record.isReversedEarly(account, at(37)) ? 'noOriginal' : first
  const kind = mti.slice(1, 3) === '10' ? 'authorize' : 'sale'
  const payment: Payment = {
    type: 'payment',
    rrn: at(37),
    account,
    kind,
    stan: at(11),
    sentAt: sentAtOf(message),
    amount,
    currency: at(49),
    lastFour: at(2).slice(-4),
    captured: kind === 'sale' ? amount : '0',
    refunded: '0',
    state: answer === 'approved' ? 'open' : 'declined',
    steps: [],
    captureAnswer,
    voidAnswer,
  }
  return recordAnswer(payment, answer, { transactionId: own, kind, amount })
}

function capture(payment: Payment | undefined, { rrn, own }: StepName, amount: string): Decision {
  if (payment?.kind !== 'authorize' || payment.state !== 'open') return { answer: 'noOriginal' }
  const captured = BigInt(payment.captured) + BigInt(amount)
  const answer = captured > BigInt(payment.amount) ? 'amount' : payment.captureAnswer
  const steps = [...payment.steps, { rrn, kind: 'capture', amount, isReversed: false } as const]
  const after = answer === 'approved' ? { ...payment, captured: String(captured), steps } : payment
  return recordAnswer(after, answer, { transactionId: own, kind: 'capture', amount })
}

function refund(payment: Payment | undefined, { rrn, own }: StepName, amount: string): Decision {
  if (payment?.state !== 'open') return { answer: 'noOriginal' }
  const refunded = BigInt(payment.refunded) + BigInt(amount)
  const answer = refunded > BigInt(payment.captured) ? 'amount' : 'approved'
  const steps = [...payment.steps, { rrn, kind: 'refund', amount, isReversed: false } as const]
  const after = answer === 'approved' ? { ...payment, refunded: String(refunded), steps } : payment
  return recordAnswer(after, answer, { transactionId: own, kind: 'refund', amount })
}

interface StepName {
  readonly rrn: string
  /** The merchant's id of it: that of the original, if it reverses a request without an answer. */
  readonly own: string
}

function reverse(record: PaymentRecord, account: string, { rrn, own }: StepName): Decision {
  const payment = record.find(account, rrn)
  if (payment) return reversePayment(payment, own)
  const stepped = record.findByStep(account, rrn)
  if (stepped) return reverseStep(stepped, { rrn, own })
  return { answer: 'noOriginal', line: { items: [{ type: 'early-reversal', account, rrn }] } }
}

function reversePayment(payment: Payment, own: string): Decision {
  if (payment.state !== 'open') return { answer: 'reversed' }
  const isUnanswered = own.endsWith(payment.rrn)
  if (!isUnanswered && payment.voidAnswer !== 'approved')
    return recordAnswer(payment, payment.voidAnswer, { transactionId: own, kind: 'void', amount: payment.amount })
  const left = BigInt(payment.captured) - BigInt(payment.refunded)
  const kind = !isUnanswered && left > 0n ? 'void' : 'reverse'
  return {
    ...recordAnswer({ ...payment, state: 'reversed' }, 'approved', {
      transactionId: own,
      kind,
      amount: payment.amount,
    }),
    answer: 'reversed',
  }
}

function reverseStep(payment: Payment, { rrn, own }: StepName): Decision {
  const step = payment.steps.find((one) => one.rrn === rrn)
  if (!step || step.isReversed) return { answer: 'reversed' }
  const steps = payment.steps.map((one) => (one.rrn === rrn ? { ...one, isReversed: true } : one))
  const back = (sum: string, kind: 'capture' | 'refund'): string =>
    step.kind === kind ? String(BigInt(sum) - BigInt(step.amount)) : sum
  const after = {
    ...payment,
    steps,
    captured: back(payment.captured, 'capture'),
    refunded: back(payment.refunded, 'refund'),
  }
  return {
    ...recordAnswer(after, 'approved', { transactionId: own, kind: 'reverse', amount: step.amount }),
    answer: 'reversed',
  }
}

function recordAnswer(payment: Payment, answer: AnswerName, fields: EffectFields): Decision {
  const { account, currency, rrn: reference } = payment
  const state = answer === 'approved' ? 'executed' : 'declined'
  return { answer, line: { items: [payment], effects: [{ ...fields, account, currency, state, reference }] } }
}
