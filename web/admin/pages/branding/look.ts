/** The appearance of a hosted page as form values, as request to the service, and as address of the preview. */
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

const colourNames = ['heading', 'background', 'button'] as const
type ColourName = (typeof colourNames)[number]

/** An empty colour means the default. */
export interface Look extends Readonly<Record<ColourName, string>> {
  readonly template: BrandTemplate
  /** A new logo; null keeps the current one. */
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

const textOrNull = (text: string): string | null => text.trim() || null

export const coloursOf = ({ heading, background, button }: Look): BrandColours => ({
  heading: textOrNull(heading),
  background: textOrNull(background),
  button: textOrNull(button),
})

/** The service reports the same faults; here they are shown while the colours are chosen. */
export function faultsOf(look: Look): { readonly [Name in ColourName]?: string } {
  const faults = colourFaults(coloursOf(look))
  // A message about two colours belongs to the first one it names.
  const owner = (text: string): ColourName | undefined => colourNames.find((name) => text.toLowerCase().includes(name))
  return Object.fromEntries(faults.flatMap((text) => (owner(text) === undefined ? [] : [[owner(text), text]])))
}

interface PreviewParameters {
  readonly merchantId: string
  readonly look: Look
  /** The hash of the chosen logo, once the service has stored it for the preview. */
  readonly logo: string | null
  readonly language: string
}

/** A colour that is still being typed keeps its saved value. */
export function previewAddress({ merchantId, look, logo, language }: PreviewParameters): string {
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
