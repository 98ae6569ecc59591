/**
 * Replays stored payments under other rules, page by page. Each step examines a bounded number of payments and returns where the next
 * begins, so that the client sees the progress and stops by not asking again; nothing runs in the background. Chapter 50 §3, rule 5.
 */
import { limits } from '#domain/limits.ts'
import type { Decision, PaymentReplay } from '../../payments/routing/simulate.ts'
import { countPayments } from '../../store/payments/payment-search.ts'
import { storedPaymentsOf } from '../../store/payments/stored-payments.ts'
import { AdminRefused } from '../admin-refused.ts'
import { chosenDraft, explanationSentences, type RoutingQuestionContext, type RulesChoice } from './routing.ts'

const dayMs = 86_400_000

export interface ReplayRequest extends RulesChoice {
  readonly days: number
  /** The end of the previous step; null for the first. */
  readonly before: string | null
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
}

export async function replayStep(context: RoutingQuestionContext, request: ReplayRequest): Promise<ReplayStep> {
  const draft = await chosenDraft(context, request)
  if (draft === null) throw new AdminRefused('invalid', { message: 'Enter the rules to replay.' })
  const { merchantId } = draft
  const since = new Date(context.clock.now().getTime() - request.days * dayMs)
  const limit = limits.routing.replayPage
  const stored = await storedPaymentsOf(context.pool, { merchantId, since, before: request.before, limit })
  const replayed = context.operations.replay(stored, draft)
  return {
    total: request.before === null ? await totalOf(context, merchantId, since) : null,
    examined: stored.length,
    changed: replayed.filter(isRerouted).map(changeOf),
    next: stored.length < limit ? null : (stored.at(-1)?.payment.id ?? null),
  }
}

async function totalOf({ pool }: RoutingQuestionContext, merchantId: string | null, since: Date): Promise<number> {
  const filter = { from: since, ...(merchantId === null ? {} : { merchantId }) }
  return Math.min(Number(await countPayments(pool, filter, null)), limits.routing.replayPayments)
}

const isRerouted = ({ wentTo, drafted: { midName } }: PaymentReplay): boolean => wentTo !== midName

const changeOf = ({ payment, wentTo, published, drafted: decision }: PaymentReplay): ChangedPayment => ({
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
  byTheDraft: published.midName !== decision.midName || published.result !== decision.result,
  sentences: explanationSentences(decision.explanation),
})
