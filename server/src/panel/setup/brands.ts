/** Brands and card networks at the panel. Chapter 20 §5.1. */
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { type BrandChange, copyBrand, saveBrand, switchBrand, switchNetwork } from '../../setup/brands.ts'
import { isNetwork, readCatalogue } from '../../store/configuration/brand-catalogue.ts'
import { brandStore } from '../../store/configuration/brands.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

interface ShownBrand {
  readonly code: string
  readonly kind: string
  readonly enabled: boolean
  readonly version: number
  /** The record in its file format; null for a card network. */
  readonly record: unknown
}

export async function listBrands({ pool }: PanelContext): Promise<readonly ShownBrand[]> {
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

export async function requireBrand(context: PanelContext, code: string): Promise<ShownBrand> {
  const brand = (await listBrands(context)).find((one) => one.code === code)
  if (brand === undefined) throw notFound()
  return brand
}

interface SavedBrand {
  readonly brand: ShownBrand
  readonly audit: AuditNote
}

/** Creates the brand or replaces it entirely; reports every fault. */
export async function saveBrandRecord(
  context: PanelContext,
  by: string,
  record: unknown,
  over?: number,
): Promise<SavedBrand> {
  return applyBrandChange(context, 'brand.save', await saveBrand({ ...context, by }, record, over))
}

export async function copyBrandAs(
  context: PanelContext,
  by: string,
  { code, as, title }: { readonly code: string; readonly as: string; readonly title: string | null },
): Promise<SavedBrand> {
  const original = context.configuration.brands().find((one) => one.code === code)
  if (original === undefined) throw notFound()
  return applyBrandChange(context, 'brand.copy', await copyBrand({ ...context, by }, original, as, title))
}

export async function switchBrandTo(
  context: PanelContext,
  by: string,
  code: string,
  enabled: boolean,
): Promise<SavedBrand> {
  const changing = { ...context, by }
  const network = (await brandStore(context.pool).list()).find((row) => isNetwork(row) && row.code === code)
  if (network !== undefined) {
    if (!(await switchNetwork(changing, network, enabled))) throw new AdminRefused('conflict')
    await context.configuration.refresh()
    return {
      brand: await requireBrand(context, code),
      audit: { ...brandAudit('brand.switch', code), after: { enabled } },
    }
  }
  const brand = context.configuration.brands().find((one) => one.code === code)
  if (brand === undefined) throw notFound()
  return applyBrandChange(context, 'brand.switch', await switchBrand(changing, brand, enabled))
}

async function applyBrandChange(context: PanelContext, action: string, change: BrandChange): Promise<SavedBrand> {
  if (change.kind === 'stale')
    throw new AdminRefused('conflict', {
      message: 'Another user has changed this brand. Copy your text, then reload the page.',
    })
  if (change.kind === 'refused') throw new AdminRefused('invalid', { fields: change.faults })
  await context.configuration.refresh()
  const { code } = change.brand
  const { enabled, version } = change.brand
  return {
    brand: await requireBrand(context, code),
    audit: { ...brandAudit(action, code), after: { enabled, version } },
  }
}

export const brandAudit = (action: string, code: string) => ({ action, subject: `brand ${code}`, merchantId: null })
