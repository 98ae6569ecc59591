/**
 * The task list of a merchant that gets its wallet through the platform. Chapter 40 §2, through the platform, step 2.
 *
 * No state of a task is kept: each is read from what it is about, so that the list cannot say other than what is.
 */
import type { WalletPlace } from '../../contracts/wallet-records.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { factsOf } from '../accounts/facts.ts'
import { activeKeys, type StateFacts } from '../accounts/state.ts'

export const taskNames = ['details', 'platform', 'merchant', 'domains', 'files', 'confirm'] as const
export type TaskName = (typeof taskNames)[number]

export interface PlatformTask {
  readonly name: TaskName
  readonly title: string
  /** `waiting` for an earlier one. */
  readonly state: 'done' | 'open' | 'waiting'
  /** What is still to be done; empty when it is. */
  readonly missing: readonly string[]
}

/** Null when the merchant is not in the platform setup. */
export async function platformTasks(
  pool: Queryable,
  place: WalletPlace,
  now: Date,
): Promise<readonly PlatformTask[] | null> {
  const facts = await factsOf(pool, place, now)
  return facts?.settings.setup === 'platform' ? tasksOf(facts) : null
}

export function tasksOf(facts: StateFacts): readonly PlatformTask[] {
  const missing = new Map(rules.map(({ name, lacks }) => [name, lacks(facts)]))
  const isDone = (name: TaskName): boolean => missing.get(name)?.length === 0
  return rules.map(({ name, title, after }) => ({
    name,
    title,
    state: isDone(name) ? 'done' : after.every(isDone) ? 'open' : 'waiting',
    missing: missing.get(name) ?? [],
  }))
}

interface Rule {
  readonly name: TaskName
  readonly title: string
  readonly after: readonly TaskName[]
  readonly lacks: (facts: StateFacts) => readonly string[]
}

// biome-ignore format: a table is read in columns.
const rules: readonly Rule[] = [
  { name: 'details',  after: [],                                                     lacks: detailsLacking,    title: 'The merchant has sent domains, display name and country.' },
  { name: 'platform', after: [],                                                     lacks: platformLacking,   title: 'The operator’s keys, certificates and file are set up.' },
  { name: 'merchant', after: ['details'],                                            lacks: identifierLacking, title: 'The merchant is registered with the wallet provider.' },
  { name: 'domains',  after: ['merchant'],                                           lacks: unregistered,      title: 'The domains are registered with the wallet provider.' },
  { name: 'files',    after: ['platform'],                                           lacks: unverified,        title: 'Every domain serves the operator’s file.' },
  { name: 'confirm',  after: ['details', 'platform', 'merchant', 'domains', 'files'], lacks: unconfirmed,      title: 'The operator has confirmed the setup.' },
]

function named(rows: readonly (readonly [name: string, isThere: boolean])[]): readonly string[] {
  return rows.filter(([, isThere]) => !isThere).map(([name]) => name)
}

function detailsLacking({ settings: { fields }, domains }: StateFacts): readonly string[] {
  return named([
    ['a domain', domains.length > 0],
    ['Shop Name', fields.shopName !== undefined],
    ['Country', fields.country !== undefined],
  ])
}

function platformLacking({ platform, keys, now }: StateFacts): readonly string[] {
  const identity = activeKeys(keys, 'identity', now).some(
    ({ state, certificate }) => state === 'current' && certificate,
  )
  return named([
    ['the platform’s identifier', platform?.fields.merchantIdentifier !== undefined],
    ['identity certificate', identity],
    ['processing key', activeKeys(keys, 'processing', now).length > 0],
    ['association file', platform?.associationFile != null],
  ])
}

function identifierLacking({ settings: { fields } }: StateFacts): readonly string[] {
  return named([['the identifier assigned by the wallet provider', fields.merchantIdentifier !== undefined]])
}

function unregistered({ domains }: StateFacts): readonly string[] {
  return domains.length === 0
    ? ['a domain']
    : named(domains.map(({ domain, verifiedAtMaker }) => [domain, verifiedAtMaker !== null]))
}

function unverified({ domains }: StateFacts): readonly string[] {
  return domains.length === 0 ? ['a domain'] : named(domains.map(({ domain, state }) => [domain, state === 'verified']))
}

function unconfirmed({ settings: { enabled } }: StateFacts): readonly string[] {
  return named([['enabling the wallet', enabled]])
}
