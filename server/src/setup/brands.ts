/** Changes of the brand catalogue: records from a file or the panel, copies, and enabling or disabling. Chapter 20 §5.1. */
import type { Brand } from '#domain/brand/brand.ts'
import { changeFaults, nameFaults } from '#domain/brand/brand-consistency.ts'
import { readBrand, writtenBrand } from '#domain/brand/brand-record.ts'
import { wallets } from '#domain/mid.ts'
import { catalogueOf, isNetwork } from '../store/configuration/brand-catalogue.ts'
import { readBrandTerms } from '../store/configuration/brand-terms.ts'
import { type BrandRow, brandStore } from '../store/configuration/brands.ts'
import type { SetupContext } from './context.ts'

interface BrandFault {
  readonly field: string
  readonly text: string
}

export type BrandChange =
  | { readonly kind: 'saved'; readonly brand: Brand; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly faults: readonly BrandFault[] }
  /** It has changed since it was read. */
  | { readonly kind: 'stale' }

/** Who changes a brand, and when. */
type BrandContext = Pick<SetupContext, 'pool' | 'clock'> & { readonly by: string }

/** `over` is the version that the user saw, 0 for none: a later version is not overwritten. */
export async function saveBrand(context: BrandContext, record: unknown, over?: number): Promise<BrandChange> {
  const terms = await readBrandTerms(context.pool)
  const reading = readBrand(record, terms.crypto)
  if (!reading.ok) return { kind: 'refused', faults: reading.faults }
  const rows = await brandStore(context.pool).list()
  const { brands } = catalogueOf(rows, terms)
  const before = brands.find(({ code }) => code === reading.brand.code)
  const faults = [
    ...networkFaults(reading.brand, rows),
    ...walletFaults(reading.brand, before),
    ...nameFaults(
      reading.brand,
      brands.filter((one) => one !== before),
    ),
    ...(before ? changeFaults(before, reading.brand, { hasPayments: false }) : []),
  ]
  if (faults.length > 0) return { kind: 'refused', faults }
  if (over !== undefined && over !== (before?.version ?? 0)) return { kind: 'stale' }
  const brand = { ...reading.brand, builtIn: before?.builtIn ?? false, version: (before?.version ?? 0) + 1 }
  return put(context, brand, before === undefined)
}

/** Under another code and without the aliases, which belong to the original. */
export function copyBrand(
  context: BrandContext,
  original: Brand,
  code: string,
  title: string | null,
): Promise<BrandChange> {
  return saveBrand(context, {
    ...writtenBrand(original),
    code,
    aliases: [],
    title: title === null ? original.title : { ...original.title, en: title },
    checkout_name: original.checkoutName === original.code ? code : original.checkoutName,
  })
}

export const switchBrand = (context: BrandContext, brand: Brand, enabled: boolean): Promise<BrandChange> =>
  put(context, { ...brand, enabled, version: brand.version + 1 }, false)

export async function switchNetwork(
  { pool, clock, by }: BrandContext,
  network: BrandRow,
  enabled: boolean,
): Promise<boolean> {
  const version = network.version + 1
  const row = { ...network, enabled, version, changedBy: by, changedAt: clock.now() }
  return (await brandStore(pool).put(row)) === 'put'
}

async function put({ pool, clock, by }: BrandContext, brand: Brand, isNew: boolean): Promise<BrandChange> {
  const { code, kind, title, enabled, version } = brand
  const written = await brandStore(pool).put({
    code,
    kind,
    title: title['en'] ?? code,
    enabled,
    // `readBrand` reads it again and accepts what `writtenBrand` returns.
    record: JSON.parse(JSON.stringify(writtenBrand(brand))),
    version,
    changedBy: by,
    changedAt: clock.now(),
  })
  if (written === 'put') return { kind: 'saved', brand, isNew }
  return { kind: 'stale' }
}

function networkFaults({ code }: Brand, rows: readonly BrandRow[]): readonly BrandFault[] {
  const isTaken = rows.some((row) => isNetwork(row) && row.code === code)
  return isTaken ? [{ field: 'code', text: `${code} is a card network.` }] : []
}

/**
 * The brand's code decides which wallet a token belongs to. The countries come from the wallet provider's list, which is stored separately.
 */
function walletFaults({ kind, code, countries }: Brand, before: Brand | undefined): readonly BrandFault[] {
  if (kind !== 'wallet') return []
  if (!wallets.some((wallet) => wallet === code))
    return [{ field: 'kind', text: `A wallet must be one of ${wallets.join(', ')}. Use an alias for another name.` }]
  const same = before?.countries.length === countries.length && countries.every((one) => before.countries.includes(one))
  return same ? [] : [{ field: 'countries', text: 'The countries of a wallet are changed with "wallet countries".' }]
}
