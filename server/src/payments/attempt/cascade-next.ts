/**
 * The next attempt of a cascade: the declined payment is repeated at another MID or with 3-D Secure. Chapter 10 §6.2.
 *
 * It is written only if the limits have room and the card network allows one more try. The verification code is in memory only, so it is
 * sent again only by the same process. The issuer's authentication is reused as well: if a MID's limit is used up while the issuer
 * is asked, the next MID gets the same proof and the payer does not authenticate twice.
 */
import type { CascadeStep } from '#domain/routing/cascade.ts'
import type { Ending, NoStepUp, SkippedMid } from '#domain/routing/ending.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { type ChargeData, charge } from '../exchange/charge.ts'
import type { PaymentWithTransaction } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { periodOf } from '../routing/limit-usage.ts'
import { decideAfterDecline } from './after-decline.ts'
import { settleAuthentication, threeDsOf } from './authenticate.ts'
import { runStepUp, type StepUpAnswer, takesProof } from './cascade-authentication.ts'
import { type NextMid, nextDraft } from './cascade-draft.ts'
import { type NextOpening, openNext } from './cascade-opening.ts'
import { findPlace, midNameOf } from './cascade-place.ts'
import type { DraftedPayment } from './draft.ts'

type Next =
  /** The cascade ends, because no attempt could be written. */
  | { readonly kind: 'ended'; readonly ending: Ending }
  /** A settled authentication step. */
  | { readonly kind: 'authentication'; readonly result: PaymentWithTransaction }
  | {
      readonly kind: 'charge'
      readonly payment: PaymentRecord
      readonly transaction: TransactionRecord
      readonly outcome: Outcome
      readonly data: ChargeData
    }

interface NextStep {
  readonly follows: Exclude<CascadeStep, Ending>
  /** Whether the card network counts it as a try: only if the previous attempt was declined, and not if it was never sent. */
  readonly isTry: boolean
}

export async function makeNextAttempt(
  deps: Deps,
  former: PaymentRecord,
  data: ChargeData,
  { follows, isTry }: NextStep,
): Promise<Next> {
  if (follows === 'next-mid') return tryRemainingMids(deps, former, { data, isTry, id: deps.ids.next() })
  const repeated = await repeatAtSameMid(deps, former, { data, isTry, id: deps.ids.next() })
  if (repeated.kind !== 'not-repeated') return repeated
  const { input } = repeated
  const then = decideAfterDecline(former, former.declineClass ?? 'authentication_required', input.withoutStepUp)
  return typeof then === 'string' ? tryRemainingMids(deps, former, input) : end(then)
}

const end = (ending: Ending): Next => ({ kind: 'ended', ending })

/** The input of an attempt that does not depend on its MID. */
interface AttemptInput {
  /** The payment's id; an issuer that was asked before the payment was written already knows it. */
  readonly id: string
  readonly data: ChargeData
  readonly isTry: boolean
  readonly stepUpAnswer?: StepUpAnswer
  /** Why the previous MID could not be charged with the authentication that the issuer requires. */
  readonly withoutStepUp?: NoStepUp
}

/** `input` is for the attempt at another MID that may follow. */
type NotRepeated = {
  readonly kind: 'not-repeated'
  readonly input: AttemptInput & { readonly withoutStepUp: NoStepUp }
}

/** Repeats the attempt at the same MID. As in a first step, the issuer is asked before anything is written. */
async function repeatAtSameMid(deps: Deps, former: PaymentRecord, input: AttemptInput): Promise<Next | NotRepeated> {
  const { midId, mappingId, holds } = former
  const place = midId && mappingId ? findPlace(deps, former.merchantId, { midId, mappingId, holds }) : 'switched-off'
  if (typeof place === 'string') return { kind: 'not-repeated', input: { ...input, withoutStepUp: 'no-room' } }
  const draft = nextDraft(deps, former, place, { id: input.id, skipped: null })
  const answer = await runStepUp(deps, draft.payment, input.data)
  if (typeof answer === 'string') return { kind: 'not-repeated', input: { ...input, withoutStepUp: answer } }
  const result = await makeAttempt(deps, former, draft, { ...input, stepUpAnswer: answer })
  if (result.kind !== 'clash') return result
  // After a refusal by the issuer no other MID is tried.
  if (answer.result === 'failed') return end({ reason: 'not-authenticated', because: 'failed' })
  return { kind: 'not-repeated', input: { ...input, stepUpAnswer: answer, withoutStepUp: 'no-room' } }
}

/** Attempts the payment at the first remaining MID that can take it now. */
async function tryRemainingMids(deps: Deps, former: PaymentRecord, input: AttemptInput): Promise<Next> {
  const { id, withoutStepUp } = input
  const skipped: SkippedMid[] = []
  for (const left of former.facts.cascade?.left ?? []) {
    const midName = midNameOf(deps, left)
    const place = findPlace(deps, former.merchantId, left)
    if (typeof place === 'string') {
      skipped.push({ midName, because: place })
      continue
    }
    deps.midHealth.probe(left.midId)
    const draft = nextDraft(deps, former, place, { id, skipped, ...(withoutStepUp ? { withoutStepUp } : {}) })
    const result = await makeAttempt(deps, former, draft, withUsableProof(deps, place, input))
    if (result.kind !== 'clash') return result
    skipped.push({ midName, because: periodOf(result.limit) })
  }
  return end({ reason: 'mids-fell-out', mids: skipped, ...(withoutStepUp ? { withoutStepUp } : {}) })
}

/** Drops the authentication if the connector cannot send its proof; the payer is then not redirected for it either. */
function withUsableProof(deps: Deps, { mid }: NextMid, { stepUpAnswer, ...input }: AttemptInput): AttemptInput {
  return stepUpAnswer && takesProof(deps, mid) ? { ...input, stepUpAnswer } : input
}

/** Writes and sends an attempt. */
async function makeAttempt(
  deps: Deps,
  former: PaymentRecord,
  draft: DraftedPayment,
  { data, isTry, stepUpAnswer }: AttemptInput,
): Promise<Next | Extract<NextOpening, { kind: 'clash' }>> {
  const next = stepUpAnswer ? withStepUp(former, draft, stepUpAnswer) : draft
  const opening = await openNext(deps, former, next, { data, isTry })
  if (opening.kind !== 'opened') return opening
  const { payment, transaction } = next
  if (stepUpAnswer && stepUpAnswer.result !== 'authenticated') {
    const result = await settleAuthentication(deps, payment, transaction, stepUpAnswer)
    return { kind: 'authentication', result }
  }
  const charged = stepUpAnswer ? { ...data, threeDs: stepUpAnswer.data } : data
  const intent = { payment, transaction, departure: opening.departure }
  return { kind: 'charge', payment, transaction, data: charged, outcome: await charge(deps, intent, charged) }
}

/** Adds the issuer's answer. If the payer has to authenticate, the transaction becomes a payer step. */
function withStepUp(
  former: PaymentRecord,
  { payment, transaction, limits }: DraftedPayment,
  answer: StepUpAnswer,
): DraftedPayment {
  const where = payment.midId === former.midId ? 'here' : 'elsewhere'
  return {
    payment: { ...payment, facts: { ...payment.facts, ...threeDsOf(answer), stepUp: where } },
    transaction: answer.result === 'authenticated' ? transaction : { ...transaction, type: '3DS' },
    limits,
  }
}
