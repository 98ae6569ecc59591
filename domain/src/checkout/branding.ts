/** The appearance of the hosted page, as far as a merchant may change it. Chapter 30 §7.1, "Branding". */
import { isHarmlessSvg } from '../brand/svg-logo.ts'
import { contrast, isColour, leastContrast } from './colour.ts'

/** Null means the page's own colour, light or dark. Text on `background` and `button` is black or white, whichever is easier to read. */
export interface BrandColours {
  readonly heading: string | null
  readonly background: string | null
  readonly button: string | null
}

export const ownColours: BrandColours = { heading: null, background: null, button: null }

/** Where summary and form are placed. From 900 px every template shows the summary beside the form, as chapter 30 §7.1 requires. */
// biome-ignore format: a table is read in columns.
export const brandTemplates = {
  card:  'Order and form on a card each.',
  plain: 'The order on the background itself, the form on a card.',
  split: 'The order on the background, which fills one half; the form on the other.',
} as const

export type BrandTemplate = keyof typeof brandTemplates

export const ownTemplate: BrandTemplate = 'card'

export const templateNames: readonly BrandTemplate[] = Object.keys(brandTemplates).filter(isTemplate)

export function isTemplate(text: string): text is BrandTemplate {
  return Object.hasOwn(brandTemplates, text)
}

export type LogoType = 'image/png' | 'image/svg+xml'

export const logoBytesAtMost = 100 * 1024

/** Sentences for the person who chose the colours; none when the colours are readable. */
export function colourFaults(colours: BrandColours): readonly string[] {
  const unreadable = Object.entries(colours).filter(([, colour]) => colour !== null && !isColour(colour))
  if (unreadable.length > 0) return unreadable.map(([name]) => `The ${name} must be a colour such as #1d4fd7.`)
  const { heading, background } = colours
  if (heading === null) return []
  // No single colour is readable on both the light and the dark background of the page.
  if (background === null) return ['A heading colour needs a background colour.']
  const ratio = contrast(heading, background)
  if (ratio >= leastContrast) return []
  const shownRatio = (Math.floor(ratio * 100) / 100).toFixed(2)
  return [
    `The heading ${heading} on the background ${background} has a contrast of ${shownRatio}:1; at least ${leastContrast}:1 is required.`,
  ]
}

type LogoReading = { readonly ok: true; readonly type: LogoType } | { readonly ok: false; readonly fault: string }

/** Decides by content, because a file name can lie. */
export function readLogo(content: Uint8Array): LogoReading {
  if (content.length > logoBytesAtMost) {
    return {
      ok: false,
      fault: `The logo has ${content.length} bytes; at most ${logoBytesAtMost / 1024} KiB are allowed.`,
    }
  }
  if (isPng(content)) return { ok: true, type: 'image/png' }
  const text = utf8Of(content)
  if (text !== null && isHarmlessSvg(text)) return { ok: true, type: 'image/svg+xml' }
  return {
    ok: false,
    fault: 'The logo must be a PNG, or an SVG without scripts, animations and references outside itself.',
  }
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const pngHeader = [...pngSignature, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]

const isPng = (content: Uint8Array): boolean => pngHeader.every((byte, at) => content[at] === byte)

function utf8Of(content: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return null
  }
}
