/**
 * Imports settings of releases before 6.7. Chapter 50 §9, "Data of earlier releases".
 *
 * They come from a file or are already in the database. A repetition changes nothing. MIDs and merchants must already exist, because no
 * earlier release exports their secrets.
 */
import type { Mid } from '#domain/mid.ts'
import type { Rule } from '#domain/routing/rule.ts'
import { normaliseSchedule } from '#domain/schedule/schedule.ts'
import { merchantStore } from '../store/configuration/merchants.ts'
import { midStore } from '../store/configuration/mids.ts'
import { type ProtocolMappingRow, protocolMappingStore } from '../store/configuration/protocol-mappings.ts'
import { routingStore } from '../store/configuration/routing-rules.ts'
import { scheduleLog } from '../store/plans/schedule-log.ts'
import { scheduleStore } from '../store/plans/schedules.ts'
import type { SetupContext } from './context.ts'
import type { FormerSettings } from './settings-migration-file.ts'

interface SettingChange {
  readonly what: 'MID' | 'protocol mapping' | 'schedule'
  readonly name: string
  readonly before: string
  readonly after: string
}

/** A rule that matches only direct sales or only holds; the operator should review it. */
interface OneSidedRule {
  /** Where the rule is. */
  readonly from: string
  readonly rule: string
  readonly mode: 'SMS' | 'DMS'
}

export interface Migration {
  readonly changes: readonly SettingChange[]
  /** Schedules that keep their `delays`. */
  readonly delayed: readonly { readonly schedule: string; readonly delays: number }[]
  readonly rules: readonly OneSidedRule[]
}

export type MigrationResult =
  | { readonly ok: true; readonly migration: Migration }
  | { readonly ok: false; readonly faults: readonly string[] }

type Context = Pick<SetupContext, 'pool' | 'clock'>

/** Without a file it examines the database. With `dryRun` it reports what it would do. */
export async function migrateSettings(
  context: Context,
  former: FormerSettings,
  { dryRun }: { readonly dryRun: boolean },
): Promise<MigrationResult> {
  const known = await loadKnown(context)
  const works = [
    ...former.mids.map((mid) => midWork(context, known, mid)),
    ...former.protocolMappings.map((mapping) => mappingWork(context, known, mapping)),
    ...(await Promise.all(former.schedules.map((schedule) => scheduleWork(context, known, schedule)))),
  ]
  const faults = works.flatMap((work) => (work.kind === 'fault' ? [work.fault] : []))
  if (faults.length > 0) return { ok: false, faults }
  const changes: SettingChange[] = []
  for (const work of works) {
    if (work.kind !== 'change') continue
    changes.push(work.change)
    if (!dryRun) await work.write()
  }
  const delayed = await listDelayedSchedules(context, known, former)
  return { ok: true, migration: { changes, delayed, rules: await listOneSidedRules(context, known, former) } }
}

interface KnownSettings {
  readonly mids: readonly Mid[]
  readonly mappings: readonly ProtocolMappingRow[]
  /** Merchants by name, and names by id. */
  readonly merchants: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, string>
}

async function loadKnown({ pool }: Context): Promise<KnownSettings> {
  const [mids, mappings, merchants] = await Promise.all([
    midStore(pool).list(),
    protocolMappingStore(pool).list(),
    merchantStore(pool).list(),
  ])
  return {
    mids,
    mappings,
    merchants: new Map(merchants.map(({ id, name }) => [name, id])),
    names: new Map(merchants.map(({ id, name }) => [id, name])),
  }
}

type Work =
  | { readonly kind: 'fault'; readonly fault: string }
  | { readonly kind: 'same' }
  | { readonly kind: 'change'; readonly change: SettingChange; readonly write: () => Promise<unknown> }

const noChange: Work = { kind: 'same' }

/** A MID without a stated payment mode supports both. */
function midWork({ pool }: Context, { mids }: KnownSettings, former: FormerSettings['mids'][number]): Work {
  const mid = mids.find(({ name }) => name === former.name)
  if (mid === undefined)
    return { kind: 'fault', fault: `There is no MID ${former.name} here: make it first with "gatehouse mid create".` }
  const paymentMode = former.paymentMode ?? 'SMS/DMS'
  if (paymentMode === mid.paymentMode) return noChange
  return {
    kind: 'change',
    change: { what: 'MID', name: mid.name, before: mid.paymentMode, after: paymentMode },
    write: () => midStore(pool).change({ ...mid, paymentMode }),
  }
}

/** Payer fields are optional unless the mapping required them. */
function mappingWork(
  { pool }: Context,
  { mappings, merchants }: KnownSettings,
  { merchant, protocol, requiredPayerFields: required }: FormerSettings['protocolMappings'][number],
): Work {
  const merchantId = merchants.get(merchant)
  if (merchantId === undefined) return { kind: 'fault', fault: noMerchant(merchant) }
  const row = mappings.find((one) => one.merchantId === merchantId && one.protocol === protocol)
  const { requiredPayerFields: before = [], ...others } = row?.options ?? {}
  if (row !== undefined && JSON.stringify(before) === JSON.stringify(required)) return noChange
  const options = required.length === 0 ? others : { ...others, requiredPayerFields: [...required] }
  return {
    kind: 'change',
    change: {
      what: 'protocol mapping',
      name: `${merchant} ${protocol}`,
      before: row === undefined ? 'none' : `required payer fields: ${listNames(before)}`,
      after: `required payer fields: ${listNames(required)}`,
    },
    write: () => protocolMappingStore(pool).put({ merchantId, protocol, enabled: row?.enabled ?? true, options }),
  }
}

/** The schedule keeps its `delays`; one that already exists is left alone. */
async function scheduleWork(
  { pool, clock }: Context,
  { merchants }: KnownSettings,
  { merchant, id, ...schedule }: FormerSettings['schedules'][number],
): Promise<Work> {
  const merchantId = merchants.get(merchant)
  if (merchantId === undefined) return { kind: 'fault', fault: noMerchant(merchant) }
  if ((await scheduleStore(pool).find(merchantId, id)) !== null) return noChange
  const record = { ...normaliseSchedule(schedule), merchantId, mode: 'live' as const, id, version: 1 }
  const after = `every ${schedule.intervalLength} ${schedule.intervalUnit}, ${schedule.paymentsCount} payments`
  return {
    kind: 'change',
    change: { what: 'schedule', name: `${merchant} ${schedule.name}`, before: 'none', after },
    write: () => scheduleStore(pool).add(record, clock.now()),
  }
}

/** Schedules in the database and in the file. */
async function listDelayedSchedules({ pool }: Context, { merchants }: KnownSettings, former: FormerSettings) {
  const there = await Promise.all(
    [...merchants].map(async ([name, id]) =>
      (await scheduleLog(pool).listSchedules(id)).map((schedule) => ({ ...schedule, merchant: name })),
    ),
  )
  const ids = new Set(there.flat().map(({ id }) => id))
  const all = [...there.flat(), ...former.schedules.filter(({ id }) => !ids.has(id))]
  return all.flatMap(({ merchant, name, delays }) =>
    delays === null ? [] : [{ schedule: `${merchant} ${name}`, delays }],
  )
}

async function listOneSidedRules(
  { pool }: Context,
  { names }: KnownSettings,
  former: FormerSettings,
): Promise<readonly OneSidedRule[]> {
  const store = routingStore(pool)
  const [published, drafts] = await Promise.all([store.listCurrent(), store.listDrafts()])
  const whose = (merchantId: string | null): string =>
    merchantId === null ? 'all merchants' : (names.get(merchantId) ?? merchantId)
  const sets = [
    ...published.map(({ merchantId, rules }) => ({ from: `published, ${whose(merchantId)}`, rules })),
    ...drafts.map(({ merchantId, rules }) => ({ from: `draft, ${whose(merchantId)}`, rules })),
  ]
  const here = sets.flatMap(({ from, rules }) => rules.flatMap((rule) => oneSidedModes(from, rule)))
  const brought = former.routingRules.flatMap(({ name, paymentModes: [mode, ...more] }) =>
    mode === undefined || more.length > 0 ? [] : [{ from: 'file', rule: name, mode }],
  )
  return [...here, ...brought]
}

function oneSidedModes(from: string, { name, conditions }: Rule): readonly OneSidedRule[] {
  const modes = new Set<'SMS' | 'DMS'>(['SMS', 'DMS'])
  for (const condition of conditions) {
    if (condition.kind !== 'payment-mode' || condition.values.length === 0) continue
    for (const mode of modes) if (condition.values.includes(mode) === condition.not) modes.delete(mode)
  }
  const [mode, ...more] = modes
  return mode === undefined || more.length > 0 ? [] : [{ from, rule: name, mode }]
}

const noMerchant = (name: string): string =>
  `There is no merchant ${name} here: make it first with "gatehouse merchant create".`

const listNames = (names: unknown): string => (Array.isArray(names) && names.length > 0 ? names.join(', ') : 'none')
