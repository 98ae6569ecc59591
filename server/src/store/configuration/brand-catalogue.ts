/** The brand catalogue: the built-in brands, overlaid with the operator's stored ones. Chapter 20 §5. */
import type { Brand } from '#domain/brand/brand.ts'
import { readBrand } from '#domain/brand/brand-record.ts'
import { builtInBrands } from '#domain/brand/built-in-brands.ts'
import { wallets } from '#domain/mid.ts'
import type { Queryable } from '../database/pool.ts'
import { type BrandTerms, readBrandTerms } from './brand-terms.ts'
import { type BrandRow, brandStore } from './brands.ts'

interface Catalogue {
  readonly brands: readonly Brand[]
  /** Records are validated before they are stored. A record that is invalid nevertheless (edited by hand) is ignored and reported here. */
  readonly faults: readonly string[]
}

export async function readCatalogue(pool: Queryable): Promise<Catalogue & { readonly rows: readonly BrandRow[] }> {
  const [rows, terms] = await Promise.all([brandStore(pool).list(), readBrandTerms(pool)])
  return { ...catalogueOf(rows, terms), rows }
}

export const isNetwork = ({ kind }: Pick<BrandRow, 'kind'>): boolean => kind === 'card'

export function catalogueOf(rows: readonly BrandRow[], terms: BrandTerms): Catalogue {
  const stored = new Map(rows.filter((row) => !isNetwork(row)).map((row) => [row.code, row]))
  const faults = [...terms.faults]
  const shipped = builtInBrands.map((brand) => {
    const row = stored.get(brand.code)
    return withWalletCountries(terms, row ? overlayRow(brand, row, terms, faults) : brand)
  })
  const codes = new Set(builtInBrands.map(({ code }) => code))
  const added = [...stored.values()]
    .filter(({ code }) => !codes.has(code))
    .flatMap((row) => readBrandRow(row, terms, faults) ?? [])
  return { brands: [...shipped, ...added], faults }
}

/** Code, kind and actions of a built-in brand are fixed, whatever its row says. Chapter 20 §5.1. */
function overlayRow(shipped: Brand, row: BrandRow, terms: BrandTerms, faults: string[]): Brand {
  const { code, kind, actions } = shipped
  const brand = row.record === null ? null : readBrandRow(row, terms, faults)
  return { ...(brand ?? shipped), code, kind, actions, builtIn: true, enabled: row.enabled, version: row.version }
}

/** The countries of a wallet come from its provider's list, which is stored separately from the brand. Chapter 20 §5.4. */
function withWalletCountries({ walletCountries }: BrandTerms, brand: Brand): Brand {
  const wallet = wallets.find((one) => one === brand.code)
  return wallet === undefined ? brand : { ...brand, countries: walletCountries[wallet] }
}

function readBrandRow(
  { code, record, enabled, version }: BrandRow,
  { crypto }: BrandTerms,
  faults: string[],
): Brand | null {
  const reading = readBrand(record, crypto)
  if (reading.ok) return { ...reading.brand, code, enabled, version }
  faults.push(...reading.faults.map(({ field, text }) => `${code}: ${field}: ${text}`))
  return null
}
