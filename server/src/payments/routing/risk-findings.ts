/**
 * Looks up what rules ask about the risk of a payment: entries of lists, and velocity. Chapter 70 §7.
 *
 * Nothing is looked up unless a rule of the merchant or the platform asks for it. Velocity counts attempts: a payment is counted once, when
 * its rules are first evaluated, also if it is refused or declined later.
 */
import { type RiskSubject, riskKeysOf } from '#domain/risk/risk-entry.ts'
import { type VelocityQuestion, velocityValue } from '#domain/risk/velocity.ts'
import type { Need } from '#domain/routing/need.ts'
import { type RuleSet, riskConditionsOf } from '#domain/routing/rule.ts'
import type { RiskFindings } from '#domain/routing/rule-inputs.ts'
import { secret } from '#domain/secret.ts'
import type { CountedPayment, VelocityCounter } from '../../contracts/risk-ports.ts'
import type { Deps } from '../request/deps.ts'

const platformScope = '00000000-0000-0000-0000-000000000000'

type RiskDeps = Pick<Deps, 'vault' | 'risk' | 'clock'>

interface RiskQuestion {
  readonly merchantId: string
  readonly need: Need
  readonly issuerCountry: string | null
  readonly sets: readonly RuleSet[]
  /** False for questions that are no payment, and for a payment that was counted already. */
  readonly counts: boolean
}

/** Undefined if no rule asks. */
export async function readRiskFindings(deps: RiskDeps, question: RiskQuestion): Promise<RiskFindings | undefined> {
  const conditions = question.sets.map((set) => [set, riskConditionsOf(set)] as const)
  if (conditions.every(([, found]) => found.length === 0)) return undefined
  const subject = subjectOf(deps, question.need, question.issuerCountry)
  const at = deps.clock.now()
  const isListed = conditions.some(([, found]) => found.some(({ kind }) => kind === 'risk-list'))
  const listed = isListed ? await deps.risk.findListed(question.merchantId, riskKeysOf(subject), at) : []
  const questions = conditions.flatMap(([{ merchantId }, found]) =>
    found
      .filter((condition) => condition.kind === 'velocity')
      .map((condition) => ({ ...condition, scope: merchantId ?? platformScope })),
  )
  const payments = await countPayments(deps, question, subject, questions)
  return {
    listed,
    velocity: (wanted, set) => {
      const scope = set === 'global' ? platformScope : question.merchantId
      const counter = counterOf(deps, subject, { ...wanted, scope })
      if (counter === null) return null
      const since = at.getTime() - wanted.windowMinutes * 60_000
      const held = payments.get(keyOf(counter))
      if (held === undefined) return undefined
      const within = held.filter((one) => one.at.getTime() > since)
      return wanted.currency === null
        ? BigInt(within.length)
        : within.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    },
  }
}

/** The payment's own amount counts only towards its own currency. */
async function countPayments(
  { vault, risk, clock }: RiskDeps,
  { need, counts }: RiskQuestion,
  subject: RiskSubject,
  questions: readonly (VelocityQuestion & { readonly scope: string })[],
): Promise<ReadonlyMap<string, readonly CountedPayment[]>> {
  const found = questions.map((question) => counterOf({ vault }, subject, question)).filter((one) => one !== null)
  const counters = [...new Map(found.map((counter) => [keyOf(counter), counter])).values()]
  if (counters.length === 0) return new Map()
  const longest = Math.max(...questions.map(({ windowMinutes }) => windowMinutes))
  const at = clock.now()
  const since = new Date(at.getTime() - longest * 60_000)
  const isOwn = ({ currency }: VelocityCounter): boolean => currency === null || currency === need.currency
  const payment = { at, amountMinor: need.amountMinor ?? 0n }
  const [own, others] = [counters.filter(isOwn), counters.filter((counter) => !isOwn(counter))]
  const held = counts
    ? [...(await risk.count(own, payment, since)), ...(await risk.readCounters(others, since))]
    : (await risk.readCounters([...own, ...others], since)).map((one, index) =>
        index < own.length ? [...one, payment] : one,
      )
  return new Map([...own, ...others].map((counter, index) => [keyOf(counter), held[index] ?? []]))
}

const keyOf = ({ scope, subject, currency }: VelocityCounter): string => `${scope} ${subject} ${currency ?? ''}`

/** Null if the payment has no such attribute. */
function counterOf(
  { vault }: Pick<RiskDeps, 'vault'>,
  subject: RiskSubject,
  { per, currency, scope }: VelocityQuestion & { readonly scope: string },
): VelocityCounter | null {
  const value = velocityValue(per, subject)
  return value === null
    ? null
    : { scope, currency, subject: vault.fingerprint(platformScope, 'risk', secret(`${per} ${value}`)) }
}

/** The interface has no parameters for a device and a customer, so merchants name them in `custom_data`. */
function subjectOf({ vault }: Pick<RiskDeps, 'vault'>, need: Need, issuerCountry: string | null): RiskSubject {
  const { card, customData, payerCountry } = need
  return {
    card: card?.number ? vault.fingerprint(platformScope, 'risk', card.number) : null,
    bin: card?.bin ?? null,
    email: need.payerEmail ?? null,
    ip: need.payerIp ?? null,
    countries: [payerCountry, issuerCountry].filter((country) => country !== null),
    phone: need.payerPhone ?? null,
    device: textAt(customData, 'device_id'),
    customer: textAt(customData, 'customer_id'),
  }
}

function textAt(customData: Need['customData'], key: string): string | null {
  const value = customData !== null && Object.hasOwn(customData, key) ? customData[key] : null
  return typeof value === 'string' && value !== '' ? value : null
}
