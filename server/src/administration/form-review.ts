/**
 * What of a form may run. Chapter 30 §9.4, "Review".
 *
 * At approval every inline script, handler and style is hashed into the form's policy, and the browser runs nothing else. The reading
 * here is no guard: what it overlooks has no hash, and so does nothing.
 */
import { hash } from 'node:crypto'
import type { Sources } from '../store/forms.ts'

export type Review =
  | { readonly ok: true; readonly sources: Sources }
  | { readonly ok: false; readonly faults: readonly string[] }

export function reviewForm(template: string): Review {
  const scripts = inside(template, 'script').filter(({ attributes }) => !/\ssrc\s*=/i.test(attributes))
  const styles = inside(template, 'style')
  const handlers = attributesOf(template, 'on[a-z]+')
  const looks = attributesOf(template, 'style')
  const inline = [...scripts, ...styles].map(({ text }) => text).concat(handlers, looks)
  const faults = [...foreign(template), ...inline.flatMap(changing)]
  if (faults.length > 0) return { ok: false, faults }
  return {
    ok: true,
    sources: {
      scripts: [...allowing(handlers), ...hashes([...scripts.map(({ text }) => text), ...handlers])],
      styles: [...allowing(looks), ...hashes([...styles.map(({ text }) => text), ...looks])],
    },
  }
}

/** A hash of an attribute counts only together with this word. */
const allowing = (attributes: readonly string[]): readonly string[] =>
  attributes.length > 0 ? ["'unsafe-hashes'"] : []

const hashes = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`)),
]

function inside(template: string, tag: string): readonly { readonly attributes: string; readonly text: string }[] {
  const element = new RegExp(`<${tag}(\\s[^>]*)?>(.*?)</${tag}\\s*>`, 'gis')
  return [...template.matchAll(element)].map(([, attributes = '', text = '']) => ({ attributes, text }))
}

function attributesOf(template: string, name: string): readonly string[] {
  const attribute = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'gi')
  return [...tagsOf(template).matchAll(attribute)].map(([, double, single]) => unescaped(double ?? single ?? ''))
}

/** Tags alone: the text of a script may look like an attribute. */
const tagsOf = (template: string): string =>
  [...template.replace(/<(script|style)(\s[^>]*)?>.*?<\/\1\s*>/gis, '<$1$2>').matchAll(/<[a-z][^>]*>/gi)]
    .map(([tag]) => tag)
    .join('\n')

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Browsers hash the value of an attribute, in which references are resolved. */
const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return named[String(name)] ?? whole
  })

/** What the payer's browser would load or send elsewhere; links that a payer follows are his own affair. */
function foreign(template: string): readonly string[] {
  const source =
    /<(?!a\s)[a-z]+\b[^>]*?\s(?:src|href|action|formaction|data|poster|srcset)\s*=\s*["']?\s*((?:https?:)?\/\/[^"'\s>]+)/gi
  return [...template.matchAll(source)].map(([, address]) => `${address}: sources on other hosts are not allowed.`)
}

/** A value that is filled in would change the text after it was hashed. */
const changing = (text: string): readonly string[] =>
  /\{\{|\{%/.test(text) ? [`${text.trim().slice(0, 40)}: a placeholder cannot stand inside a script or style.`] : []
