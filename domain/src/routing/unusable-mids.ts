/** MIDs to which a rule sends only payments that their connector cannot take. Routing would pass over them in silence. Chapter 50 §4. */
import { isMoto } from '../payment/moto.ts'
import type { Capabilities } from './candidate.ts'
import type { Condition, ListedKind, Rule } from './rule.ts'

interface UnusableMid {
  readonly mid: string
  /** What the connector does not take, for a sentence that names the MID. */
  readonly lacks: string
}

type Takes = (capabilities: Capabilities, value: string) => boolean

// biome-ignore format: a table is read in columns.
const limitedBy = {
  'currency':     ['these currencies',     ({ currencies }, value) => currencies?.includes(value) ?? true],
  'network':      ['these networks',       ({ networks }, value) => networks?.includes(value) ?? true],
  'brand':        ['these brands',         ({ brands }, value) => brands?.includes(value) ?? true],
  'wallet':       ['wallets',              ({ cardFlow, passesTokens = false }) => cardFlow || passesTokens],
  'moto-type':    ['MOTO payments',        ({ moto }, value) => moto || !isMoto(value)],
  'payment-mode': ['authorizations',       ({ actions }, value) => value !== 'DMS' || actions.includes('auth')],
  'recurring':    ['recurring payments',   ({ actions }) => actions.includes('recurring')],
} as const satisfies Partial<Readonly<Record<ListedKind, readonly [lacks: string, takes: Takes]>>>

type LimitedCondition = Condition & { readonly kind: keyof typeof limitedBy }

const isLimited = (condition: Condition): condition is LimitedCondition => Object.hasOwn(limitedBy, condition.kind)

/** `capabilitiesOf` is null for a MID that does not exist. */
export function unusableMids(
  { conditions, action }: Rule,
  capabilitiesOf: (mid: string) => Capabilities | null,
): readonly UnusableMid[] {
  return targetsOf(action).flatMap((mid) => {
    const capabilities = capabilitiesOf(mid)
    return capabilities === null
      ? []
      : conditions.flatMap((one) => lackOf(one, capabilities)).map((lacks) => ({ mid, lacks }))
  })
}

function targetsOf(action: Rule['action']): readonly string[] {
  if (action.kind === 'use' || action.kind === 'prefer') return action.mids
  return action.kind === 'split' ? action.shares.map(({ mid }) => mid) : []
}

/** A negated condition leaves other values, and one without values accepts all of them. */
function lackOf(condition: Condition, capabilities: Capabilities): readonly string[] {
  if (condition.not || !isLimited(condition) || condition.values.length === 0) return []
  const [lacks, takes] = limitedBy[condition.kind]
  return condition.values.some((value) => takes(capabilities, value)) ? [] : [lacks]
}
