/**
 * The configuration in memory. A payment finds its merchant, mapping and MIDs without a database query; every process listens for changes
 * and reloads the tables when one is announced.
 *
 * The whole configuration is loaded at once: it is small (a merchant takes less than a kilobyte), and a snapshot that is replaced as a
 * whole never mixes old and new. Secrets are opened per merchant when first needed.
 */
import { type Brand, brandNamed } from '#domain/brand/brand.ts'
import { type ProtocolMapping, parseMappingOptions } from '#domain/mapping.ts'
import type { Merchant, Mode, Protocol } from '#domain/merchant.ts'
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import type { PriceList } from '#domain/pricing/price-list.ts'
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
import { listAllPriceLists } from './price-lists.ts'
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
  /** The newest version of every routing rule set by merchant; the key null is the set for all merchants. */
  readonly ruleSets: ReadonlyMap<string | null, RuleSet>
  readonly priceLists: ReadonlyMap<string, readonly PriceList[]>
  /** The enabled card networks. */
  readonly networks: ReadonlySet<string>
  /** The opened secrets of this snapshot. A rotation creates a new snapshot with an empty map. */
  readonly secrets: Map<string, Promise<MerchantSecrets>>
}

export interface LoadedConfiguration extends Configuration {
  refresh(): Promise<void>
  /** Changes with every reload, so that callers can tell when derived data is outdated. */
  readonly version: number
  midRow(id: string): MidRow | null
}

/** Whether the instance allows this MID. A MID that is not allowed takes no new payments, whatever its row says. */
type MayUse = (mid: Mid) => boolean

export async function loadConfiguration(
  pool: Pool,
  vault: Vault,
  log: Log,
  mayUse: MayUse = () => true,
): Promise<LoadedConfiguration> {
  let snapshot = await readSnapshot(pool, log, mayUse)
  let version = 0
  let reading: Promise<void> = Promise.resolve()
  const reload = async (): Promise<void> => {
    snapshot = await readSnapshot(pool, log, mayUse)
    version += 1
  }
  return {
    // Reloads run one after another: an earlier reload must not overwrite the result of a later one.
    refresh: () => {
      reading = reading.then(reload, reload)
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
    priceLists: (merchantId) => snapshot.priceLists.get(merchantId) ?? [],
    brand: (name) => brandNamed(snapshot.brands, name),
    brands: () => snapshot.brands,
    cryptoCurrencies: () => snapshot.cryptoCurrencies,
    brandEnabled: (code) => snapshot.networks.has(code),
    readSecrets: (merchantId) => {
      const held = snapshot.secrets.get(merchantId)
      if (held) return held
      const merchant = snapshot.merchants.get(merchantId)
      if (!merchant) throw new Error(`No merchant ${merchantId} is configured.`)
      const opened = openSecrets(vault, merchant)
      const secrets = snapshot.secrets
      secrets.set(merchantId, opened)
      // A failed attempt to open the secrets must not be cached.
      opened.catch(() => secrets.delete(merchantId))
      return opened
    },
  }
}

async function readSnapshot(pool: Pool, log: Log, mayUse: MayUse): Promise<Snapshot> {
  const [merchants, entered, links, mappings, brands, terms, ruleSets, priceLists] = await Promise.all([
    merchantStore(pool).list(),
    midStore(pool).list(),
    merchantMappingStore(pool).list(),
    protocolMappingStore(pool).list(),
    brandStore(pool).list(),
    readBrandTerms(pool),
    routingStore(pool).listCurrent(),
    listAllPriceLists(pool),
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
    priceLists: Map.groupBy(priceLists, ({ merchantId }) => merchantId),
    brands: brandsOf(brands, terms, log),
    cryptoCurrencies: terms.crypto,
    networks: new Set(brands.filter((row) => isNetwork(row) && row.enabled).map(({ code }) => code)),
    secrets: new Map(),
  }
}

/** Chapter 50 §4: the merchant's own rules come before the rules for all merchants. */
function ruleSetsOf(sets: Snapshot['ruleSets'], merchantId: string): readonly RuleSet[] {
  return [sets.get(merchantId), sets.get(null)].filter((set) => set !== undefined)
}

function brandsOf(rows: readonly BrandRow[], terms: BrandTerms, log: Log): readonly Brand[] {
  const { brands, faults } = catalogueOf(rows, terms)
  for (const fault of faults) log.warn({ fault }, 'A brand of the catalogue was ignored.')
  return brands
}

/** Options are validated when they are entered. An option that is invalid nevertheless (edited by hand) is logged and takes its default. */
function mappingOf(merchantId: string, protocol: Protocol, options: unknown, log: Log): ProtocolMapping {
  const { mapping, faults } = parseMappingOptions({ merchantId, protocol, options })
  for (const fault of faults) log.warn({ merchantId, protocol, fault }, 'A protocol mapping option was ignored.')
  return mapping
}

export async function openSecrets(vault: Vault, merchant: MerchantRow): Promise<MerchantSecrets> {
  await vault.prepareScope(merchant.id)
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

/** The sealed text is a JSON list of `whsec_…`; only this service writes it. */
function parseSecrets(text: string): readonly string[] {
  const parsed: unknown = JSON.parse(text)
  if (!Array.isArray(parsed)) throw new Error('The sealed signing secrets are not a list.')
  return parsed.filter((entry) => typeof entry === 'string')
}
