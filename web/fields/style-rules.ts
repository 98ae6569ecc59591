/**
 * The styles that a merchant may give a field: text, colour, spacing, border and size, and nothing that loads, moves or covers anything.
 * Unlisted properties are dropped silently, so that one unknown property does not cost the merchant the rest. Chapter 30 §8.3.
 */
import type { FieldStyle } from './messages.ts'

/** The allowed part of the requested style, by selector. */
export function filterStyle(
  wish: FieldStyle,
): readonly (readonly [selector: Selector, property: string, value: string])[] {
  return selectors.flatMap((selector) =>
    Object.entries(wish[selector] ?? {})
      .map(([name, value]) => [selector, kebab(name), String(value)] as const)
      .filter(([, property, value]) => properties.has(property) && isHarmless(value)),
  )
}

const selectors = ['input', '::placeholder', ':focus', ':invalid'] as const
export type Selector = (typeof selectors)[number]

/** Merchants write `font-size` or, as in scripts, `fontSize`. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const boxEdges = ['', '-top', '-right', '-bottom', '-left', '-block', '-inline', '-inline-start', '-inline-end']
const edges = boxEdges.flatMap((edge) => ['', '-color', '-style', '-width'].map((part) => `border${edge}${part}`))
const corners = ['', '-top-left', '-top-right', '-bottom-left', '-bottom-right'].map(
  (corner) => `border${corner}-radius`,
)
const sizes = ['width', 'height'].flatMap((size) => [size, `min-${size}`, `max-${size}`])

// biome-ignore format: a table is read in columns.
const properties: ReadonlySet<string> = new Set([
  // text
  'font', 'font-family', 'font-size', 'font-style', 'font-variant', 'font-variant-numeric', 'font-weight', 'font-feature-settings',
  'letter-spacing', 'line-height', 'text-align', 'text-decoration', 'text-indent', 'text-overflow', 'text-shadow', 'text-transform', 'word-spacing',
  '-webkit-font-smoothing', '-moz-osx-font-smoothing',
  // colour
  'color', 'background', 'background-color', 'caret-color', 'accent-color', 'color-scheme', 'opacity', 'box-shadow', '-webkit-text-fill-color',
  // spacing
  ...boxEdges.flatMap((edge) => [`padding${edge}`, `margin${edge}`]),
  // border
  ...edges, ...corners, 'outline', 'outline-color', 'outline-offset', 'outline-style', 'outline-width',
  // size
  ...sizes, 'box-sizing',
])

// biome-ignore format: a table is read in columns.
const functions: ReadonlySet<string> = new Set([
  'rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color', 'color-mix', 'light-dark',
  'calc', 'min', 'max', 'clamp',
])

/** Only functions of colours and sizes, no escapes that could hide another one, and no end of the declaration. */
function isHarmless(value: string): boolean {
  if (value.length > LONGEST_VALUE || /[\\;{}<>@]|\/\*/.test(value)) return false
  return Array.from(value.matchAll(/([a-z][\w-]*)?\s*\(/gi)).every(
    ([, name = '']) => name === '' || functions.has(name.toLowerCase()),
  )
}

const LONGEST_VALUE = 200
