/** The appearance of a merchant's hosted page. Unreadable colours are refused. Chapter 30 §7.1. */
import { hash } from 'node:crypto'
import {
  type BrandColours,
  type BrandTemplate,
  colourFaults,
  ownColours,
  ownTemplate,
  readLogo,
} from '#domain/checkout/branding.ts'
import { type BrandingRecord, brandingStore } from '../store/configuration/brandings.ts'
import type { SetupContext } from './context.ts'

/** An absent member stays unchanged; null restores the page's default. */
export interface BrandingWishes extends Partial<BrandColours> {
  readonly logo?: Buffer | null
  readonly template?: BrandTemplate | null
}

type BrandingChange =
  | { readonly ok: true; readonly branding: BrandingRecord }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Who changes it, and when. */
type BrandingContext = Pick<SetupContext, 'pool' | 'clock'> & { readonly by: string }

export async function changeBranding(
  { pool, clock, by }: BrandingContext,
  merchantId: string,
  { logo: content, template, ...chosen }: BrandingWishes,
): Promise<BrandingChange> {
  const before = await brandingStore(pool).find(merchantId)
  const colours = lowerCase({ ...(before?.colours ?? ownColours), ...chosen })
  const reading = content ? readLogo(content) : null
  const faults = [...colourFaults(colours), ...(reading?.ok === false ? [reading.fault] : [])]
  if (faults.length > 0) return { ok: false, faults }
  const newLogo = content && reading?.ok ? { hash: hash('sha256', content), type: reading.type } : null
  const branding: BrandingRecord = {
    merchantId,
    template: template === undefined ? (before?.template ?? ownTemplate) : (template ?? ownTemplate),
    colours,
    logo: content === undefined ? (before?.logo ?? null) : newLogo,
    changedAt: clock.now(),
    changedBy: by,
  }
  await brandingStore(pool).put(branding, content ?? undefined)
  return { ok: true, branding }
}

/** False if there was none. */
export const clearBranding = ({ pool }: Pick<SetupContext, 'pool'>, merchantId: string): Promise<boolean> =>
  brandingStore(pool).remove(merchantId)

const lowerCase = ({ heading, background, button }: BrandColours): BrandColours => ({
  heading: heading?.toLowerCase() ?? null,
  background: background?.toLowerCase() ?? null,
  button: button?.toLowerCase() ?? null,
})
