/** Routing rules from draft to publication. Chapter 50 §4. */
import type { Capabilities } from '#domain/routing/candidate.ts'
import { midsNamed, type Rule } from '#domain/routing/rule.ts'
import { unusableMids } from '#domain/routing/unusable-mids.ts'
import type { Clock, Configuration, Ids } from '../contracts/ports.ts'
import { readValue } from '../contracts/value-faults.ts'
import { type PublishedSet, type RoutingDraft, routingStore } from '../store/configuration/routing-rules.ts'
import type { Queryable } from '../store/database/pool.ts'
import { rulesSchema } from './routing-schema.ts'

interface RoutingContext {
  readonly on: Queryable
  readonly clock: Clock
  readonly ids: Ids
  /** Who acts, for the history. */
  readonly by: string
}

export interface RuleFault {
  /** For example `0.conditions.1.values`. */
  readonly field: string
  readonly text: string
}

/** What rules may refer to. */
interface RuleTargets extends Pick<Configuration, 'midNamed' | 'brand'> {
  /** Of a connector. */
  capabilities(connectorId: string): Capabilities
}

type RulesReading =
  | { readonly ok: true; readonly rules: readonly Rule[] }
  | { readonly ok: false; readonly faults: readonly RuleFault[] }

/** Reports all faults at once, in the schema's words; unknown names are faults too, and MIDs that can take no payment of the rule. */
export function readRules(value: unknown, known: RuleTargets): RulesReading {
  const reading = readValue(rulesSchema, value)
  if (!reading.ok) return { ok: false, faults: reading.faults.map(({ path, text }) => ({ field: path, text })) }
  const faults = reading.value.flatMap((rule, index) =>
    [...unknownNames(rule, known), ...impossibleTargets(rule, known)].map((text) => fault(index, text)),
  )
  return faults.length > 0 ? { ok: false, faults } : { ok: true, rules: reading.value }
}

const fault = (index: number, text: string): RuleFault => ({ field: String(index), text })

function unknownNames(rule: Rule, { midNamed, brand }: RuleTargets): readonly string[] {
  const { action } = rule
  const mids = [...midsNamed(rule)].filter((name) => midNamed(name) === null)
  const hasMethods = action.kind === 'show-methods' || action.kind === 'hide-methods'
  const methods = hasMethods ? action.methods.filter((code) => code !== 'card' && brand(code) === null) : []
  return [
    ...mids.map((name) => `MID "${name}" does not exist.`),
    ...methods.map((code) => `Payment method "${code}" does not exist.`),
  ]
}

function impossibleTargets(rule: Rule, known: RuleTargets): readonly string[] {
  const capabilitiesOf = (name: string): Capabilities | null => {
    const mid = known.midNamed(name)
    return mid && known.capabilities(mid.connector)
  }
  return unusableMids(rule, capabilitiesOf).map(
    ({ mid, lacks }) =>
      `MID "${mid}" does not take ${lacks}: its connector ${known.midNamed(mid)?.connector} does not offer that.`,
  )
}

interface DraftChange {
  readonly merchantId: string | null
  readonly rules: readonly Rule[]
  readonly note: string
  /** The revision of the draft as read; 0 if there was none. */
  readonly revision: number
}

/** Null if another person has saved meanwhile. */
export function saveDraft({ on, clock, ids, by }: RoutingContext, wish: DraftChange): Promise<RoutingDraft | null> {
  return routingStore(on).saveDraft({ ...wish, id: ids.next(), changedBy: by, changedAt: clock.now() })
}

/** Identifies one text of a draft. The revision alone does not: a draft that is discarded and begun again counts from one. */
export type DraftKey = Pick<RoutingDraft, 'id' | 'revision'>

/** The draft becomes the next version and is removed. Call within a transaction; null if the draft has changed. */
export async function publishDraft(
  { on, clock, ids, by }: RoutingContext,
  merchantId: string | null,
  { id, revision }: DraftKey,
): Promise<PublishedSet | null> {
  const store = routingStore(on)
  const draft = await store.findDraft(merchantId)
  const isMeant = draft?.id === id && draft.revision === revision
  if (!isMeant || !(await store.dropDraft(merchantId, revision, id))) return null
  const { rules, note, changedBy } = draft
  return store.publish({
    id: ids.next(),
    merchantId,
    rules,
    note,
    restores: null,
    draftedBy: changedBy,
    publishedBy: by,
    publishedAt: clock.now(),
  })
}

/** Publishes an earlier version again. Null if there is no such version, or another person has published meanwhile. */
export async function rollBack(
  { on, clock, ids, by }: RoutingContext,
  merchantId: string | null,
  to: number,
  note: string,
): Promise<PublishedSet | null> {
  const store = routingStore(on)
  const [target, current] = [await store.findVersion(merchantId, to), await store.findVersion(merchantId, null)]
  if (target === null || current === null || current.version === to) return null
  const { rules, draftedBy } = target
  return store.publish({
    id: ids.next(),
    merchantId,
    rules,
    note,
    restores: to,
    draftedBy,
    publishedBy: by,
    publishedAt: clock.now(),
  })
}
