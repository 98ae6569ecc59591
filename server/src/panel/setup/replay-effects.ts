/** What a draft changes about one payment, action by action. Chapter 70 §7. */
import type { Decision, PaymentReplay } from '../../payments/routing/simulate.ts'

export const replayedActions = ['route', 'refuse', 'decline', '3ds', 'review', 'exclude'] as const

interface Effect {
  readonly action: (typeof replayedActions)[number]
  /** False: the published rules do it, and the draft no longer does. */
  readonly applies: boolean
}

/** Compared with the published rules under the same circumstances; only the MID is compared with the one that took the payment. */
export function effectsOf({ wentTo, published, drafted }: PaymentReplay): readonly Effect[] {
  const compared: readonly (readonly [Effect['action'], before: boolean, after: boolean])[] = [
    ['route', false, drafted.result === 'routed' && drafted.midName !== wentTo],
    ['refuse', published.result === 'refused', drafted.result === 'refused'],
    ['decline', published.result === 'declined', drafted.result === 'declined'],
    ['3ds', published.threeDs === 'require', drafted.threeDs === 'require'],
    ['review', isReviewed(published), isReviewed(drafted)],
  ]
  const changed = compared.filter(([, before, after]) => before !== after)
  return [...changed.map(([action, , applies]) => ({ action, applies })), ...exclusions(published, drafted)]
}

const isReviewed = ({ explanation }: Decision): boolean => explanation.review !== undefined

function exclusions(published: Decision, drafted: Decision): readonly Effect[] {
  const [before, after] = [excludedBy(published), excludedBy(drafted)]
  return [
    ...(after.some((mid) => !before.includes(mid)) ? [{ action: 'exclude', applies: true } as const] : []),
    ...(before.some((mid) => !after.includes(mid)) ? [{ action: 'exclude', applies: false } as const] : []),
  ]
}

const excludedBy = ({ explanation }: Decision): readonly string[] =>
  explanation.dropped.filter(({ name }) => name === 'routing rule').map(({ midName }) => midName)
