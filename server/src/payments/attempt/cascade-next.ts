/**
 * The next attempt of a cascade: the declined payment once more, at another MID or with 3-D Secure. Chapter 10 §6.2.
 *
 * It is written only where the limits have room and the card's network grants one more try. What only memory holds, the
 * verification code, goes with it as long as the same process carries on. So does what the issuer said: a MID that has lost its room
 * while the issuer was asked gives way to the next one, and the payer is not asked twice.
 */
import type { Following } from '#domain/routing/cascade.ts'
import type { Ending, FallenOut, NoStepUp } from '#domain/routing/ending.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { LimitClash } from '../../contracts/ports.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { type ChargeData, charge } from '../exchange/charge.ts'
import type { Performed } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { isLimitClash, periodOf } from '../routing/limit-usage.ts'
import { settleAuthentication, threeDsOf } from './authenticate.ts'
import { type SteppedUp, stepUp, takesProof } from './cascade-authentication.ts'
import { type NextPlace, nextDraft } from './cascade-draft.ts'
import { followingDecline } from './cascade-following.ts'
import { openNext } from './cascade-opening.ts'
import { nameOf, placeOf } from './cascade-place.ts'
import type { Drafted } from './draft.ts'

/** A charge with its outcome, or a payer who was sent away. */
type Next =
  | { readonly performed: Performed }
  | {
      readonly payment: PaymentRecord
      readonly transaction: TransactionRecord
      readonly outcome: Outcome
      readonly data: ChargeData
    }

interface Wish {
  readonly follows: Exclude<Following, Ending>
  /** Whether the card's network counts it: the attempt before was declined, and not merely never made. */
  readonly isTry: boolean
}

/** Answers why the cascade is over when no attempt could be written. */
export async function nextAttempt(
  deps: Deps,
  former: PaymentRecord,
  data: ChargeData,
  { follows, isTry }: Wish,
): Promise<Next | Ending> {
  if (follows === 'next-mid') return elsewhere(deps, former, { data, isTry, id: deps.ids.next() })
  const repeated = await repeatedAttempt(deps, former, { data, isTry, id: deps.ids.next() })
  if (!('instead' in repeated)) return repeated
  const { instead } = repeated
  const then = followingDecline(former, former.declineClass ?? 'authentication_required', instead.withoutStepUp)
  return typeof then === 'string' ? elsewhere(deps, former, instead) : then
}

/** What an attempt is made with, whichever MID takes it. */
interface Baggage {
  /** The payment's id, which the issuer was told where it was asked already. */
  readonly id: string
  readonly data: ChargeData
  readonly isTry: boolean
  readonly steppedUp?: SteppedUp
  /** The issuer wishes an authentication that the MID of the attempt before could not be charged with. */
  readonly withoutStepUp?: NoStepUp
}

/** The same MID once more. What the issuer said is asked for before anything is written, as in a first step. */
async function repeatedAttempt(
  deps: Deps,
  former: PaymentRecord,
  baggage: Baggage,
): Promise<Next | Ending | { readonly instead: Baggage & { readonly withoutStepUp: NoStepUp } }> {
  const { midId, mappingId, holds } = former
  const place = midId && mappingId ? placeOf(deps, former.merchantId, { midId, mappingId, holds }) : 'switched-off'
  if (typeof place === 'string') return { instead: { ...baggage, withoutStepUp: 'no-room' } }
  const draft = nextDraft(deps, former, place, { id: baggage.id, passed: null })
  const answer = await stepUp(deps, draft.payment, baggage.data)
  if (typeof answer === 'string') return { instead: { ...baggage, withoutStepUp: answer } }
  const made = await attemptAt(deps, former, draft, { ...baggage, steppedUp: answer })
  if (!isLimitClash(made)) return made
  // What the issuer refused is tried nowhere else.
  if (answer.result === 'failed') return { reason: 'not-authenticated', because: 'failed' }
  return { instead: { ...baggage, steppedUp: answer, withoutStepUp: 'no-room' } }
}

/** The first of the MIDs left that can take it now. */
async function elsewhere(deps: Deps, former: PaymentRecord, baggage: Baggage): Promise<Next | Ending> {
  const { id, withoutStepUp } = baggage
  const passed: FallenOut[] = []
  for (const left of former.facts.cascade?.left ?? []) {
    const midName = nameOf(deps, left)
    const place = placeOf(deps, former.merchantId, left)
    if (typeof place === 'string') {
      passed.push({ midName, because: place })
      continue
    }
    deps.midHealth.probe(left.midId)
    const draft = nextDraft(deps, former, place, { id, passed, ...(withoutStepUp ? { withoutStepUp } : {}) })
    const made = await attemptAt(deps, former, draft, usableAt(deps, place, baggage))
    if (!isLimitClash(made)) return made
    passed.push({ midName, because: periodOf(made) })
  }
  return { reason: 'mids-fell-out', mids: passed, ...(withoutStepUp ? { withoutStepUp } : {}) }
}

/** A connector that takes no proof is sent none, and no payer is sent away for it. */
function usableAt(deps: Deps, { mid }: NextPlace, { steppedUp, ...baggage }: Baggage): Baggage {
  return steppedUp && takesProof(deps, mid) ? { ...baggage, steppedUp } : baggage
}

/** Writes an attempt and makes it; the limit that has no room for it, or why there is none at any MID. */
async function attemptAt(
  deps: Deps,
  former: PaymentRecord,
  draft: Drafted,
  { data, isTry, steppedUp }: Baggage,
): Promise<Next | Ending | LimitClash> {
  const next = steppedUp ? proved(former, draft, steppedUp) : draft
  const written = await openNext(deps, former, next, { data, isTry })
  if (typeof written === 'string' || 'reason' in written) return written
  const { payment, transaction } = next
  if (steppedUp && steppedUp.result !== 'authenticated')
    return { performed: await settleAuthentication(deps, payment, transaction, steppedUp) }
  const charged = steppedUp ? { ...data, threeDs: steppedUp.data } : data
  const intent = { payment, transaction, departure: written }
  return { payment, transaction, data: charged, outcome: await charge(deps, intent, charged) }
}

/** With what the issuer said, and as a step of the payer where he has to be sent there. */
function proved(former: PaymentRecord, { payment, transaction, limits }: Drafted, answer: SteppedUp): Drafted {
  const where = payment.midId === former.midId ? 'here' : 'elsewhere'
  return {
    payment: { ...payment, facts: { ...payment.facts, ...threeDsOf(answer), stepUp: where } },
    transaction: answer.result === 'authenticated' ? transaction : { ...transaction, type: '3DS' },
    limits,
  }
}
