/** The look of a hosted page as a form holds it, as the service takes it, and as the preview is asked for. */
import {
  type BrandColours,
  type BrandTemplate,
  colourFaults,
  isTemplate,
  ownTemplate,
} from '#domain/checkout/branding.ts'
import { isColour } from '#domain/checkout/colour.ts'
import { type Answer, addressOf } from '../../api/call.ts'

export type Branding = NonNullable<Answer<'GET /merchants/:merchantId/branding'>['branding']>

export const colourNames = ['heading', 'background', 'button'] as const
export type ColourName = (typeof colourNames)[number]

/** An empty colour is the page's own. */
export interface Look extends Readonly<Record<ColourName, string>> {
  readonly template: BrandTemplate
  /** A new one; null keeps what is there. */
  readonly logo: File | null
  readonly withoutLogo: boolean
}

export function lookOf(branding: Branding | null): Look {
  const { heading, background, button } = branding?.colours ?? { heading: null, background: null, button: null }
  return {
    heading: heading ?? '',
    background: background ?? '',
    button: button ?? '',
    template: branding !== null && isTemplate(branding.template) ? branding.template : ownTemplate,
    logo: null,
    withoutLogo: false,
  }
}

const chosen = (text: string): string | null => text.trim() || null

export const coloursOf = ({ heading, background, button }: Look): BrandColours => ({
  heading: chosen(heading),
  background: chosen(background),
  button: chosen(button),
})

/** The service would say the same; here it is said while the colours are chosen. */
export function faultsOf(look: Look): { readonly [Name in ColourName]?: string } {
  const faults = colourFaults(coloursOf(look))
  // A sentence that speaks of two colours belongs to the first that it names.
  const owner = (text: string): ColourName | undefined => colourNames.find((name) => text.toLowerCase().includes(name))
  return Object.fromEntries(faults.flatMap((text) => (owner(text) === undefined ? [] : [[owner(text), text]])))
}

export interface PreviewWishes {
  readonly merchantId: string
  readonly look: Look
  /** The hash of the logo that was chosen, once the service has it. */
  readonly logo: string | null
  readonly language: string
}

/** A colour that is still being typed is left as it was saved. */
export function previewAddress({ merchantId, look, logo, language }: PreviewWishes): string {
  const path = addressOf('/merchants/:merchantId/branding/preview', { merchantId })
  const query = new URLSearchParams({
    template: look.template,
    logo: look.withoutLogo ? 'none' : (logo ?? 'saved'),
    language,
  })
  for (const name of colourNames) {
    const text = look[name].trim()
    if (text === '' || isColour(text)) query.set(name, text)
  }
  return `${path}?${query}`
}
