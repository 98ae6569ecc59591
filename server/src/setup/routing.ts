/** Routing rules on their way from a draft to what is published. Chapter 50 §4. */
import { midsNamed, type Rule } from '#domain/routing/rule.ts'
import type { Clock, Configuration, Ids } from '../contracts/ports.ts'
import { readValue } from '../contracts/value-faults.ts'
import { type PublishedSet, type RoutingDraft, routingStore } from '../store/configuration/routing-rules.ts'
import type { Queryable } from '../store/database/pool.ts'
import { rulesSchema } from './routing-schema.ts'

interface RoutingOffice {
  readonly on: Queryable
  readonly clock: Clock
  readonly ids: Ids
  /** Who does it, as the history names it. */
  readonly by: string
}

export interface RuleFault {
  /** `0.conditions.1.values`. */
  readonly field: string
  readonly text: string
}

/** What rules may name. */
type Named = Pick<Configuration, 'midNamed' | 'brand'>

/** Every fault at once, in the words of the schema; names that nobody has are faults as well. */
export function readRules(
  given: unknown,
  known: Named,
): { readonly rules: readonly Rule[] } | { readonly faults: readonly RuleFault[] } {
  const reading = readValue(rulesSchema, given)
  if (!reading.ok) return { faults: reading.faults.map(({ path, text }) => ({ field: path, text })) }
  const faults = reading.value.flatMap((rule, index) => unknownNames(rule, known).map((text) => fault(index, text)))
  return faults.length > 0 ? { faults } : { rules: reading.value }
}

const fault = (index: number, text: string): RuleFault => ({ field: String(index), text })

function unknownNames(rule: Rule, { midNamed, brand }: Named): readonly string[] {
  const { action } = rule
  const mids = [...midsNamed(rule)].filter((name) => midNamed(name) === null)
  const methods = 'methods' in action ? action.methods.filter((code) => code !== 'card' && brand(code) === null) : []
  return [
    ...mids.map((name) => `MID "${name}" does not exist.`),
    ...methods.map((code) => `Payment method "${code}" does not exist.`),
  ]
}

interface DraftWish {
  readonly merchantId: string | null
  readonly rules: readonly Rule[]
  readonly note: string
  /** That of the draft as it was read; 0 when there was none. */
  readonly revision: number
}

/** Null when somebody else saved meanwhile. */
export function saveDraft({ on, clock, ids, by }: RoutingOffice, wish: DraftWish): Promise<RoutingDraft | null> {
  return routingStore(on).saveDraft({ ...wish, id: ids.next(), changedBy: by, changedAt: clock.now() })
}

/** One text of a draft. The number alone names none: a draft that is given up and begun anew counts from one again. */
export type DraftNamed = Pick<RoutingDraft, 'id' | 'revision'>

/** The draft becomes the next version and is gone. Within a transaction; null when it is not the one that was meant any more. */
export async function publishDraft(
  { on, clock, ids, by }: RoutingOffice,
  merchantId: string | null,
  { id, revision }: DraftNamed,
): Promise<PublishedSet | null> {
  const store = routingStore(on)
  const draft = await store.draft(merchantId)
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

/** An earlier version is published anew. Null when there is no such version, or somebody else published meanwhile. */
export async function rollBack(
  { on, clock, ids, by }: RoutingOffice,
  merchantId: string | null,
  to: number,
  note: string,
): Promise<PublishedSet | null> {
  const store = routingStore(on)
  const [target, current] = [await store.version(merchantId, to), await store.version(merchantId, null)]
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
