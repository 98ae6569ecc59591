/**
 * The next attempt of a cascade: the declined payment once more, at another MID or with 3-D Secure. Chapter 10 §6.2.
 *
 * It is written only where the limits have room and the card's network grants one more try. What only memory holds, the
 * verification code, goes with it as long as the same process carries on. So does what the issuer said: a MID that has lost its room
 * while the issuer was asked gives way to the next one, and the payer is not asked twice.
 */
import type { CascadeStep } from '#domain/routing/cascade.ts'
import type { Ending, FallenOut, NoStepUp } from '#domain/routing/ending.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { LimitClash } from '../../contracts/ports.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { type ChargeData, charge } from '../exchange/charge.ts'
import type { PaymentWithTransaction } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { isLimitClash, periodOf } from '../routing/limit-usage.ts'
import { settleAuthentication, threeDsOf } from './authenticate.ts'
import { type StepUpAnswer, stepUp, takesProof } from './cascade-authentication.ts'
import { type NextPlace, nextDraft } from './cascade-draft.ts'
import { followingDecline } from './cascade-following.ts'
import { openNext } from './cascade-opening.ts'
import { findPlace, midNameOf } from './cascade-place.ts'
import type { DraftedPayment } from './draft.ts'

/** A charge with its outcome, or a settled authentication step. */
type Next =
  | { readonly performed: PaymentWithTransaction }
  | {
      readonly payment: PaymentRecord
      readonly transaction: TransactionRecord
      readonly outcome: Outcome
      readonly data: ChargeData
    }

interface NextStep {
  readonly follows: Exclude<CascadeStep, Ending>
  /** Whether the card's network counts it: the attempt before was declined, and not merely never made. */
  readonly isTry: boolean
}

/** Returns the reason for ending the cascade if no attempt could be written. */
export async function nextAttempt(
  deps: Deps,
  former: PaymentRecord,
  data: ChargeData,
  { follows, isTry }: NextStep,
): Promise<Next | Ending> {
  if (follows === 'next-mid') return tryRemainingMids(deps, former, { data, isTry, id: deps.ids.next() })
  const repeated = await repeatAtSameMid(deps, former, { data, isTry, id: deps.ids.next() })
  if (!('instead' in repeated)) return repeated
  const { instead } = repeated
  const then = followingDecline(former, former.declineClass ?? 'authentication_required', instead.withoutStepUp)
  return typeof then === 'string' ? tryRemainingMids(deps, former, instead) : then
}

/** The input of an attempt that does not depend on its MID. */
interface AttemptInput {
  /** The payment's id, which the issuer was told where it was asked already. */
  readonly id: string
  readonly data: ChargeData
  readonly isTry: boolean
  readonly stepUpAnswer?: StepUpAnswer
  /** The issuer wishes an authentication that the MID of the attempt before could not be charged with. */
  readonly withoutStepUp?: NoStepUp
}

/** The same MID once more. What the issuer said is asked for before anything is written, as in a first step. */
async function repeatAtSameMid(
  deps: Deps,
  former: PaymentRecord,
  input: AttemptInput,
): Promise<Next | Ending | { readonly instead: AttemptInput & { readonly withoutStepUp: NoStepUp } }> {
  const { midId, mappingId, holds } = former
  const place = midId && mappingId ? findPlace(deps, former.merchantId, { midId, mappingId, holds }) : 'switched-off'
  if (typeof place === 'string') return { instead: { ...input, withoutStepUp: 'no-room' } }
  const draft = nextDraft(deps, former, place, { id: input.id, passed: null })
  const answer = await stepUp(deps, draft.payment, input.data)
  if (typeof answer === 'string') return { instead: { ...input, withoutStepUp: answer } }
  const result = await attemptAt(deps, former, draft, { ...input, stepUpAnswer: answer })
  if (!isLimitClash(result)) return result
  // After a refusal by the issuer no other MID is tried.
  if (answer.result === 'failed') return { reason: 'not-authenticated', because: 'failed' }
  return { instead: { ...input, stepUpAnswer: answer, withoutStepUp: 'no-room' } }
}

/** Attempts the payment at the first remaining MID that can take it now. */
async function tryRemainingMids(deps: Deps, former: PaymentRecord, input: AttemptInput): Promise<Next | Ending> {
  const { id, withoutStepUp } = input
  const passed: FallenOut[] = []
  for (const left of former.facts.cascade?.left ?? []) {
    const midName = midNameOf(deps, left)
    const place = findPlace(deps, former.merchantId, left)
    if (typeof place === 'string') {
      passed.push({ midName, because: place })
      continue
    }
    deps.midHealth.probe(left.midId)
    const draft = nextDraft(deps, former, place, { id, passed, ...(withoutStepUp ? { withoutStepUp } : {}) })
    const result = await attemptAt(deps, former, draft, withUsableProof(deps, place, input))
    if (!isLimitClash(result)) return result
    passed.push({ midName, because: periodOf(result) })
  }
  return { reason: 'mids-fell-out', mids: passed, ...(withoutStepUp ? { withoutStepUp } : {}) }
}

/** Without the authentication if the connector cannot send a proof: then the payer is not redirected for it either. */
function withUsableProof(deps: Deps, { mid }: NextPlace, { stepUpAnswer, ...input }: AttemptInput): AttemptInput {
  return stepUpAnswer && takesProof(deps, mid) ? { ...input, stepUpAnswer } : input
}

/** Writes an attempt and makes it; the limit that has no room for it, or why there is none at any MID. */
async function attemptAt(
  deps: Deps,
  former: PaymentRecord,
  draft: DraftedPayment,
  { data, isTry, stepUpAnswer }: AttemptInput,
): Promise<Next | Ending | LimitClash> {
  const next = stepUpAnswer ? withStepUp(former, draft, stepUpAnswer) : draft
  const written = await openNext(deps, former, next, { data, isTry })
  if (typeof written === 'string' || 'reason' in written) return written
  const { payment, transaction } = next
  if (stepUpAnswer && stepUpAnswer.result !== 'authenticated')
    return { performed: await settleAuthentication(deps, payment, transaction, stepUpAnswer) }
  const charged = stepUpAnswer ? { ...data, threeDs: stepUpAnswer.data } : data
  const intent = { payment, transaction, departure: written }
  return { payment, transaction, data: charged, outcome: await charge(deps, intent, charged) }
}

/** With what the issuer said, and as a step of the payer where he has to be sent there. */
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
