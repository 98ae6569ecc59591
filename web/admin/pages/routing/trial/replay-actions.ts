/** What a replay adds up to by action: how many payments a draft would decline, hold, authenticate or send elsewhere. */
import type { ReroutedPayment } from './use-replay.ts'

type Effect = ReroutedPayment['effects'][number]

const titles: Readonly<Record<Effect['action'], readonly [applies: string, noLonger: string]>> = {
  route: ['Another MID', 'The same MID'],
  refuse: ['No MID left', 'A MID left again'],
  decline: ['Declined', 'No longer declined'],
  '3ds': ['3-D Secure required', '3-D Secure no longer required'],
  review: ['Held for review', 'No longer held for review'],
  exclude: ['MID excluded', 'MID no longer excluded'],
}

export const effectTitle = ({ action, applies }: Effect): string => titles[action][applies ? 0 : 1]

interface ActionTotal {
  readonly title: string
  readonly payments: number
}

/** The most frequent first; a payment counts once for each of its effects. */
export function actionTotals(changed: readonly ReroutedPayment[]): readonly ActionTotal[] {
  const counts = new Map<string, number>()
  for (const { effects } of changed)
    for (const effect of effects) counts.set(effectTitle(effect), (counts.get(effectTitle(effect)) ?? 0) + 1)
  return [...counts]
    .map(([title, payments]) => ({ title, payments }))
    .toSorted((one, other) => other.payments - one.payments)
}

/** Those with the chosen effect; all if none is chosen. */
export const withEffect = (changed: readonly ReroutedPayment[], title: string): readonly ReroutedPayment[] =>
  title === '' ? changed : changed.filter(({ effects }) => effects.some((effect) => effectTitle(effect) === title))
