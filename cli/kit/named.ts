/** Finds what a command names; if it does not exist, the error lists what does. */
import type { Brand } from '#domain/brand/brand.ts'
import { isNetwork, readCatalogue } from '#server/store/configuration/brand-catalogue.ts'
import type { BrandRow } from '#server/store/configuration/brands.ts'
import { type MerchantRow, merchantStore } from '#server/store/configuration/merchants.ts'
import { type MidRow, midStore } from '#server/store/configuration/mids.ts'
import type { Queryable } from '#server/store/database/pool.ts'
import { CommandError } from './command-error.ts'
import { nearest } from './nearest.ts'

/** By short name or by either key. */
export async function requireMerchant(pool: Queryable, name: string): Promise<MerchantRow> {
  const merchants = await merchantStore(pool).list()
  const found = merchants.find((merchant) => [merchant.name, merchant.key, merchant.testKey].includes(name))
  return (
    found ??
    throwUnknown(
      'merchant',
      name,
      merchants.map((merchant) => merchant.name),
    )
  )
}

/** For a transaction that will update the row: a concurrent change is then either read here or waits. */
export async function lockMerchant(client: Queryable, name: string): Promise<MerchantRow> {
  await merchantStore(client).lock((await requireMerchant(client, name)).id)
  return requireMerchant(client, name)
}

/** Locks the MID in the same way. */
export async function lockMid(client: Queryable, name: string): Promise<MidRow> {
  await midStore(client).lock((await requireMid(client, name)).id)
  return requireMid(client, name)
}

export async function requireMid(pool: Queryable, name: string): Promise<MidRow> {
  const mids = await midStore(pool).list()
  return (
    mids.find((mid) => mid.name === name) ??
    throwUnknown(
      'MID',
      name,
      mids.map((mid) => mid.name),
    )
  )
}

export type CatalogueEntry =
  | { readonly kind: 'brand'; readonly brand: Brand }
  | { readonly kind: 'network'; readonly network: BrandRow }

export async function requireBrand(pool: Queryable, code: string): Promise<CatalogueEntry> {
  const { brands, rows } = await readCatalogue(pool)
  const brand = brands.find((one) => one.code === code)
  if (brand) return { kind: 'brand', brand }
  const networks = rows.filter(isNetwork)
  const network = networks.find((one) => one.code === code)
  if (network) return { kind: 'network', network }
  return throwUnknown(
    'brand',
    code,
    [...brands, ...networks].map((one) => one.code),
  )
}

function throwUnknown(noun: string, name: string, known: readonly string[]): never {
  const near = nearest(name, known)
  const remedy = near === null ? `"gatehouse ${noun.toLowerCase()} list" shows the names.` : `Did you mean "${near}"?`
  throw new CommandError(`There is no ${noun} "${name}".`, remedy)
}
