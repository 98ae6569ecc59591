/**
 * The configuration in memory. A payment looks up its merchant, mapping and MIDs without asking the database; every process
 * listens for changes and reads the tables anew when one is announced.
 *
 * The whole configuration is read at once: it is small beside the payments (a merchant is under a kilobyte), and a snapshot that is
 * replaced as a whole can never mix old and new. Secrets are opened one merchant at a time, when first needed.
 */
import { type Brand, brandNamed } from '#domain/brand/brand.ts'
import { type ProtocolMapping, parseMappingOptions } from '#domain/mapping.ts'
import type { Merchant, Mode, Protocol } from '#domain/merchant.ts'
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import type { RuleSet } from '#domain/routing/rule.ts'
import { secret } from '#domain/secret.ts'
import type { Configuration, Log, MerchantSecrets } from '../../contracts/ports.ts'
import type { Vault } from '../../vault/port.ts'
import type { Pool } from '../database/pool.ts'
import { catalogueOf, isNetwork } from './brand-catalogue.ts'
import { type BrandTerms, readBrandTerms } from './brand-terms.ts'
import { type BrandRow, brandStore } from './brands.ts'
import { type MerchantRow, merchantStore } from './merchants.ts'
import { type MidRow, merchantMappingStore, midStore } from './mids.ts'
import { protocolMappingStore } from './protocol-mappings.ts'
import { routingStore } from './routing-rules.ts'

interface Snapshot {
  readonly merchants: ReadonlyMap<string, MerchantRow>
  readonly keys: ReadonlyMap<string, { readonly merchant: Merchant; readonly mode: Mode }>
  readonly mappings: ReadonlyMap<string, ProtocolMapping>
  readonly candidates: ReadonlyMap<string, readonly { readonly mapping: MerchantMapping; readonly mid: Mid }[]>
  readonly mids: ReadonlyMap<string, MidRow>
  readonly brands: readonly Brand[]
  readonly cryptoCurrencies: Exponents
  readonly midsByName: ReadonlyMap<string, Mid>
  /** The newest version of every set of routing rules, by merchant; null is the set of all. */
  readonly ruleSets: ReadonlyMap<string | null, RuleSet>
  /** Card networks that are switched on. */
  readonly networks: ReadonlySet<string>
  /** Opened secrets of this snapshot; a rotation makes a new snapshot and with it an empty map. */
  readonly secrets: Map<string, Promise<MerchantSecrets>>
}

export interface LoadedConfiguration extends Configuration {
  refresh(): Promise<void>
  /** Another number after every reading, for whoever keeps what belongs to one. */
  readonly version: number
  midRow(id: string): MidRow | null
}

/** A MID that may not be used, whatever its row says, takes no new payments. */
type MayUse = (mid: Mid) => boolean

export async function loadConfiguration(
  pool: Pool,
  vault: Vault,
  log: Log,
  mayUse: MayUse = () => true,
): Promise<LoadedConfiguration> {
  let snapshot = await read(pool, log, mayUse)
  let version = 0
  let reading: Promise<void> = Promise.resolve()
  const readAnew = async (): Promise<void> => {
    snapshot = await read(pool, log, mayUse)
    version += 1
  }
  return {
    // One after the other: a reading that began earlier must not replace what a later one found.
    refresh: () => {
      reading = reading.then(readAnew, readAnew)
      return reading
    },
    get version() {
      return version
    },
    byKey: (key) => snapshot.keys.get(key) ?? null,
    merchant: (id) => snapshot.merchants.get(id) ?? null,
    mapping: (merchantId, protocol) => snapshot.mappings.get(`${merchantId} ${protocol}`) ?? null,
    candidates: (merchantId) => snapshot.candidates.get(merchantId) ?? [],
    mid: (id) => snapshot.mids.get(id) ?? null,
    mids: () => [...snapshot.mids.values()],
    midRow: (id) => snapshot.mids.get(id) ?? null,
    midNamed: (name) => snapshot.midsByName.get(name) ?? null,
    ruleSets: (merchantId) => ruleSetsOf(snapshot.ruleSets, merchantId),
    brand: (name) => brandNamed(snapshot.brands, name),
    brands: () => snapshot.brands,
    cryptoCurrencies: () => snapshot.cryptoCurrencies,
    brandEnabled: (code) => snapshot.networks.has(code),
    secrets: (merchantId) => {
      const held = snapshot.secrets.get(merchantId)
      if (held) return held
      const merchant = snapshot.merchants.get(merchantId)
      if (!merchant) throw new Error(`No merchant ${merchantId} is configured.`)
      const opened = openSecrets(vault, merchant)
      const secrets = snapshot.secrets
      secrets.set(merchantId, opened)
      // A vault that could not be reached must not be remembered as the merchant's secrets.
      opened.catch(() => secrets.delete(merchantId))
      return opened
    },
  }
}

async function read(pool: Pool, log: Log, mayUse: MayUse): Promise<Snapshot> {
  const [merchants, entered, links, mappings, brands, terms, ruleSets] = await Promise.all([
    merchantStore(pool).list(),
    midStore(pool).list(),
    merchantMappingStore(pool).list(),
    protocolMappingStore(pool).list(),
    brandStore(pool).list(),
    readBrandTerms(pool),
    routingStore(pool).current(),
  ])
  const mids = entered.map((mid) => (mayUse(mid) ? mid : { ...mid, enabled: false }))
  const midById = new Map(mids.map((mid) => [mid.id, mid]))
  return {
    merchants: new Map(merchants.map((merchant) => [merchant.id, merchant])),
    keys: new Map(
      merchants.flatMap((merchant) => [
        [merchant.key, { merchant, mode: 'live' as Mode }],
        [merchant.testKey, { merchant, mode: 'test' as Mode }],
      ]),
    ),
    mappings: new Map(
      mappings
        .filter((row) => row.enabled)
        .map((row) => [`${row.merchantId} ${row.protocol}`, mappingOf(row.merchantId, row.protocol, row.options, log)]),
    ),
    candidates: Map.groupBy(
      links.flatMap((mapping) => {
        const mid = midById.get(mapping.midId)
        return mid ? [{ mapping, mid }] : []
      }),
      ({ mapping }) => mapping.merchantId,
    ),
    mids: midById,
    midsByName: new Map(mids.map((mid) => [mid.name, mid])),
    ruleSets: new Map(ruleSets.map((set) => [set.merchantId, set])),
    brands: brandsOf(brands, terms, log),
    cryptoCurrencies: terms.crypto,
    networks: new Set(brands.filter((row) => isNetwork(row) && row.enabled).map(({ code }) => code)),
    secrets: new Map(),
  }
}

/** Chapter 50 §4: the merchant's own rules go before those of all merchants. */
function ruleSetsOf(sets: Snapshot['ruleSets'], merchantId: string): readonly RuleSet[] {
  return [sets.get(merchantId), sets.get(null)].filter((set) => set !== undefined)
}

function brandsOf(rows: readonly BrandRow[], terms: BrandTerms, log: Log): readonly Brand[] {
  const { brands, faults } = catalogueOf(rows, terms)
  for (const fault of faults) log.warn({ fault }, 'A brand of the catalogue was ignored.')
  return brands
}

/** Options are checked when they are entered; what is wrong all the same (an edit by hand) is said and left at its default. */
function mappingOf(merchantId: string, protocol: Protocol, options: unknown, log: Log): ProtocolMapping {
  const { mapping, faults } = parseMappingOptions({ merchantId, protocol, options })
  for (const fault of faults) log.warn({ merchantId, protocol, fault }, 'A protocol mapping option was ignored.')
  return mapping
}

export async function openSecrets(vault: Vault, merchant: MerchantRow): Promise<MerchantSecrets> {
  await vault.ready(merchant.id)
  const password = await vault.open(merchant.id, 'password', merchant.passwordSealed)
  const webhooks = await vault.open(merchant.id, 'webhook-secret', merchant.webhookSecretsSealed)
  const previous =
    merchant.previousPasswordSealed && merchant.previousPasswordUntil
      ? {
          password: await vault.open(merchant.id, 'password', merchant.previousPasswordSealed),
          until: merchant.previousPasswordUntil,
        }
      : null
  return { password, previous, webhookSecrets: parseSecrets(webhooks.reveal()).map(secret) }
}

/** The sealed text is a JSON list of `whsec_…`, written by us alone. */
function parseSecrets(text: string): readonly string[] {
  const parsed: unknown = JSON.parse(text)
  if (!Array.isArray(parsed)) throw new Error('The sealed signing secrets are not a list.')
  return parsed.filter((entry) => typeof entry === 'string')
}
