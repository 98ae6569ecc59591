/**
 * The task list of a merchant in the platform setup. Chapter 40 §2, through the platform, step 2.
 *
 * Task states are not stored: each is derived from its data, so that the list is always correct.
 */
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { readWalletState } from '../accounts/facts.ts'
import { activeKeys, type WalletStateData } from '../accounts/state.ts'

export const taskNames = ['details', 'platform', 'merchant', 'domains', 'files', 'confirm'] as const
export type TaskName = (typeof taskNames)[number]

export interface PlatformTask {
  readonly name: TaskName
  readonly title: string
  /** `waiting` for an earlier task. */
  readonly state: 'done' | 'open' | 'waiting'
  /** What is still missing; empty if the task is done. */
  readonly missing: readonly string[]
}

/** Null if the merchant is not in the platform setup. */
export async function listPlatformTasks(
  pool: Queryable,
  recordKey: WalletRecordKey,
  now: Date,
): Promise<readonly PlatformTask[] | null> {
  const facts = await readWalletState(pool, recordKey, now)
  return facts?.settings.setup === 'platform' ? tasksOf(facts) : null
}

export function tasksOf(facts: WalletStateData): readonly PlatformTask[] {
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
  readonly lacks: (facts: WalletStateData) => readonly string[]
}

// biome-ignore format: a table is read in columns.
const rules: readonly Rule[] = [
  { name: 'details',  after: [],                                                      lacks: missingDetails,      title: 'The merchant has sent domains, display name and country.' },
  { name: 'platform', after: [],                                                      lacks: missingPlatform,     title: 'The operator’s keys, certificates and file are set up.' },
  { name: 'merchant', after: ['details'],                                             lacks: missingIdentifier,   title: 'The merchant is registered with the wallet provider.' },
  { name: 'domains',  after: ['merchant'],                                            lacks: unregisteredDomains, title: 'The domains are registered with the wallet provider.' },
  { name: 'files',    after: ['platform'],                                            lacks: unverifiedDomains,   title: 'Every domain serves the operator’s file.' },
  { name: 'confirm',  after: ['details', 'platform', 'merchant', 'domains', 'files'], lacks: missingConfirmation, title: 'The operator has confirmed the setup.' },
]

function missingNames(rows: readonly (readonly [name: string, isThere: boolean])[]): readonly string[] {
  return rows.filter(([, isThere]) => !isThere).map(([name]) => name)
}

function missingDetails({ settings: { fields }, domains }: WalletStateData): readonly string[] {
  return missingNames([
    ['a domain', domains.length > 0],
    ['Shop name', fields.shopName !== undefined],
    ['Country', fields.country !== undefined],
  ])
}

function missingPlatform({ platform, keys, now }: WalletStateData): readonly string[] {
  const identity = activeKeys(keys, 'identity', now).some(
    ({ state, certificate }) => state === 'current' && certificate,
  )
  return missingNames([
    ['the platform’s identifier', platform?.fields.merchantIdentifier !== undefined],
    ['identity certificate', identity],
    ['processing key', activeKeys(keys, 'processing', now).length > 0],
    ['association file', platform?.associationFile != null],
  ])
}

function missingIdentifier({ settings: { fields } }: WalletStateData): readonly string[] {
  return missingNames([['the identifier assigned by the wallet provider', fields.merchantIdentifier !== undefined]])
}

function unregisteredDomains({ domains }: WalletStateData): readonly string[] {
  return domains.length === 0
    ? ['a domain']
    : missingNames(domains.map(({ domain, verifiedAtMaker }) => [domain, verifiedAtMaker !== null]))
}

function unverifiedDomains({ domains }: WalletStateData): readonly string[] {
  return domains.length === 0
    ? ['a domain']
    : missingNames(domains.map(({ domain, state }) => [domain, state === 'verified']))
}

function missingConfirmation({ settings: { enabled } }: WalletStateData): readonly string[] {
  return missingNames([['enabling the wallet', enabled]])
}
