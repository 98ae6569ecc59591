/** Drafts the next attempt of a cascade: a copy of the declined payment without its acquirer's facts. Chapter 10 §6.2. */
import { limitsOf } from '#domain/brand/brand.ts'
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import { newPayment } from '#domain/payment/payment.ts'
import { firstTransaction } from '#domain/payment/rules.ts'
import { type NoStepUp, noStepUpSentence, type SkippedMid, skippedSentence } from '#domain/routing/ending.ts'
import { countersOf } from '#domain/routing/limit-use.ts'
import type { PaymentRecord, StoredFacts } from '../../contracts/records.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import type { Deps } from '../request/deps.ts'
import { limitUsesAt } from '../routing/limit-usage.ts'
import { withDropped } from '../routing/placement.ts'
import type { DraftedPayment } from './draft.ts'

export interface NextMid {
  readonly mid: Mid
  readonly mapping: MerchantMapping
  readonly holds: boolean
}

interface AttemptDetails {
  /** The id of the payment that is to be written. */
  readonly id: string
  /** The MIDs of the order that could not take this attempt; null if it repeats the same MID. */
  readonly skipped: readonly SkippedMid[] | null
  readonly withoutStepUp?: NoStepUp
}

export function nextDraft(deps: Deps, former: PaymentRecord, place: NextMid, details: AttemptDetails): DraftedPayment {
  const { mid, mapping, holds } = place
  const { id } = details
  const now = deps.clock.now()
  const transactionId = deps.ids.next()
  const limits = limitUsesAt(deps, place, former.currency)
  const { kind, amountMinor, recurring } = former
  const payment: PaymentRecord = {
    // Keeps the duplicate check of the former attempt: earlier attempts are declined and never count as duplicates, but another payment of
    // the same order made since then does. Chapter 10 §1.4.
    ...former,
    ...newPayment({ kind, amountMinor, holds, recurring }),
    id,
    version: 1,
    cascadeId: former.cascadeId ?? former.id,
    attempt: former.attempt + 1,
    cascading: null,
    midId: mid.id,
    mappingId: mapping.id,
    routing: former.routing && explainAttempt(deps, former, former.routing, details),
    declineReason: null,
    firstTransaction: transactionId,
    openTransaction: transactionId,
    reference: null,
    facts: {
      ...attemptFacts(deps, former, place, details),
      ...(limits.length > 0 ? { limits: countersOf(limits) } : {}),
    },
    createdAt: now,
    updatedAt: now,
  }
  const transaction = newTransaction(payment, {
    id: transactionId,
    type: firstTransaction(former.action, holds),
    amountMinor,
    midId: mid.id,
    parameters: payment.parameters,
    creditvoidId: null,
    useId: null,
    createdAt: now,
  })
  return { payment, transaction, limits }
}

function attemptFacts(
  deps: Deps,
  former: PaymentRecord,
  { mid }: NextMid,
  { id, skipped }: AttemptDetails,
): StoredFacts {
  const taken = skipped === null ? 0 : skipped.length + 1
  const {
    acquirer: _,
    redirect: __,
    limits: ___,
    storedCredential: ____,
    cascadeEnd: _____,
    cascade,
    ...facts
  } = former.facts
  const connector = deps.acquirers.connector(mid.connector)
  const credential = credentialAt(former, mid.cardOnFileEnabled && (connector?.supports.cardOnFile ?? false))
  const brand = facts.brand && deps.configuration.brand(facts.brand.code)
  const partialCapture = connector?.supports.partialCapture ?? false
  return {
    ...facts,
    ...(credential ? { storedCredential: credential } : {}),
    ...(cascade ? { cascade: { ...cascade, left: cascade.left.slice(taken) } } : {}),
    ...(facts.brand && brand ? { brand: { ...facts.brand, ...limitsOf(brand, { partialCapture }) } } : {}),
    ...(facts.recurringInit ? { recurringFirst: id } : {}),
  }
}

/**
 * A saved card is reported to the acquirer as a stored credential only on a Card-on-File MID, a recurring chain on every MID.
 * Chapter 10 §7.1.9.
 */
function credentialAt({ facts, cardToken }: PaymentRecord, cardOnFile: boolean): StoredFacts['storedCredential'] {
  const { storedCredential: before, issuedToken } = facts
  if (before && before.source !== 'card_token') return before
  if (!cardOnFile || (cardToken === null && issuedToken === undefined)) return undefined
  if (cardToken === null) return { initiator: 'cardholder', sequence: 'initial', source: 'card_token' }
  const initiator = (facts.payerPresent ?? true) ? 'cardholder' : 'merchant'
  return { initiator, sequence: 'subsequent', source: 'card_token' }
}

/** Adds to the explanation the MID that declined and the MIDs that were skipped. */
function explainAttempt(
  { configuration }: Deps,
  { attempt, midId, declineClass }: PaymentRecord,
  before: NonNullable<PaymentRecord['routing']>,
  { skipped, withoutStepUp }: AttemptDetails,
): PaymentRecord['routing'] {
  const { repeats: _, ...routing } = before
  if (skipped === null) return { ...routing, repeats: { attempt } }
  const declined = midId === null ? null : configuration.mid(midId)
  const wish = withoutStepUp ? ` ${noStepUpSentence(withoutStepUp)}` : ''
  const reason = `Attempt ${attempt} was declined there: ${declineClass}.${wish}`
  const left = declined ? withDropped(routing, { midName: declined.name, filter: 0, name: 'cascade', reason }) : routing
  return skipped.reduce(
    (explanation, { midName, because }) =>
      withDropped(explanation, { midName, filter: 0, name: 'cascade', reason: skippedSentence({ because }) }),
    left,
  )
}
