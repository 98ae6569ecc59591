/**
 * Replays stored payments under other rules, page by page. Each step examines a bounded number of payments and returns where the next
 * begins, so that the client sees the progress and stops by not asking again; nothing runs in the background. Chapter 50 §3, rule 5.
 */

import { limits } from '#domain/limits.ts'
import { type RuleSet, riskConditionsOf } from '#domain/routing/rule.ts'
import { dayMs } from '#domain/time.ts'
import type { Decision, PaymentReplay } from '../../payments/routing/simulate.ts'
import type { Pool } from '../../store/database/pool.ts'
import { countPayments } from '../../store/payments/search/payment-search.ts'
import { listStoredPayments } from '../../store/payments/stored-payments.ts'
import { AdminRefused } from '../admin-refused.ts'
import { isCutOff } from '../cut-off-statement.ts'
import { effectsOf } from './replay-effects.ts'
import { type ReplayedLists, replayRisk } from './replayed-risk.ts'
import { explanationSentences, type RoutingQuestionContext, type RulesChoice, readChosenDraft } from './routing.ts'

export interface ReplayRequest extends RulesChoice {
  readonly days: number
  /** The end of the previous step; null for the first. */
  readonly before: string | null
  /** Risk lists as they were at each payment, or as they are now. */
  readonly lists: ReplayedLists
}

/** A payment that would have been routed differently. */
export interface ChangedPayment {
  readonly paymentId: string
  readonly merchantId: string
  readonly orderId: string
  readonly createdAt: Date
  readonly amountMinor: bigint
  readonly currency: string
  readonly status: string
  readonly wentTo: string | null
  readonly wouldGoTo: string | null
  readonly result: Decision['result']
  readonly effects: ReturnType<typeof effectsOf>
  /** False if the published rules would route it differently too: then something other than the draft has changed. */
  readonly byTheDraft: boolean
  readonly sentences: readonly string[]
}

export interface ReplayStep {
  /** The payments of these days, up to the replay's maximum; counted in the first step, null later. */
  readonly total: number | null
  readonly examined: number
  readonly changed: readonly ChangedPayment[]
  /** Null if nothing is left. */
  readonly next: string | null
  /** Which state of the lists was used; null if no rule asks for them. */
  readonly lists: ReplayedLists | null
  /** A rule counts velocity: here it is counted from stored payments. */
  readonly countsVelocity: boolean
}

export async function replayStep(context: RoutingQuestionContext, request: ReplayRequest): Promise<ReplayStep> {
  const draft = await readChosenDraft(context, request)
  if (draft === null) throw new AdminRefused('invalid', { message: 'Enter the rules to replay.' })
  const since = new Date(context.clock.now().getTime() - request.days * dayMs)
  return context.reports
    .read((on) => readStep(context, on, { ...request, draft, since }))
    .catch((error: unknown) => {
      if (!isCutOff(error)) throw error
      throw new AdminRefused('conflict', {
        message: 'The replay took too long. Choose fewer days, or shorten the windows of the velocity rules.',
      })
    })
}

interface StepRequest extends Omit<ReplayRequest, 'rules' | 'ruleSet'> {
  readonly draft: RuleSet
  readonly since: Date
}

async function readStep(context: RoutingQuestionContext, on: Pool, request: StepRequest): Promise<ReplayStep> {
  const { draft, since, before, lists } = request
  const { merchantId } = draft
  const limit = limits.routing.replayPage
  const stored = await listStoredPayments(on, { merchantId, since, before, limit })
  const payments = stored.map(({ payment }) => payment)
  const sets = [draft, ...publishedFor(context, payments)]
  const deps = { on, vault: context.vault, now: context.clock.now() }
  const risk = await replayRisk(deps, { payments, sets, lists })
  const replayed = context.operations.replay(
    stored.map((one) => ({ ...one, risk: risk.get(one.payment.id) })),
    draft,
  )
  const conditions = sets.flatMap(riskConditionsOf)
  return {
    total: before === null ? await countTotal(on, merchantId, since) : null,
    examined: stored.length,
    changed: replayed.filter(isChanged).map(changeOf),
    next: stored.length < limit ? null : (stored.at(-1)?.payment.id ?? null),
    lists: conditions.some(({ kind }) => kind === 'risk-list') ? lists : null,
    countsVelocity: conditions.some(({ kind }) => kind === 'velocity'),
  }
}

function publishedFor(
  { configuration }: RoutingQuestionContext,
  payments: readonly { readonly merchantId: string }[],
): readonly RuleSet[] {
  const merchants = new Set(payments.map(({ merchantId }) => merchantId))
  return [...new Set([...merchants].flatMap((id) => configuration.ruleSets(id)))]
}

async function countTotal(on: Pool, merchantId: string | null, since: Date): Promise<number> {
  const filter = { from: since, ...(merchantId === null ? {} : { merchantId }) }
  return Math.min(Number(await countPayments(on, filter, null)), limits.routing.replayPayments)
}

const isChanged = (replay: PaymentReplay): boolean =>
  replay.wentTo !== replay.drafted.midName || effectsOf(replay).length > 0

const changeOf = (replay: PaymentReplay): ChangedPayment => ({
  ...shownChange(replay),
  effects: effectsOf(replay),
})

const shownChange = ({ payment, wentTo, published, drafted: decision }: PaymentReplay) => ({
  paymentId: payment.id,
  merchantId: payment.merchantId,
  orderId: payment.orderId,
  createdAt: payment.createdAt,
  amountMinor: payment.amountMinor,
  currency: payment.currency,
  status: payment.status,
  wentTo,
  wouldGoTo: decision.midName,
  result: decision.result,
  byTheDraft: isByTheDraft(published, decision),
  sentences: explanationSentences(decision.explanation),
})

/** The published rules would do something else with it under the same circumstances. */
function isByTheDraft(published: Decision, drafted: Decision): boolean {
  const isSame = (of: (decision: Decision) => unknown): boolean => of(published) === of(drafted)
  return !(
    isSame(({ midName }) => midName) &&
    isSame(({ result }) => result) &&
    isSame(({ threeDs }) => threeDs) &&
    isSame(({ explanation }) => explanation.review !== undefined) &&
    isSame(({ explanation }) => JSON.stringify(explanation.dropped.map(({ midName }) => midName)))
  )
}
