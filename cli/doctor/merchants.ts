/** Finds merchants that cannot take payments or would get no callbacks. Findings of one kind are grouped. */
import { parseMappingOptions } from '#domain/mapping.ts'
import type { Mode } from '#domain/merchant.ts'
import { type MerchantRow, merchantStore } from '#server/store/configuration/merchants.ts'
import { merchantMappingStore, midStore } from '#server/store/configuration/mids.ts'
import { type ProtocolMappingRow, protocolMappingStore } from '#server/store/configuration/protocol-mappings.ts'
import type { Pool } from '#server/store/database/pool.ts'
import type { Vault } from '#server/vault/port.ts'
import { VaultError } from '#server/vault/vault-error.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const subject = 'merchants'

/** By the merchant's id. */
interface MerchantData {
  readonly readable: ReadonlySet<string>
  readonly mapped: ReadonlySet<string>
  readonly live: ReadonlySet<string>
  readonly test: ReadonlySet<string>
}

interface Row {
  readonly level: typeof warning
  readonly lacks: (merchant: MerchantRow, facts: MerchantData) => boolean
  readonly text: (names: string) => string
  readonly remedy: string
}

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  { level: problem, lacks: ({ id }, { readable }) => !readable.has(id),             text: (names) => `The secrets of ${names} cannot be decrypted.`,
    remedy: 'The stored values are damaged: restore their rows from a backup.' },
  { level: warning, lacks: ({ id }, { mapped }) => !mapped.has(id),                 text: (names) => `No protocol is enabled for ${names}.`,
    remedy: 'Use "gatehouse mapping create" or "gatehouse mapping enable".' },
  { level: warning, lacks: ({ id, testOnly }, { live }) => !testOnly && !live.has(id), text: (names) => `No enabled live MID for ${names}.`,
    remedy: 'Use "gatehouse mid link".' },
  { level: warning, lacks: ({ id }, { test }) => !test.has(id),                     text: (names) => `No enabled test MID for ${names}.`,
    remedy: 'Use "gatehouse mid link".' },
  // Chapter 10 §11.1, "No URL".
  { level: warning, lacks: ({ notificationUrl }) => notificationUrl === null,       text: (names) => `No callback address for ${names}: payments without callback_url get no callbacks.`,
    remedy: 'Use "gatehouse merchant update NAME --notification-url URL".' },
]

export async function checkMerchants(pool: Pool, vault: Vault): Promise<readonly Finding[]> {
  const merchants = (await merchantStore(pool).list()).filter(({ status }) => status === 'active')
  if (merchants.length === 0)
    return [warning(subject, 'No merchant is active.', 'Create one with "gatehouse merchant create".')]

  const mappings = await protocolMappingStore(pool).list()
  const facts: MerchantData = {
    readable: await findReadable(vault, merchants),
    mapped: new Set(mappings.filter(({ enabled }) => enabled).map(({ merchantId }) => merchantId)),
    live: await findServedMerchants('live', pool),
    test: await findServedMerchants('test', pool),
  }
  const findings = [
    ...rows.flatMap(({ level, lacks, text, remedy }) => {
      const concerned = merchants.filter((merchant) => lacks(merchant, facts))
      return concerned.length === 0 ? [] : [level(subject, text(namesOf(concerned)), remedy)]
    }),
    ...merchants.flatMap((merchant) => optionFaults(merchant, mappings)),
  ]
  return findings.length > 0
    ? findings
    : [ok(subject, `${merchants.length} can accept payments and receive callbacks.`)]
}

function optionFaults({ id, name }: MerchantRow, mappings: readonly ProtocolMappingRow[]): readonly Finding[] {
  return mappings
    .filter(({ merchantId }) => merchantId === id)
    .flatMap((row) => parseMappingOptions(row).faults.map((fault) => ({ protocol: row.protocol, fault })))
    .map(({ protocol, fault }) =>
      warning(subject, `An option of ${name} on ${protocol} is ignored. ${fault}`, 'Use "gatehouse mapping set".'),
    )
}

/** The merchants that have a usable MID in that mode. */
async function findServedMerchants(mode: Mode, pool: Pool): Promise<ReadonlySet<string>> {
  const mids = new Set(
    (await midStore(pool).list()).filter((mid) => mid.enabled && mid.mode === mode).map(({ id }) => id),
  )
  const links = await merchantMappingStore(pool).list()
  return new Set(links.filter(({ enabled, midId }) => enabled && mids.has(midId)).map(({ merchantId }) => merchantId))
}

async function findReadable(vault: Vault, merchants: readonly MerchantRow[]): Promise<ReadonlySet<string>> {
  const opened = await Promise.all(merchants.map((merchant) => canDecrypt(vault, merchant)))
  return new Set(merchants.filter((_, index) => opened[index]).map(({ id }) => id))
}

async function canDecrypt(vault: Vault, { id, passwordSealed, webhookSecretsSealed }: MerchantRow): Promise<boolean> {
  try {
    await vault.open(id, 'password', passwordSealed)
    await vault.open(id, 'webhook-secret', webhookSecretsSealed)
    return true
  } catch (error) {
    if (error instanceof VaultError) return false
    throw error
  }
}

const maximumNames = 8

function namesOf(merchants: readonly MerchantRow[]): string {
  const names = merchants.slice(0, maximumNames).map(({ name }) => name)
  const more = merchants.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
