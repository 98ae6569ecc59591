/** The panel's first page and its Analytics on both instances; chapter 70 wants each within 300 ms at ten million payments. */
import { dayMs } from '#domain/time.ts'
import { readDueCounts } from '#server/store/instance/due-counts.ts'
import { openRisks } from '#server/store/instance/open-risks.ts'
import { findMoneyFaults } from '#server/store/payments/money-checks.ts'
import { findBeginningOfNewest, type PaymentRange } from '#server/store/payments/newest-payments.ts'
import { readPaymentFigures } from '#server/store/payments/payment-figures.ts'
import { analyticsReadings } from '../analytics.ts'
import type { Figure } from '../figure-table.ts'
import { limitFigure, type Pair, timeByTurns } from './by-turns.ts'
import type { Filled } from './filled.ts'

const goalMs = 300
/** As `panel/reports/dashboard.ts` and `panel/payments/money-checks.ts` limit them. */
const paymentsCounted = 30_000
const paymentsChecked = 12_000
const risksShown = 50

type Reading = (filled: Filled, range: PaymentRange) => Promise<unknown>

// biome-ignore format: a table is read in columns.
const readings: readonly (readonly [name: string, read: Reading])[] = [
  ['figures',       readFigures],
  ['money checks',  checkMoney],
]

export async function panelFigures(pair: Pair<Filled>): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [whose, isOfAll] of [
    ['all merchants', true],
    ['the largest', false],
  ] as const)
    for (const days of [1, 30, 300])
      for (const [name, read] of readings) {
        const work = (filled: Filled) => () => read(filled, rangeOf(filled, days, isOfAll))
        const times = await timeByTurns({ small: work(pair.small), large: work(pair.large) })
        figures.push(limitFigure(`dashboard, ${name}, ${days} days, ${whose}`, times, goalMs))
      }
  const risks = await timeByTurns({ small: readRisks(pair.small), large: readRisks(pair.large) })
  const now = pair.large.stage.context.clock.now()
  const analytics = await analyticsReadings(pair.large.panel, now, pair.large.numbered.most)
  return [
    ...figures,
    limitFigure('dashboard, open risks and queues', risks, goalMs),
    ...analytics.map((figure) => ({ ...figure, name: `analytics ${figure.name}` })),
  ]
}

function rangeOf({ stage, numbered }: Filled, days: number, isOfAll: boolean): PaymentRange {
  const to = stage.context.clock.now()
  return {
    from: new Date(to.getTime() - days * dayMs),
    to,
    mode: 'live',
    merchantIds: isOfAll ? null : [numbered.most],
  }
}

async function readFigures({ panel }: Filled, range: PaymentRange): Promise<void> {
  const begins = await findBeginningOfNewest(panel, range, paymentsCounted)
  await readPaymentFigures(panel, { ...range, from: begins ?? range.from, zone: 'UTC', bucket: 'day' })
}

async function checkMoney({ panel }: Filled, range: PaymentRange): Promise<void> {
  const begins = await findBeginningOfNewest(panel, range, paymentsChecked)
  const { faults } = await findMoneyFaults(panel, { ...range, from: begins ?? range.from })
  if (faults[0]) throw new Error(`The money of payment ${faults[0].paymentId} does not add up: ${faults[0].text}.`)
}

const readRisks =
  ({ panel, stage }: Filled) =>
  async (): Promise<void> => {
    const now = stage.context.clock.now()
    const risks = openRisks(panel, null, risksShown)
    await Promise.all([risks.countCallbacks(now), risks.readUnknownOutcomes(), readDueCounts(panel, now)])
  }
