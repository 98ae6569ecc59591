/** Brands and card networks at the panel. Chapter 20 §5.1. */
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { type BrandChange, copyBrand, saveBrand, switchBrand, switchNetwork } from '../../setup/brands.ts'
import { isNetwork, readCatalogue } from '../../store/configuration/brand-catalogue.ts'
import { brandStore } from '../../store/configuration/brands.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { Panel } from '../panel.ts'

interface ShownBrand {
  readonly code: string
  readonly kind: string
  readonly enabled: boolean
  readonly version: number
  /** The record in its file format; null for a card network. */
  readonly record: unknown
}

export async function brandsOf({ pool }: Panel): Promise<readonly ShownBrand[]> {
  const { rows, brands: catalogue } = await readCatalogue(pool)
  const networks = rows.filter(isNetwork).map(({ code, kind, enabled, version }) => ({
    code,
    kind,
    enabled,
    version,
    record: null,
  }))
  const brands = catalogue.map((brand) => ({
    code: brand.code,
    kind: brand.kind,
    enabled: brand.enabled,
    version: brand.version,
    record: writtenBrand(brand),
  }))
  return [...networks, ...brands]
}

export async function brandOf(panel: Panel, code: string): Promise<ShownBrand> {
  const brand = (await brandsOf(panel)).find((one) => one.code === code)
  if (brand === undefined) throw notFound()
  return brand
}

interface SavedBrand {
  readonly brand: ShownBrand
  readonly audit: AuditNote
}

/** Creates the brand or replaces it entirely; reports every fault. */
export async function saveBrandRecord(panel: Panel, by: string, record: unknown, over?: number): Promise<SavedBrand> {
  return savedBrand(panel, 'brand.save', await saveBrand({ ...panel, by }, record, over))
}

export async function copyBrandAs(
  panel: Panel,
  by: string,
  code: string,
  as: string,
  title: string | null,
): Promise<SavedBrand> {
  const original = panel.configuration.brands().find((one) => one.code === code)
  if (original === undefined) throw notFound()
  return savedBrand(panel, 'brand.copy', await copyBrand({ ...panel, by }, original, as, title))
}

export async function switchBrandTo(panel: Panel, by: string, code: string, enabled: boolean): Promise<SavedBrand> {
  const desk = { ...panel, by }
  const network = (await brandStore(panel.pool).list()).find((row) => isNetwork(row) && row.code === code)
  if (network !== undefined) {
    if (!(await switchNetwork(desk, network, enabled))) throw new AdminRefused('conflict')
    await panel.configuration.refresh()
    return { brand: await brandOf(panel, code), audit: { ...brandAudit('brand.switch', code), after: { enabled } } }
  }
  const brand = panel.configuration.brands().find((one) => one.code === code)
  if (brand === undefined) throw notFound()
  return savedBrand(panel, 'brand.switch', await switchBrand(desk, brand, enabled))
}

async function savedBrand(panel: Panel, action: string, change: BrandChange): Promise<SavedBrand> {
  if ('stale' in change)
    throw new AdminRefused('conflict', {
      message: 'Another user has changed this brand. Copy your text, then reload the page.',
    })
  if ('faults' in change) throw new AdminRefused('invalid', { fields: change.faults })
  await panel.configuration.refresh()
  const { code } = change.brand
  const { enabled, version } = change.brand
  return { brand: await brandOf(panel, code), audit: { ...brandAudit(action, code), after: { enabled, version } } }
}

export const brandAudit = (action: string, code: string) => ({ action, subject: `brand ${code}`, merchantId: null })
