/** The next attempt of a cascade as it is written: the declined payment again, without what its acquirer told. Chapter 10 §6.2. */
import { limitsOf } from '#domain/brand/brand.ts'
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import { newPayment } from '#domain/payment/payment.ts'
import { countedIn } from '#domain/routing/limit-use.ts'
import type { PaymentRecord, StoredFacts } from '../records.ts'
import type { Deps } from './deps.ts'
import { chargeType, type Drafted } from './draft.ts'
import { countedAt } from './limit-usage.ts'
import { newTransaction } from './transaction.ts'
import { without } from './turn.ts'

export interface NextPlace {
  readonly mid: Mid
  readonly mapping: MerchantMapping
  readonly holds: boolean
}

/** `taken` counts the MIDs that this attempt takes off the order; none when the same one is tried again. */
export function nextDraft(deps: Deps, former: PaymentRecord, place: NextPlace, taken: number): Drafted {
  const { mid, mapping, holds } = place
  const now = deps.clock.now()
  const [id, transactionId] = [deps.ids.next(), deps.ids.next()]
  const limits = countedAt(deps, place)
  const { kind, amountMinor, recurring } = former
  const payment: PaymentRecord = {
    // Also its place in the order where duplicates are rejected: the attempts before it are no duplicates, being declined, but another
    // payment that came in between is one. Chapter 10 §1.4.
    ...former,
    ...newPayment({ kind, amountMinor, holds, recurring }),
    id,
    version: 1,
    cascadeId: former.cascadeId ?? former.id,
    attempt: former.attempt + 1,
    cascading: null,
    midId: mid.id,
    mappingId: mapping.id,
    routing: former.routing && explained(deps, former, former.routing, taken),
    declineReason: null,
    firstTransaction: transactionId,
    openTransaction: transactionId,
    reference: null,
    facts: { ...factsAt(deps, former, place, taken, id), ...(limits.length > 0 ? { limits: countedIn(limits) } : {}) },
    createdAt: now,
    updatedAt: now,
  }
  const transaction = newTransaction(payment, {
    id: transactionId,
    type: chargeType(payment),
    amountMinor,
    midId: mid.id,
    parameters: payment.parameters,
    creditvoidId: null,
    useId: null,
    createdAt: now,
  })
  return { payment, transaction, limits }
}

function factsAt(deps: Deps, former: PaymentRecord, { mid }: NextPlace, taken: number, id: string): StoredFacts {
  const { acquirer: _, redirect: __, limits: ___, storedCredential: ____, cascade, ...facts } = former.facts
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

/** Chapter 10 §7.1.9: a saved card is told as such only on a Card-on-File MID; what a chain is told as depends on no MID. */
function credentialAt({ facts, cardToken }: PaymentRecord, cardOnFile: boolean): StoredFacts['storedCredential'] {
  const { storedCredential: told, issuedToken } = facts
  if (told && told.source !== 'card_token') return told
  if (!cardOnFile || (cardToken === null && issuedToken === undefined)) return undefined
  if (cardToken === null) return { initiator: 'cardholder', sequence: 'initial', source: 'card_token' }
  const initiator = (facts.payerPresent ?? true) ? 'cardholder' : 'merchant'
  return { initiator, sequence: 'subsequent', source: 'card_token' }
}

/** Why the others were left: the MID that declined, and those that were passed over on the way to this one. */
function explained(
  { configuration }: Deps,
  { attempt, midId, declineClass, facts }: PaymentRecord,
  routing: NonNullable<PaymentRecord['routing']>,
  taken: number,
): PaymentRecord['routing'] {
  if (taken === 0) return routing
  const declined = midId === null ? null : configuration.mid(midId)
  const passed = facts.cascade?.left.slice(0, taken - 1) ?? []
  const reason = `Attempt ${attempt} was declined there: ${declineClass}.`
  const tried = declined ? without(routing, { midName: declined.name, filter: 0, name: 'cascade', reason }) : routing
  return passed.reduce((explanation, place) => {
    const midName = configuration.mid(place.midId)?.name
    const because = 'It could not take the next attempt at that moment.'
    return midName ? without(explanation, { midName, filter: 0, name: 'cascade', reason: because }) : explanation
  }, tried)
}
