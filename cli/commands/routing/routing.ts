/** Routing rules: drafts, publishing, history and rollback. Chapter 50 §4. */
import type { Condition, Rule } from '#domain/routing/rule.ts'
import {
  findRuleSet,
  listRuleSets,
  listVersions,
  merchantOfSet,
  publishNow,
  readVersion,
  rollBackTo,
  storeDraft,
} from '#server/panel/setup/routing.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { argument, flag, text, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { readBytes } from '../../kit/text-source.ts'
import { openRoutingContext, requireRuleSet } from '../../routing/context.ts'
import { routingQuestions } from './routing-questions.ts'

const merchant = text('MERCHANT', 'The rules of this merchant; default: the rules for all merchants.')
const reasonOption = text('TEXT', 'Reason, shown in the history.')
const versionNumber = readers.wholeNumber(1, 1_000_000_000)

export const routingCommands: readonly Command[] = [
  command({
    name: 'routing list',
    summary: 'Lists the rule sets with their versions and drafts.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      await using instance = await openInstance(context)
      const sets = await listRuleSets(instance)
      if (json) {
        printJson(context.output, sets)
        return
      }
      const merchants = new Map((await merchantStore(instance.pool).list()).map(({ id, name }) => [id, name]))
      const rows = sets.map(({ merchantId, published, draft }) => [
        merchantId === null ? 'all merchants' : (merchants.get(merchantId) ?? merchantId),
        published?.version ?? null,
        published?.rules.length ?? null,
        published?.publishedAt ?? null,
        published?.publishedBy ?? null,
        draft ? `revision ${draft.revision} by ${draft.changedBy}` : null,
      ])
      context.output.out(table(['rules of', 'version', 'rules', 'published', 'by', 'draft'], rows))
    },
  }),

  command({
    name: 'routing show',
    summary: 'Shows the published rules, an earlier version or the draft.',
    details: 'With --json it prints the rules, which "routing draft" accepts.',
    args: {},
    options: {
      merchant,
      version: value('N', 'Version; default: the newest.', versionNumber),
      draft: flag('Shows the draft.'),
      history: flag('Lists the versions instead, newest first.'),
      json: flag('Prints the rules as JSON.'),
    },
    examples: ['gatehouse routing show --json > rules.json', 'gatehouse routing show --merchant acme --version 3'],
    async run(context, _args, { merchant: name, version, draft, history, json }) {
      await using instance = await openInstance(context)
      await using routing = await openRoutingContext(instance)
      const set = await requireRuleSet(instance, name)
      if (history) {
        const versions = await listVersions(routing, set, null, 100)
        const rows = versions.map((one) => [one.version, one.rules.length, one.publishedAt, one.publishedBy, one.note])
        if (json) printJson(context.output, versions)
        else context.output.out(table(['version', 'rules', 'published', 'by', 'note'], rows))
        return
      }
      const shown = await withPanelRefusals(findRuleSet(routing, set))
      const chosen = draft
        ? shown.draft
        : version === undefined
          ? shown.published
          : await withPanelRefusals(readVersion(routing, set, version))
      const rules = chosen?.rules ?? []
      if (json) printJson(context.output, rules)
      else context.output.out(rules.length === 0 ? 'There are no rules.' : table(ruleHeadings, rules.map(rowOf)))
    },
  }),

  command({
    name: 'routing draft',
    changes: true,
    summary: 'Saves a draft from a file of rules as JSON.',
    details: 'FILE contains a list of rules; - reads standard input. A draft affects no payment until it is published.',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: { merchant, note: reasonOption },
    examples: ['gatehouse routing draft rules.json', 'gatehouse routing simulate --merchant acme --draft global'],
    async run(context, { file }, { merchant: name, note = '' }) {
      const rules = jsonOf(file, (await readBytes(file, context)).toString('utf8'))
      await using instance = await openInstance(context)
      await using routing = await openRoutingContext(instance)
      const set = await requireRuleSet(instance, name)
      const before = await withPanelRefusals(findRuleSet(routing, set))
      const wish = { rules, note, revision: before.draft?.revision ?? 0 }
      const draft = await withPanelRefusals(
        instance.change(async ({ pool, actor, note: keep }) => {
          const saved = await storeDraft({ ...routing, pool }, actor, set, wish)
          keep(saved.audit)
          return saved.draft
        }),
      )
      context.output.out(`The draft is saved as revision ${draft.revision}: ${ruleCount(draft.rules)}.`)
    },
  }),

  command({
    name: 'routing publish',
    changes: true,
    summary: 'Publishes the draft as the next version, at once.',
    details: 'The panel requires approval by a second user. This command does not; the audit log records it.',
    args: {},
    options: { merchant },
    async run(context, _args, { merchant: name }) {
      await using instance = await openInstance(context)
      await using routing = await openRoutingContext(instance)
      const { merchantId, draft } = await withPanelRefusals(findRuleSet(routing, await requireRuleSet(instance, name)))
      if (draft === null)
        throw new CommandError('There is no draft.', 'Create one with "gatehouse routing draft FILE".')
      const set = await withPanelRefusals(
        instance.change((change) => publishNow(change, change.actor, merchantId, draft)),
      )
      context.output.out(`Version ${set.version} is published: ${ruleCount(set.rules)}.`)
    },
  }),

  command({
    name: 'routing rollback',
    changes: true,
    summary: 'Publishes an earlier version again, at once.',
    args: { version: argument('VERSION', versionNumber) },
    options: { merchant, note: reasonOption },
    async run(context, { version }, { merchant: name, note = '' }) {
      await using instance = await openInstance(context)
      const merchantId = merchantOfSet(await requireRuleSet(instance, name))
      const reason = note === '' ? `Rolled back to version ${version}.` : note
      const set = await withPanelRefusals(
        instance.change((change) => rollBackTo(change, change.actor, merchantId, { version, reason })),
      )
      context.output.out(`Version ${set.version} is published with the rules of version ${version}.`)
    },
  }),

  ...routingQuestions,
]

const ruleHeadings = ['rule', 'enabled', 'when', 'then', 'attempts', 'final'] as const

const rowOf = ({ name, enabled, conditions, action, maximumAttempts, final }: Rule) => [
  name,
  enabled,
  conditions.length === 0 ? 'always' : conditions.map(conditionText).join('; '),
  partsText(action),
  maximumAttempts,
  final,
]

const conditionText = ({ not, ...condition }: Condition): string => `${not ? 'not ' : ''}${partsText(condition)}`

const partsText = ({ kind, ...parts }: { readonly kind: string }): string =>
  [kind, ...Object.entries(parts).flatMap(([name, part]) => (part === null ? [] : [partText(name, part)]))].join(' ')

function partText(name: string, part: unknown): string {
  if (Array.isArray(part)) return part.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one)).join(',')
  return `${name}=${String(part)}`
}

function jsonOf(file: string, json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new CommandError(`${file} is not valid JSON.`, '"gatehouse routing show --json" prints rules.')
  }
}

const ruleCount = ({ length }: readonly unknown[]): string => (length === 1 ? '1 rule' : `${length} rules`)
