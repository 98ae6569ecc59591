/** Routing rules on PostgreSQL: the published versions of each set, and its draft. Chapter 50 §4. */
import type { Rule, RuleSet } from '#domain/routing/rule.ts'
import { json } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

/** A published version. Its rules need no validation, because only valid rules are ever published. */
export interface PublishedSet extends RuleSet {
  readonly id: string
  readonly note: string
  /** The version that a roll-back restored. */
  readonly restores: number | null
  readonly draftedBy: string
  readonly publishedBy: string
  readonly publishedAt: Date
}

export interface RoutingDraft {
  readonly id: string
  readonly merchantId: string | null
  readonly revision: number
  readonly rules: readonly Rule[]
  readonly note: string
  readonly changedBy: string
  readonly changedAt: Date
}

const setColumns = `id, merchant_id as "merchantId", version, rules, note, restores, drafted_by as "draftedBy",
  published_by as "publishedBy", published_at as "publishedAt"`
const draftColumns = `id, merchant_id as "merchantId", revision, rules, note, changed_by as "changedBy", changed_at as "changedAt"`

const currentSets = sql<PublishedSet, readonly []>(
  'routing.current',
  `select distinct on (merchant_id) ${setColumns} from routing_sets order by merchant_id, version desc`,
)
const setVersion = sql<PublishedSet, readonly [string | null, number | null]>(
  'routing.version',
  `select ${setColumns} from routing_sets
   where merchant_id is not distinct from $1 and version = coalesce($2, version) order by version desc limit 1`,
)
const setHistory = sql<PublishedSet, readonly [string | null, number, number]>(
  'routing.history',
  `select ${setColumns} from routing_sets
   where merchant_id is not distinct from $1 and version < $2 order by version desc limit $3`,
)
/** Two simultaneous publications compute the same version number; the unique constraint admits one. */
const publishSet = sql<PublishedSet, readonly unknown[]>(
  'routing.publish',
  `insert into routing_sets (id, merchant_id, version, rules, note, restores, drafted_by, published_by, published_at)
   select $1, $2, coalesce(max(version), 0) + 1, $3, $4, $5, $6, $7, $8 from routing_sets where merchant_id is not distinct from $2
   on conflict do nothing returning ${setColumns}`,
)
const drafts = sql<RoutingDraft, readonly []>('routing.drafts', `select ${draftColumns} from routing_drafts`)
const findDraft = sql<RoutingDraft, readonly [string | null]>(
  'routing.draft',
  `select ${draftColumns} from routing_drafts where merchant_id is not distinct from $1`,
)
/** Revision 0 means that no draft must exist yet. */
const addDraft = sql<RoutingDraft, readonly unknown[]>(
  'routing.add-draft',
  `insert into routing_drafts (id, merchant_id, revision, rules, note, changed_by, changed_at)
   values ($1, $2, 1, $3, $4, $5, $6) on conflict do nothing returning ${draftColumns}`,
)
const changeDraft = sql<RoutingDraft, readonly unknown[]>(
  'routing.change-draft',
  `update routing_drafts set revision = revision + 1, rules = $3, note = $4, changed_by = $5, changed_at = $6
   where merchant_id is not distinct from $1 and revision = $2 returning ${draftColumns}`,
)
const dropDraft = sql<{ id: string }, readonly [string | null, number, string | null]>(
  'routing.drop-draft',
  `delete from routing_drafts where merchant_id is not distinct from $1 and revision = $2 and ($3::uuid is null or id = $3)
   returning id`,
)

export const routingStore = (on: Queryable) => ({
  /** The newest version of every set. */
  listCurrent: (): Promise<readonly PublishedSet[]> => query(on, currentSets, []),
  /** The newest version if no number is given. */
  findVersion: async (merchantId: string | null, version: number | null): Promise<PublishedSet | null> =>
    (await query(on, setVersion, [merchantId, version]))[0] ?? null,
  /** Newest first. */
  listHistory: (merchantId: string | null, before: number | null, limit: number): Promise<readonly PublishedSet[]> =>
    query(on, setHistory, [merchantId, before ?? 2_147_483_647, limit]),
  /** Null if another person published at the same moment. */
  publish: async (set: Omit<PublishedSet, 'version'>): Promise<PublishedSet | null> => {
    const { id, merchantId, rules, note, restores, draftedBy, publishedBy, publishedAt } = set
    const values = [id, merchantId, json(rules), note, restores, draftedBy, publishedBy, publishedAt]
    return (await query(on, publishSet, values))[0] ?? null
  },
  listDrafts: (): Promise<readonly RoutingDraft[]> => query(on, drafts, []),
  findDraft: async (merchantId: string | null): Promise<RoutingDraft | null> =>
    (await query(on, findDraft, [merchantId]))[0] ?? null,
  /** Replaces only the revision that was read, 0 for none; null if another person has saved meanwhile. */
  saveDraft: async (draft: RoutingDraft): Promise<RoutingDraft | null> => {
    const { id, merchantId, revision, rules, note, changedBy, changedAt } = draft
    const [saved] =
      revision === 0
        ? await query(on, addDraft, [id, merchantId, json(rules), note, changedBy, changedAt])
        : await query(on, changeDraft, [merchantId, revision, json(rules), note, changedBy, changedAt])
    return saved ?? null
  },
  /** Without an id, drops any draft with this revision. */
  dropDraft: async (merchantId: string | null, revision: number, id: string | null = null): Promise<boolean> =>
    (await query(on, dropDraft, [merchantId, revision, id])).length === 1,
})
