/**
 * Routing by approval rate with acquirers whose rates are unknown and change while payments continue. Chapter 50 §4.
 *
 * Payments are routed by the production code, one after the other on a simulated clock, with the tallies of the last minutes. Regret is the
 * number of additional approvals that an oracle with full knowledge would have had.
 */
import { type ApprovalPreference, type Cell, rankByApproval } from '#domain/routing/approval.ts'
import { Answers } from '#server/mid-health/answers.ts'
import { type Campaign, type Findings, joinFindings, sizeOf, type Terms } from '../campaign.ts'
import type { Random } from '../stage/random.ts'

export const routingLearning: Campaign = {
  name: 'routing-learning',
  asserts: 'approval-rate routing finds the better of several MIDs, and follows when their rates swap.',
  sizes: { payments: 100_000, paymentsPerMinute: 40 },
  quick: { payments: 12_000 },
  run,
  plantedFault: {
    what: 'The MID with the worst approval rate comes first.',
    seenIn: 'beyond the bounds',
    patches: [{ file: 'domain/src/routing/approval.ts', find: 'b.rate - a.rate', replace: 'a.rate - b.rate' }],
  },
}

/** Rates of the MIDs, one phase after the other. */
interface Scenario {
  readonly name: string
  readonly phases: readonly (readonly number[])[]
}

// biome-ignore format: a table is read in columns.
const scenarios: readonly Scenario[] = [
  // MIDs                    approval rates, phase by phase
  { name: 'two, swapping',   phases: [[0.90, 0.80], [0.80, 0.90]] },
  { name: 'three, swapping', phases: [[0.85, 0.75, 0.65], [0.65, 0.75, 0.85], [0.70, 0.90, 0.70]] },
  { name: 'four, one failing', phases: [[0.92, 0.86, 0.80, 0.70], [0.20, 0.86, 0.80, 0.70]] },
]

const methods: readonly ApprovalPreference['method'][] = ['thompson', 'epsilon-greedy']
const preferenceOf = (method: ApprovalPreference['method']): ApprovalPreference => ({
  method,
  windowMinutes: 60,
  exploration: 0.05,
})

/** Bounds for every scenario and method. */
const bounds = {
  /** Share of the regret of an even draw: the cost of exploring, twice the share of payments that explore. */
  exploring: 0.1,
  /** Windows of even draws in each phase: the cost of learning, because outdated results have to leave the window. */
  learning: 1.5,
  /** For the second half of a phase, after a change could be learnt. */
  toBest: 0.8,
}

async function run(terms: Terms): Promise<Findings> {
  const options = { perMinute: sizeOf(terms, 'paymentsPerMinute'), random: terms.random }
  const simulations = scenarios.flatMap((scenario) => methods.map((method) => ({ scenario, method })))
  const payments = sizeOf(terms, 'payments')
  return joinFindings(
    ...simulations.map(({ scenario, method }) =>
      findingsOf(scenario, method, simulate(scenario, method, payments, options)),
    ),
  )
}

interface SimulationOptions {
  readonly perMinute: number
  readonly random: Random
}

/** Expected approvals of the chosen MIDs, of the best MID at each moment, and of a random MID. */
interface Sums {
  chosen: number
  best: number
  even: number
}

interface SimulationResult extends Sums {
  readonly payments: number
  readonly perMinute: number
  /** By phase, in its second half: the share of payments that went to the best MID. */
  readonly toBest: readonly number[]
}

function simulate(
  { phases }: Scenario,
  method: ApprovalPreference['method'],
  payments: number,
  options: SimulationOptions,
): SimulationResult {
  const perPhase = Math.floor(payments / phases.length)
  const router = new Router(preferenceOf(method), options)
  const sums: Sums = { chosen: 0, best: 0, even: 0 }
  const toBest = phases.map((rates) => {
    const best = Math.max(...rates)
    let late = 0
    for (let payment = 0; payment < perPhase; payment += 1) {
      const rate = router.pay(rates)
      sums.chosen += rate
      sums.best += best
      sums.even += rates.reduce((sum, one) => sum + one, 0) / rates.length
      if (payment >= perPhase / 2 && rate === best) late += 1
    }
    return late / (perPhase / 2)
  })
  return { ...sums, payments: perPhase * phases.length, perMinute: options.perMinute, toBest }
}

const minuteMs = 60_000
const cell: Cell = { network: 'visa', country: 'DE', currency: 'EUR' }

/** One payment after the other, routed by the results of the earlier ones. */
class Router {
  readonly #preference: ApprovalPreference
  readonly #options: SimulationOptions
  readonly #answers = new Answers()
  readonly #seed: string
  #paid = 0

  constructor(preference: ApprovalPreference, options: SimulationOptions) {
    this.#preference = preference
    this.#options = options
    this.#seed = options.random.digits(9)
  }

  /** Returns the rate of the chosen MID. */
  pay(rates: readonly number[]): number {
    const { perMinute, random } = this.#options
    const { windowMinutes } = this.#preference
    const now = new Date(Math.floor((this.#paid * minuteMs) / perMinute))
    if (this.#paid % perMinute === 0) this.#share(now)
    const midIds = rates.map((_, index) => `mid-${index}`)
    const tallyOf = (midId: string) => this.#answers.tally(midId, cell, windowMinutes, now)
    const [midId = ''] = rankByApproval(midIds, tallyOf, this.#preference, `${this.#seed}-${this.#paid}`)
    const rate = rates[midIds.indexOf(midId)] ?? 0
    this.#answers.add(midId, cell, random.next() < rate ? 'approved' : 'declined', now)
    this.#paid += 1
    return rate
  }

  /** What processes do about once a second: it closes past minutes and forgets old ones. */
  #share(now: Date): void {
    const minuteBefore = new Date(now.getTime() - minuteMs)
    const forget = new Date(now.getTime() - this.#preference.windowMinutes * minuteMs)
    this.#answers.read(this.#answers.take(), minuteBefore, forget)
  }
}

function findingsOf(scenario: Scenario, method: ApprovalPreference['method'], result: SimulationResult): Findings {
  const { payments, chosen, best, even, toBest } = result
  const name = `${scenario.name}, ${method}`
  const [regret, evenRegret] = [best - chosen, best - even]
  const windows = scenario.phases.length * preferenceOf(method).windowMinutes * result.perMinute
  const allowed = bounds.exploring * evenRegret + bounds.learning * windows * (evenRegret / payments)
  const isLearnt = regret <= allowed && toBest.every((part) => part >= bounds.toBest)
  const regrets = `${whole(regret)} of ${payments}, at most ${whole(allowed)}; an even draw ${whole(evenRegret)}`
  return {
    figures: [
      { name: `regret, ${name}`, value: regrets },
      { name: 'to the best MID, by phase', value: toBest.map(inPercent).join(', ') },
      { name: 'beyond the bounds', value: isLearnt ? 0 : 1, must: 0 },
    ],
    faults: isLearnt ? [] : [`${name}: regret ${regrets}; to the best ${toBest.map(inPercent).join(', ')}.`],
  }
}

const whole = (payments: number): string => payments.toFixed(0)
const inPercent = (share: number): string => `${(share * 100).toFixed(1)} %`
