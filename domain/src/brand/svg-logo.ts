/** A brand's logo. A dangerous file is refused, not repaired, so that the page shows exactly the operator's file. Chapter 20 §5.1. */
import { accept, refuse } from '../reading.ts'
import type { Reader } from './record-reader.ts'

const bytesAtMost = 32 * 1024

/** Markup that runs, embeds or fetches. Pages show logos as images, where none of it works; this check is a second line of defence. */
const dangerous: readonly RegExp[] = [
  /<!(?:DOCTYPE|ENTITY)/i,
  /<\?xml-stylesheet/i,
  /<\s*(?:[\w-]+:)?(?:script|foreignObject|iframe|embed|object|audio|video|handler|set|animate\w*)\b/i,
  /[\s"'/]on[a-z]+\s*=/i,
  /(?:href|src)\s*=\s*(?!["']#)/i,
  /javascript:/i,
  /@import/i,
  /url\s*\(\s*["']?(?!#)/i,
  /&#/,
]

export const svgLogo: Reader<string> = (value) => {
  const allowed = `an SVG of up to ${bytesAtMost / 1024} KiB without scripts, animations and references outside itself`
  if (typeof value !== 'string' || new TextEncoder().encode(value).length > bytesAtMost) return refuse(allowed)
  return isHarmlessSvg(value) ? accept(value) : refuse(allowed)
}

export function isHarmlessSvg(text: string): boolean {
  const isSvg = /^\s*(?:<\?xml[^>]*\?>\s*)?<svg[\s>]/.test(text) && /<\/svg>\s*$/.test(text)
  return isSvg && !dangerous.some((sign) => sign.test(text))
}
