/** The appearance of a merchant's hosted page at the panel. Chapter 30 §7.1. */

import { hash } from 'node:crypto'
import { type BrandColours, type BrandTemplate, readLogo } from '#domain/checkout/branding.ts'
import { dayMs } from '#domain/time.ts'
import { type BrandingWishes, changeBranding, clearBranding } from '../../setup/branding.ts'
import { type BrandingRecord, brandingStore } from '../../store/configuration/brandings.ts'
import { previewedLogoStore } from '../../store/configuration/previewed-logos.ts'
import { AdminRefused, type FieldFault, invalid } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

export const findBranding = ({ pool }: PanelContext, merchantId: string): Promise<BrandingRecord | null> =>
  brandingStore(pool).find(merchantId)

export async function saveBranding(
  context: PanelContext,
  by: string,
  merchantId: string,
  wishes: BrandingWishes,
): Promise<{ readonly branding: BrandingRecord; readonly audit: AuditNote }> {
  const before = await findBranding(context, merchantId)
  const change = await changeBranding({ ...context, by }, merchantId, wishes)
  if (!change.ok) throw new AdminRefused('invalid', { fields: change.faults.map(fieldOf) })
  const audit = {
    ...brandingAudit('branding.change', merchantId),
    before: shownBranding(before),
    after: shownBranding(change.branding),
  }
  return { branding: change.branding, audit }
}

export async function dropBranding(context: PanelContext, merchantId: string): Promise<AuditNote> {
  const before = await findBranding(context, merchantId)
  await clearBranding(context, merchantId)
  return { ...brandingAudit('branding.clear', merchantId), before: shownBranding(before) }
}

/** An absent member keeps the saved value; null is the page's default. */
interface PreviewRequest extends Partial<BrandColours> {
  readonly template?: BrandTemplate | undefined
  /** `saved`, `none`, or the hash of a logo given to `previewLogo`. */
  readonly logo: string
}

const forgottenAfterMs = dayMs

/** Stored for this user's preview alone. Returns its hash. */
export async function previewLogo({ pool, machine }: PanelContext, userId: string, content: Buffer): Promise<string> {
  const reading = readLogo(content)
  if (!reading.ok) throw invalid('logo', reading.fault)
  const logo = { hash: hash('sha256', content), type: reading.type, content }
  const store = previewedLogoStore(pool)
  await store.put(userId, logo, machine.now())
  await store.forget(new Date(machine.now().getTime() - forgottenAfterMs))
  return logo.hash
}

/** The page as it would look, with a session that does not exist. */
export async function preview(
  context: PanelContext,
  { userId, merchantId, language }: { readonly userId: string; readonly merchantId: string; readonly language: string },
  { template, logo, ...chosen }: PreviewRequest,
) {
  const saved = await findBranding(context, merchantId)
  return context.previewPage(
    {
      name: context.configuration.merchant(merchantId)?.title ?? '',
      template: template ?? saved?.template ?? 'card',
      colours: { heading: null, background: null, button: null, ...saved?.colours, ...chosen },
      logo: logo === 'saved' ? savedLogo(saved) : await readChosenLogo(context, userId, logo),
    },
    language,
  )
}

const savedLogo = (branding: BrandingRecord | null) =>
  branding?.logo ? { kind: 'saved' as const, hash: branding.logo.hash } : null

async function readChosenLogo({ pool }: PanelContext, userId: string, chosen: string) {
  const logo = chosen === 'none' ? null : await previewedLogoStore(pool).find(userId, chosen)
  return logo && { kind: 'unsaved' as const, address: `data:${logo.type};base64,${logo.content.toString('base64')}` }
}

/** The text of a fault names its field. */
function fieldOf(text: string): FieldFault {
  const field = ['heading', 'background', 'button'].find((name) => text.toLowerCase().includes(name))
  return { field: field ?? 'logo', text }
}

export const shownBranding = (branding: BrandingRecord | null) =>
  branding && { template: branding.template, ...branding.colours, logo: branding.logo?.hash ?? null }

export const brandingAudit = (action: string, merchantId: string) => ({
  action,
  subject: `merchant ${merchantId}`,
  merchantId,
})
