/** Routing rules at the panel: draft → simulate → publish with a second person → history → roll back. Chapter 50 §4, §8. */
import { type Explanation, sentencesOf } from '#domain/routing/explanation.ts'
import type { Rule, RuleSet } from '#domain/routing/rule.ts'
import { routingCapabilities } from '../../connectors/acquirers.ts'
import { recoveryTitles } from '../../connectors/capability-table.ts'
import { connectorById } from '../../connectors/registry.ts'
import { type Decision, type HypotheticalPayment, withDraft } from '../../payments/routing/simulate.ts'
import { type DraftKey, publishDraft, type RuleFault, readRules, rollBack, saveDraft } from '../../setup/routing.ts'
import { type PublishedSet, type RoutingDraft, routingStore } from '../../store/configuration/routing-rules.ts'
import type { PoolClient, Queryable } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import type { ApprovalRow } from '../../store/people/approvals.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import { askApproval, endApprovalIn, type Requester } from '../approvals/approvals.ts'
import { type AuditNote, note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'

/** For the description of the API; `readRules` also checks what a schema cannot, such as the names of MIDs. */
export { ruleSchema } from '../../setup/routing-schema.ts'

/** What queries about rules need; the panel and the command line both provide it. */
export interface RoutingQuestionContext extends Pick<PanelContext, 'clock' | 'ids' | 'configuration' | 'vault'> {
  readonly pool: Queryable
  /** Where a replay reads. */
  readonly reports: Pick<PanelContext['reports'], 'read'>
  readonly operations: Pick<PanelContext['operations'], 'simulate' | 'replay'>
}

/** `global` is the set for all merchants, anything else a merchant's id. */
export const merchantOfSet = (name: string): string | null => (name === 'global' ? null : name)
const nameOfSet = (merchantId: string | null): string => merchantId ?? 'global'

interface ShownSet {
  readonly ruleSet: string
  readonly merchantId: string | null
  readonly published: PublishedSet | null
  readonly draft: RoutingDraft | null
}

/** Every set with a version or a draft; the set for all merchants first. */
export async function listRuleSets({ pool }: Pick<AdminContext, 'pool'>): Promise<readonly ShownSet[]> {
  const store = routingStore(pool)
  const [published, drafts] = await Promise.all([store.listCurrent(), store.listDrafts()])
  const merchants = new Set([null, ...published.map((set) => set.merchantId), ...drafts.map((one) => one.merchantId)])
  return [...merchants].map((merchantId) => ({
    ruleSet: nameOfSet(merchantId),
    merchantId,
    published: published.find((set) => set.merchantId === merchantId) ?? null,
    draft: drafts.find((one) => one.merchantId === merchantId) ?? null,
  }))
}

export async function findRuleSet({ pool, configuration }: RoutingQuestionContext, name: string): Promise<ShownSet> {
  const merchantId = merchantOfSet(name)
  if (merchantId !== null && configuration.merchant(merchantId) === null) throw notFound()
  const store = routingStore(pool)
  const [published, draft] = await Promise.all([store.findVersion(merchantId, null), store.findDraft(merchantId)])
  return { ruleSet: name, merchantId, published, draft }
}

export const listVersions = ({ pool }: RoutingQuestionContext, name: string, before: number | null, limit: number) =>
  routingStore(pool).listHistory(merchantOfSet(name), before, limit)

export async function readVersion(
  { pool }: RoutingQuestionContext,
  name: string,
  version: number,
): Promise<PublishedSet> {
  const found = await routingStore(pool).findVersion(merchantOfSet(name), version)
  if (found === null) throw notFound()
  return found
}

const targetsOf = (configuration: RoutingQuestionContext['configuration']) => ({
  midNamed: (name: string) => configuration.midNamed(name),
  brand: (name: string) => configuration.brand(name),
  capabilities: routingCapabilities,
})

export function checkRules({ configuration }: RoutingQuestionContext, rules: unknown): readonly RuleFault[] {
  const reading = readRules(rules, targetsOf(configuration))
  return reading.ok ? [] : reading.faults
}

/** The rules as sent, or a refusal with every fault and its position. */
function requireRules({ configuration }: RoutingQuestionContext, rules: unknown): readonly Rule[] {
  const reading = readRules(rules, targetsOf(configuration))
  if (reading.ok) return reading.rules
  throw new AdminRefused('invalid', {
    fields: reading.faults.map(({ field, text }) => ({ field: field === '' ? 'rules' : `rules.${field}`, text })),
  })
}

export async function storeDraft(
  context: RoutingQuestionContext,
  actor: Actor,
  name: string,
  sent: { readonly rules: unknown; readonly note: string; readonly revision: number },
): Promise<{ readonly draft: RoutingDraft; readonly audit: AuditNote }> {
  const { merchantId, draft: before } = await findRuleSet(context, name)
  const rules = requireRules(context, sent.rules)
  const routing = { on: context.pool, clock: context.clock, ids: context.ids, by: actor.label }
  const draft = await saveDraft(routing, { ...sent, merchantId, rules })
  if (draft === null) throw new AdminRefused('conflict', { message: 'Another user has saved this draft.' })
  return {
    draft,
    audit: { ...routingAudit('routing.draft', merchantId), before: before?.rules ?? null, after: draft.rules },
  }
}

export async function dropDraft(context: RoutingQuestionContext, name: string, revision: number): Promise<AuditNote> {
  const { merchantId, draft } = await findRuleSet(context, name)
  if (!(await routingStore(context.pool).dropDraft(merchantId, revision)))
    throw new AdminRefused('conflict', { message: 'The draft no longer exists.' })
  return { ...routingAudit('routing.drop-draft', merchantId), before: draft?.rules ?? null, after: null }
}

/** Chapter 50 §8: a second person publishes. The approval covers the requested revision and no later one. */
export async function askToPublish(
  context: PanelContext,
  asker: Requester,
  name: string,
  { revision, reason }: { readonly revision: number; readonly reason: string },
): Promise<ApprovalRow> {
  const { merchantId, draft } = await findRuleSet(context, name)
  if (draft?.revision !== revision) throw new AdminRefused('conflict', { message: changedMeanwhile })
  requireRules(context, draft.rules)
  const wish = {
    kind: 'routing-publish' as const,
    merchantId,
    subject: `routing ${name}`,
    request: { ruleSet: name, revision, draftId: draft.id },
    reason,
  }
  // A request for an earlier revision can no longer be carried out, so it must not block this one.
  return askApproval(context, asker, wish, { replacesEarlier: true })
}

const changedMeanwhile = 'The draft was changed or published in the meantime.'

/** The new version and the end of the request are one transaction: after a crash the request either waits for approval again or is done. */
export async function publishApproved(
  context: PanelContext,
  actor: Actor,
  approval: ApprovalRow,
): Promise<ApprovalRow> {
  const { ruleSet, revision, draftId } = approval.request
  const published = await inTransaction(context.pool, async (client) => {
    const set = await publishIn(client, context, actor, {
      merchantId: merchantOfSet(typeof ruleSet === 'string' ? ruleSet : ''),
      draft: { id: typeof draftId === 'string' ? draftId : '', revision: Number(revision) },
    })
    const ended = await endApprovalIn(client, context, actor, {
      approval,
      end: { state: 'done', result: { version: set.version } },
    })
    if (ended === null) throw new AdminRefused('conflict', { message: changedMeanwhile })
    return ended
  })
  await context.configuration.refresh()
  return published
}

type PublishingContext = Pick<AdminContext, 'pool' | 'clock' | 'ids'>

/** For callers that may publish alone: the command line, which has direct access to the database. */
export const publishNow = (context: PublishingContext, actor: Actor, merchantId: string | null, draft: DraftKey) =>
  inTransaction(context.pool, (client) => publishIn(client, context, actor, { merchantId, draft }))

async function publishIn(
  client: PoolClient,
  { clock, ids }: PublishingContext,
  actor: Actor,
  { merchantId, draft }: { readonly merchantId: string | null; readonly draft: DraftKey },
): Promise<PublishedSet> {
  const before = await routingStore(client).findVersion(merchantId, null)
  const set = await publishDraft({ on: client, clock, ids, by: actor.label }, merchantId, draft)
  if (set === null) throw new AdminRefused('conflict', { message: changedMeanwhile })
  await note(client, clock, actor, noteOf('routing.publish', before, set))
  return set
}

/** Needs no second person: the restored version was approved before, and a bad rule must be removed at once. */
export function rollBackTo(
  context: PublishingContext,
  actor: Actor,
  merchantId: string | null,
  { version, reason }: { readonly version: number; readonly reason: string },
): Promise<PublishedSet> {
  return inTransaction(context.pool, async (client) => {
    const before = await routingStore(client).findVersion(merchantId, null)
    const routing = { on: client, clock: context.clock, ids: context.ids, by: actor.label }
    const set = await rollBack(routing, merchantId, version, reason)
    if (set === null) throw new AdminRefused('conflict', { message: 'This version does not exist.' })
    await note(client, context.clock, actor, noteOf('routing.roll-back', before, set))
    return set
  })
}

const noteOf = (action: string, before: PublishedSet | null, after: PublishedSet): AuditNote => ({
  ...routingAudit(action, after.merchantId),
  before: before && { version: before.version, rules: before.rules },
  after: { version: after.version, restores: after.restores, rules: after.rules },
})

const routingAudit = (action: string, merchantId: string | null) => ({
  action,
  subject: `routing ${nameOfSet(merchantId)}`,
  merchantId,
})

/** The rules that a query is about: the published ones, the stored draft, or rules that are not saved yet. */
export interface RulesChoice {
  readonly ruleSet: string
  readonly rules: 'published' | 'draft' | readonly unknown[]
}

export async function readChosenDraft(
  context: RoutingQuestionContext,
  { ruleSet, rules }: RulesChoice,
): Promise<RuleSet | null> {
  if (rules === 'published') return null
  const { merchantId, draft, published } = await findRuleSet(context, ruleSet)
  if (rules === 'draft' && draft === null)
    throw new AdminRefused('conflict', { message: 'There is no draft. Save one first.' })
  const version = (published?.version ?? 0) + 1
  return { merchantId, version, rules: rules === 'draft' ? (draft?.rules ?? []) : requireRules(context, rules) }
}

export interface ExplainedDecision extends Decision {
  readonly sentences: readonly string[]
  /** How an unknown outcome at the first MID would be resolved; null unless the payment is routed. */
  readonly recovery: string | null
}

export async function simulateFor(
  context: RoutingQuestionContext,
  payment: HypotheticalPayment,
  choice: RulesChoice,
): Promise<ExplainedDecision> {
  if (context.configuration.merchant(payment.merchantId) === null) throw notFound()
  const draft = await readChosenDraft(context, choice)
  const published = context.configuration.ruleSets(payment.merchantId)
  const decision = await context.operations.simulate(payment, draft ? withDraft(published, draft) : published)
  return { ...decision, sentences: sentencesOf(decision.explanation), recovery: recoveryOf(context, decision) }
}

function recoveryOf({ configuration }: RoutingQuestionContext, { midName }: Decision): string | null {
  const mid = midName === null ? null : configuration.midNamed(midName)
  const connector = mid && connectorById(mid.connector)
  return connector ? recoveryTitles[connector.recoveryWay] : null
}

export const explanationSentences = (explanation: Explanation | null): readonly string[] =>
  explanation === null ? [] : sentencesOf(explanation)
