/**
 * Lists and velocity for payments that are replayed. Lists are read as they were at each payment, as far as their entries still exist, or as
 * they are now; velocity is counted from the stored payments up to each one. Card numbers are opened only to compare their fingerprints.
 * Chapter 70 §7.
 */

import { limits } from '#domain/limits.ts'
import { type RiskSubject, riskKeysOf } from '#domain/risk/risk-entry.ts'
import { type VelocityQuestion, velocityValue } from '#domain/risk/velocity.ts'
import { type RuleSet, riskConditionsOf } from '#domain/routing/rule.ts'
import type { RiskFindings } from '#domain/routing/rule-inputs.ts'
import { minuteMs } from '#domain/time.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { readCardText } from '../../payments/methods/card-text.ts'
import type { Queryable } from '../../store/database/pool.ts'
import {
  type EarlierPayment,
  findPastMatches,
  listEarlierPayments,
  readSealedCards,
} from '../../store/risk/replayed-risk.ts'
import { PLATFORM_SCOPE, type Vault } from '../../vault/port.ts'
import { AdminRefused } from '../admin-refused.ts'

/** Which state of the lists a replay uses. */
export type ReplayedLists = 'then' | 'now'

interface ReplayedRiskDeps {
  readonly on: Queryable
  readonly vault: Vault
  readonly now: Date
  /** How many payments the windows of velocity may hold. */
  readonly mostEarlier?: number
}

interface ReplayedRiskQuestion {
  readonly payments: readonly PaymentRecord[]
  /** The published sets and the draft. */
  readonly sets: readonly RuleSet[]
  readonly lists: ReplayedLists
}

type Velocities = (payment: PaymentRecord, subject: RiskSubject) => RiskFindings['velocity']

/** By payment; empty if no rule asks. */
export async function replayRisk(
  deps: ReplayedRiskDeps,
  { payments, sets, lists }: ReplayedRiskQuestion,
): Promise<ReadonlyMap<string, RiskFindings>> {
  const questions = sets.flatMap((set) => riskConditionsOf(set).map((condition) => ({ set, condition })))
  if (questions.length === 0 || payments.length === 0) return new Map()
  const windows = questions.flatMap(({ set, condition }) =>
    condition.kind === 'velocity' ? [{ set, minutes: condition.windowMinutes, per: condition.per }] : [],
  )
  const earlier = windows.length === 0 ? [] : await readHistory(deps, payments, windows)
  const asksForLists = windows.length < questions.length
  const needsCards = asksForLists || windows.some(({ per }) => per === 'card')
  const cards = needsCards ? await openCards(deps, payments, earlier) : new Map<string, OpenCard>()
  const subjects = new Map(payments.map((payment) => [payment.id, subjectOf(payment, cards)]))
  const listed = asksForLists ? await findListed(deps, payments, subjects, lists) : new Map<string, never[]>()
  const velocityOf = countVelocity(earlier, cards)
  return new Map(
    payments.map((payment) => [
      payment.id,
      { listed: listed.get(payment.id) ?? [], velocity: velocityOf(payment, subjects.get(payment.id) ?? noSubject) },
    ]),
  )
}

interface AskedWindow {
  readonly set: RuleSet
  readonly minutes: number
}

async function readHistory(
  { on, mostEarlier = limits.routing.replayHistory }: ReplayedRiskDeps,
  payments: readonly PaymentRecord[],
  windows: readonly AskedWindow[],
): Promise<readonly EarlierPayment[]> {
  const times = payments.map(({ createdAt }) => createdAt.getTime())
  const longest = Math.max(...windows.map(({ minutes }) => minutes)) * minuteMs
  const merchants = new Set(payments.map(({ merchantId }) => merchantId))
  const [only = null] = merchants
  // A rule for all merchants counts the payments of all.
  const isOfOne = merchants.size === 1 && windows.every(({ set }) => set.merchantId !== null)
  const rows = await listEarlierPayments(on, {
    merchantId: isOfOne ? only : null,
    since: new Date(Math.min(...times) - longest),
    until: new Date(Math.max(...times)),
    limit: mostEarlier + 1,
  })
  if (rows.length > mostEarlier)
    throw new AdminRefused('conflict', {
      message: `The windows of the velocity rules hold more than ${mostEarlier} payments. Shorten the windows, or replay the rules of one merchant.`,
    })
  return rows
}

interface OpenCard {
  readonly fingerprint: string
  /** The first eight digits. */
  readonly bin: string
}

type CardPlace = Pick<EarlierPayment, 'merchantId' | 'cardId' | 'pan10'>

const keyOf = (merchantId: string, cardId: string): string => `${merchantId} ${cardId}`

/** The cards of these payments, and those of earlier ones that may be the same: only these are opened. */
async function openCards(
  { on, vault }: ReplayedRiskDeps,
  payments: readonly PaymentRecord[],
  earlier: readonly EarlierPayment[],
): Promise<ReadonlyMap<string, OpenCard>> {
  const digits = new Set(payments.map(({ pan10 }) => pan10))
  const places: readonly CardPlace[] = [...payments, ...earlier.filter(({ pan10 }) => digits.has(pan10))]
  const wanted = places.flatMap(({ merchantId, cardId }) => (cardId === null ? [] : [{ merchantId, id: cardId }]))
  const unique = new Map(wanted.map((card) => [keyOf(card.merchantId, card.id), card]))
  const opened = new Map<string, OpenCard>()
  for (const { merchantId, id, panSealed } of await readSealedCards(on, [...unique.values()])) {
    const { number } = readCardText(await vault.open(merchantId, 'card', panSealed))
    const fingerprint = vault.fingerprint(PLATFORM_SCOPE, 'risk', number)
    opened.set(keyOf(merchantId, id), { fingerprint, bin: number.reveal().slice(0, 8) })
  }
  return opened
}

const noSubject: RiskSubject = {
  card: null,
  bin: null,
  email: null,
  ip: null,
  countries: [],
  phone: null,
  device: null,
  customer: null,
}

function subjectOf(payment: PaymentRecord, cards: ReadonlyMap<string, OpenCard>): RiskSubject {
  const { merchantId, cardId, pan10, payer, payerEmail, payerIp, customData, facts } = payment
  const card = cardId === null ? undefined : cards.get(keyOf(merchantId, cardId))
  const textAt = (name: string): string | null => {
    const value = customData?.[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    card: card?.fingerprint ?? null,
    bin: card?.bin ?? pan10?.slice(0, 6) ?? null,
    email: payerEmail,
    ip: payerIp,
    countries: [payer['country'], facts.issuer?.country].filter((country) => country !== undefined && country !== null),
    phone: payer['phone'] ?? null,
    device: textAt('device_id'),
    customer: textAt('customer_id'),
  }
}

async function findListed(
  { on, now }: ReplayedRiskDeps,
  payments: readonly PaymentRecord[],
  subjects: ReadonlyMap<string, RiskSubject>,
  lists: ReplayedLists,
): Promise<ReadonlyMap<string, RiskFindings['listed']>> {
  const keys = payments.flatMap(({ id, merchantId, createdAt }) =>
    riskKeysOf(subjects.get(id) ?? noSubject).map((key) => ({
      ...key,
      paymentId: id,
      merchantId,
      at: lists === 'then' ? createdAt : now,
    })),
  )
  return Map.groupBy(await findPastMatches(on, keys, lists === 'then'), ({ paymentId }) => paymentId)
}

/** Counts as routing does: the payment itself is included, amounts only in the currency of the question. */
function countVelocity(earlier: readonly EarlierPayment[], cards: ReadonlyMap<string, OpenCard>): Velocities {
  const groups = new Map<string, EarlierPayment[]>()
  const add = (key: string | null, row: EarlierPayment): void => {
    if (key === null) return
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  for (const row of earlier) {
    const card = row.cardId === null ? undefined : cards.get(keyOf(row.merchantId, row.cardId))
    const { email, ip, device } = row
    const subject = { ...noSubject, email, ip, device, card: card?.fingerprint ?? null }
    for (const per of ['card', 'email', 'ip', 'device'] as const) add(subjectKey(per, subject), row)
  }
  return (payment, subject) => (question, scope) => {
    const key = subjectKey(question.per, subject)
    // The number of a card is deleted some time after its last use; then nothing is known about it.
    if (key === null) return question.per === 'card' && payment.cardId !== null ? undefined : null
    const since = payment.createdAt.getTime() - question.windowMinutes * minuteMs
    const others = (groups.get(key) ?? []).filter(
      (row) =>
        row.id !== payment.id &&
        (scope === 'global' || row.merchantId === payment.merchantId) &&
        row.createdAt.getTime() > since &&
        isBefore(row, payment),
    )
    return [...others, payment].reduce((sum, one) => sum + shareOf(one, question), 0n)
  }
}

function subjectKey(per: VelocityQuestion['per'], subject: RiskSubject): string | null {
  const value = velocityValue(per, subject)
  return value === null ? null : `${per} ${value}`
}

type Dated = Pick<EarlierPayment, 'id' | 'createdAt'>

/** Of two payments of one instant, the one with the lower id came first. */
function isBefore(one: Dated, other: Dated): boolean {
  const difference = one.createdAt.getTime() - other.createdAt.getTime()
  return difference < 0 || (difference === 0 && one.id < other.id)
}

function shareOf(
  { amountMinor, currency }: Pick<EarlierPayment, 'amountMinor' | 'currency'>,
  question: VelocityQuestion,
): bigint {
  if (question.currency === null) return 1n
  return currency === question.currency ? amountMinor : 0n
}
