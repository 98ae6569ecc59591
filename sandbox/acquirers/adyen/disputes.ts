/**
 * Disputes, reported as Adyen reports them. On Adyen's test platform the holder's name of a card asks for one:
 * https://docs.adyen.com/risk-management/disputes-api/test-applicable-dispute-reasons.
 */
import { dayMs } from '#domain/time.ts'
import type { Effect, Notice } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import { type DisputablePayment, type DisputeStep, effectsOfStep, type InquiryStep } from '../kit/dispute-pages.ts'
import { type DisputeScenario, newReference, type Payment } from './payment.ts'
import { noticeOf } from './webhook.ts'

type Step = DisputeStep | InquiryStep | 'second' | 'defended' | 'accepted' | 'inquiry-answered' | 'inquiry-accepted'

// biome-ignore format: a table is read in columns.
const scenarios: ReadonlyMap<string, readonly Step[]> = new Map([
  // holder's name           what follows the capture
  ['chargeback',          ['open']],
  ['chargeback reversed', ['open', 'won']],
  ['second chargeback',   ['open', 'won', 'second']],
])

/** `Chargeback:10.4` states a reason; a shopper's name may have more words. */
const scenarioName =
  /^(?<name>chargeback reversed|second chargeback|chargeback)(?::(?<reasonCode>[\w.]{1,10}))?(?:\s|$)/i

export function scenarioIn(holderName: string): DisputeScenario | null {
  const { name, reasonCode } = scenarioName.exec(holderName.trim())?.groups ?? {}
  return name === undefined ? null : { name: name.toLowerCase(), reasonCode: reasonCode ?? null }
}

// biome-ignore format: a table is read in columns.
const events = {
  // step     event code                      status
  open:   [ ['NOTIFICATION_OF_CHARGEBACK',   'Undefended'], ['CHARGEBACK', 'Undefended'] ],
  won:    [ ['CHARGEBACK_REVERSED',          'Won'       ] ],
  lost:   [ ['DISPUTE_DEFENSE_PERIOD_ENDED', 'Expired'   ] ],
  second: [ ['SECOND_CHARGEBACK',            'Lost'      ] ],
  defended: [ ['INFORMATION_SUPPLIED',       'Pending'   ] ],
  accepted: [ ['DISPUTE_DEFENSE_PERIOD_ENDED', 'Accepted' ] ],
  inquiry: [ ['REQUEST_FOR_INFORMATION',     'Unresponded'] ],
  closed:  [ ['REQUEST_FOR_INFORMATION',     'Expired'   ] ],
  'inquiry-answered': [ ['INFORMATION_SUPPLIED', 'Pending'], ['REQUEST_FOR_INFORMATION', 'Responded'] ],
  'inquiry-accepted': [ ['DISPUTE_DEFENSE_PERIOD_ENDED', 'Accepted'] ],
} as const

interface Disputed {
  readonly payment: Payment
  readonly effects: readonly Effect[]
  readonly notices: readonly Notice[]
}

/** Nothing follows while the payment is not captured, or once it is disputed. */
export function disputeAsNamed(payment: Payment, merchantAccount: string): Disputed {
  const { scenario, dispute, captured } = payment
  if (!scenario || dispute || captured === 0) return { payment, effects: [], notices: [] }
  const taken = scenarios.get(scenario.name) ?? []
  return taken.reduce<Disputed>(
    (before, step) => {
      const after = takeStep(before.payment, step, merchantAccount)
      return {
        payment: after.payment,
        effects: [...before.effects, ...after.effects],
        notices: [...before.notices, ...after.notices],
      }
    },
    { payment, effects: [], notices: [] },
  )
}

const states = {
  open: 'open',
  won: 'won',
  lost: 'lost',
  second: 'lost',
  defended: 'answered',
  accepted: 'lost',
  inquiry: 'inquiry',
  closed: 'closed',
  'inquiry-answered': 'inquiry-answered',
  'inquiry-accepted': 'lost',
} as const

/** Steps about a request for information, which takes no money. */
const isOfInquiry = (step: Step): boolean => step.startsWith('inquiry') || step === 'closed'

const defenceMs = 18 * dayMs

export function takeStep(before: Payment, step: Step, merchantAccount: string): Disputed {
  const dispute = {
    // A chargeback is answered apart from the inquiry before it, whose reference it has.
    ...(step === 'open' ? {} : before.dispute),
    pspReference: before.dispute?.pspReference ?? newReference(),
    state: states[step],
  }
  const payment: Payment = { ...before, dispute }
  const notices = events[step].map(([eventCode, disputeStatus]) => {
    const report = {
      eventCode,
      success: true,
      reason: 'Other Fraud-Card Absent Environment',
      pspReference: dispute.pspReference,
      amount: before.captured - before.refunded,
      data: {
        ...(isOfInquiry(step)
          ? { rfiReasonCode: '6305', rfiSchemeCode: 'visa' }
          : { chargebackReasonCode: before.scenario?.reasonCode ?? '10.4', chargebackSchemeCode: 'visa' }),
        disputeStatus,
        defendable: String(step === 'open' || step === 'inquiry'),
        defensePeriodEndsAt: new Date(now().getTime() + defenceMs).toISOString(),
      },
    }
    return noticeOf(payment, report, merchantAccount)
  })
  return { payment, effects: effectsOf(payment, step, dispute.pspReference), notices }
}

function effectsOf(payment: Payment, step: Step, reference: string): readonly Effect[] {
  const { account, transactionId, currency, captured, refunded } = payment
  const about = { account, transactionId, currency, reference, amount: String(captured - refunded) }
  switch (step) {
    case 'open':
    case 'won':
    case 'lost':
      return effectsOfStep(step, about)
    case 'second':
      // It takes what the first one took.
      return effectsOfStep('open', about)
    case 'inquiry':
    case 'closed':
    case 'defended':
    case 'accepted':
    case 'inquiry-answered':
    case 'inquiry-accepted':
      return []
  }
}

export function disputableOf(payment: Payment): DisputablePayment {
  const { pspReference: reference, account, captured, refunded, currency, lastFour, dispute } = payment
  const amountMinor = BigInt(captured - refunded)
  return {
    reference,
    account,
    amountMinor,
    currency,
    lastFour,
    state: dispute?.state ?? 'none',
    answer: dispute?.answer,
  }
}
