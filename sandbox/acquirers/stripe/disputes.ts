/** Disputes: https://docs.stripe.com/testing#disputes. A test card asks for one, or the stand-in's page opens it. */
import type { Effect, Line, Notice } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import { type DisputablePayment, type DisputeStep, effectsOfStep, type InquiryStep } from '../kit/dispute-pages.ts'
import { toMinor } from './amounts.ts'
import { type DisputeRecord, type IntentRecord, type Item, newId, type Records } from './records.ts'
import { showDispute } from './views.ts'
import { eventOf } from './webhook.ts'

/** Those that follow the charge of a test card. */
export function disputesOf(intent: IntentRecord): readonly DisputeRecord[] {
  const { afterwards, charge } = intent
  if (charge === null || (afterwards !== 'dispute' && afterwards !== 'inquiry')) return []
  return [newDispute(intent, afterwards === 'dispute' ? 'needs_response' : 'warning_needs_response')]
}

const newDispute = (
  { id: intent, account, amount, currency, charge, created }: IntentRecord,
  status: DisputeRecord['status'],
): DisputeRecord => ({
  object: 'dispute',
  id: newId('dp'),
  account,
  intent,
  charge: charge ?? '',
  amount,
  currency,
  created,
  reason: 'fraudulent',
  status,
  isInquiry: status === 'warning_needs_response',
})

/** An inquiry withdraws nothing. */
export const openingNotices = (dispute: DisputeRecord): readonly Notice[] =>
  noticesOf(dispute, [
    'charge.dispute.created',
    ...(dispute.status === 'needs_response' ? ['charge.dispute.funds_withdrawn'] : []),
  ])

export const openingEffects = (dispute: DisputeRecord, intent: IntentRecord): readonly Effect[] =>
  dispute.status === 'needs_response' ? effectsOf(dispute, intent, 'open') : []

function effectsOf(dispute: DisputeRecord, { metadata }: IntentRecord, step: DisputeStep): readonly Effect[] {
  const { account, id: reference } = dispute
  const currency = dispute.currency.toUpperCase()
  const transactionId = metadata['transaction_id'] ?? ''
  return effectsOfStep(step, { account, transactionId, currency, reference, amount: toMinor(dispute.amount, currency) })
}

export const noticesOf = (dispute: DisputeRecord, types: readonly string[]): readonly Notice[] =>
  types.map((type) => eventOf(dispute.account, type, showDispute(dispute)))

export const disputable = (records: Records): readonly DisputablePayment[] =>
  records
    .list('payment_intent')
    .filter(({ amountReceived, amountRefunded }) => amountReceived > amountRefunded)
    .map((intent) => {
      const { id: reference, account, amountReceived, amountRefunded, lastFour } = intent
      const currency = intent.currency.toUpperCase()
      const amountMinor = BigInt(toMinor(amountReceived - amountRefunded, currency))
      const dispute = disputeAbout(intent, records)
      return { reference, account, amountMinor, currency, lastFour, state: stateOf(dispute), answer: dispute?.answer }
    })

const disputeAbout = ({ id }: IntentRecord, records: Records): DisputeRecord | undefined =>
  records.list('dispute').find(({ intent }) => intent === id)

const states = {
  needs_response: 'open',
  under_review: 'answered',
  won: 'won',
  lost: 'lost',
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry-answered',
  warning_closed: 'closed',
} as const

const stateOf = (dispute: DisputeRecord | undefined): DisputablePayment['state'] =>
  dispute ? states[dispute.status] : 'none'

export function takeStep(reference: string, step: DisputeStep, records: Records): Line<Item> {
  const intent = records.list('payment_intent').find(({ id }) => id === reference)
  if (!intent) throw new Error('The reference belongs to no payment.')
  const before = disputeAbout(intent, records)
  if (step === 'open') {
    const opened = openedNow(intent, 'needs_response')
    if (!before) return { items: [opened], effects: openingEffects(opened, intent), notices: openingNotices(opened) }
    // An inquiry keeps its identifier, and is answered again.
    const escalated: DisputeRecord = { ...opened, id: before.id }
    const types = ['charge.dispute.updated', 'charge.dispute.funds_withdrawn']
    return { items: [escalated], effects: openingEffects(escalated, intent), notices: noticesOf(escalated, types) }
  }
  if (!before) throw new Error('The payment is not disputed.')
  const closed: DisputeRecord = { ...before, status: step }
  const types = ['charge.dispute.closed', ...(step === 'won' ? ['charge.dispute.funds_reinstated'] : [])]
  return { items: [closed], effects: effectsOf(closed, intent, step), notices: noticesOf(closed, types) }
}

const openedNow = (intent: IntentRecord, status: DisputeRecord['status']): DisputeRecord => ({
  ...newDispute(intent, status),
  amount: intent.amountReceived - intent.amountRefunded,
  created: Math.floor(now().getTime() / 1000),
})

export function takeInquiryStep(reference: string, step: InquiryStep, records: Records): Line<Item> {
  const intent = records.list('payment_intent').find(({ id }) => id === reference)
  if (!intent) throw new Error('The reference belongs to no payment.')
  if (step === 'inquiry') {
    const opened = openedNow(intent, 'warning_needs_response')
    return { items: [opened], effects: [], notices: openingNotices(opened) }
  }
  const before = disputeAbout(intent, records)
  if (!before) throw new Error('The payment has no inquiry.')
  const closed: DisputeRecord = { ...before, status: 'warning_closed' }
  return { items: [closed], effects: [], notices: noticesOf(closed, ['charge.dispute.closed']) }
}
