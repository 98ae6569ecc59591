/** The look of a merchant's hosted page at the panel. Chapter 30 §7.1. */
import type { BrandColours, BrandTemplate } from '#domain/branding.ts'
import { type BrandingWishes, changeBranding, clearBranding } from '../administration/branding.ts'
import { type BrandingRecord, brandingStore } from '../store/brandings.ts'
import { AdminRefused, type FieldFault } from './admin-refused.ts'
import type { AuditNote } from './audit.ts'
import type { Panel } from './panel.ts'

export const brandingOf = ({ pool }: Panel, merchantId: string): Promise<BrandingRecord | null> =>
  brandingStore(pool).find(merchantId)

export async function saveBranding(
  panel: Panel,
  by: string,
  merchantId: string,
  wishes: BrandingWishes,
): Promise<{ readonly branding: BrandingRecord; readonly audit: AuditNote }> {
  const before = await brandingOf(panel, merchantId)
  const change = await changeBranding({ ...panel, by }, merchantId, wishes)
  if ('faults' in change) throw new AdminRefused('invalid', { fields: change.faults.map(fieldOf) })
  const audit = { ...about('branding.change', merchantId), before: told(before), after: told(change.branding) }
  return { branding: change.branding, audit }
}

export async function dropBranding(panel: Panel, merchantId: string): Promise<AuditNote> {
  const before = await brandingOf(panel, merchantId)
  await clearBranding(panel, merchantId)
  return { ...about('branding.clear', merchantId), before: told(before) }
}

/** What is not given is as it was saved; null is the page's own. */
export interface Look extends Partial<BrandColours> {
  readonly template?: BrandTemplate | undefined
  readonly withLogo: boolean
}

/** The page as it would look, with a session that does not exist. */
export async function preview(
  panel: Panel,
  merchantId: string,
  { template, withLogo, ...chosen }: Look,
  language: string,
) {
  const saved = await brandingOf(panel, merchantId)
  return panel.previewPage(
    {
      name: panel.configuration.merchant(merchantId)?.title ?? '',
      template: template ?? saved?.template ?? 'card',
      colours: { heading: null, background: null, button: null, ...saved?.colours, ...chosen },
      logoHash: withLogo ? (saved?.logo?.hash ?? null) : null,
    },
    language,
  )
}

/** A fault begins with what it is about. */
function fieldOf(text: string): FieldFault {
  const field = ['heading', 'background', 'button'].find((name) => text.toLowerCase().includes(name))
  return { field: field ?? 'logo', text }
}

const told = (branding: BrandingRecord | null) =>
  branding && { template: branding.template, ...branding.colours, logo: branding.logo?.hash ?? null }

const about = (action: string, merchantId: string) => ({ action, subject: `merchant ${merchantId}`, merchantId })
