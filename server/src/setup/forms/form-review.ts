/**
 * Decides what of a form may run. Chapter 30 §9.4, "Review".
 *
 * At approval every inline script, handler and style is hashed into the form's content security policy, and the browser runs nothing else.
 * This parser is not the guard: code that it overlooks has no hash and does not run. It reads the template in a single pass, because a
 * merchant chooses its size and text, and the process that reads it also takes payments.
 */
import { hash } from 'node:crypto'
import type { Sources } from '../../store/configuration/forms.ts'

export type Review =
  | { readonly ok: true; readonly sources: Sources }
  | { readonly ok: false; readonly faults: readonly string[] }

export function reviewForm(template: string): Review {
  const tags = tagsIn(template)
  const scripts = contentsOf(tags, 'script')
  const styles = contentsOf(tags, 'style')
  const handlers = attributesOf(tags, 'on[a-z]+')
  const looks = attributesOf(tags, 'style')
  const faults = [...foreignSources(tags), ...[...scripts, ...styles, ...handlers, ...looks].flatMap(placeholderFaults)]
  if (faults.length > 0) return { ok: false, faults }
  return {
    ok: true,
    sources: {
      scripts: [...hashKeyword(handlers), ...hashes([...scripts, ...handlers])],
      styles: [...hashKeyword(looks), ...hashes([...styles, ...looks])],
    },
  }
}

/** The hash of an attribute is effective only together with this keyword. */
const hashKeyword = (attributes: readonly string[]): readonly string[] =>
  attributes.length > 0 ? ["'unsafe-hashes'"] : []

const hashes = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`)),
]

interface Tag {
  readonly name: string
  /** Where its markup begins in the template. */
  readonly at: number
  /** From `<` to `>`. */
  readonly markup: string
  /** For a script or style: everything up to its end tag, which is text whatever it looks like. Null for other tags. */
  readonly inside: string | null
}

export function tagsIn(template: string): readonly Tag[] {
  const endless = new Set<string>()
  const opening = /<([a-z][^\s/>]*)/gi
  const tags: Tag[] = []
  for (let found = opening.exec(template); found !== null; found = opening.exec(template)) {
    const end = template.indexOf('>', opening.lastIndex) + 1
    if (end === 0) break
    const name = (found[1] ?? '').toLowerCase()
    const closing = name === 'script' || name === 'style' ? closingIn(template, name, end, endless) : null
    const inside = closing && template.slice(end, closing.at)
    tags.push({ name, at: found.index, markup: template.slice(found.index, end), inside })
    opening.lastIndex = closing?.end ?? end
  }
  return tags
}

/** If no end tag follows from here, none follows later either, so it is not searched again. */
function closingIn(template: string, name: string, from: number, endless: Set<string>) {
  if (endless.has(name)) return null
  const closing = new RegExp(`</${name}\\s*>`, 'gi')
  closing.lastIndex = from
  const found = closing.exec(template)
  if (found === null) endless.add(name)
  return found && { at: found.index, end: closing.lastIndex }
}

const contentsOf = (tags: readonly Tag[], wanted: 'script' | 'style'): readonly string[] =>
  tags.flatMap(({ name, markup, inside }) =>
    name !== wanted || inside === null || (name === 'script' && /\ssrc\s*=/i.test(markup)) ? [] : [inside],
  )

/** As one text: starting a search for every tag takes longer than the search itself. */
const markupOf = (tags: readonly Tag[]): string => tags.map(({ markup }) => markup).join('\n')

function attributesOf(tags: readonly Tag[], name: string): readonly string[] {
  const attribute = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'gi')
  return [...markupOf(tags).matchAll(attribute)].map(([, double, single]) => unescapeReferences(double ?? single ?? ''))
}

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Browsers hash the value of an attribute after resolving its character references. */
const unescapeReferences = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return characterOf(Number(decimal))
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
    return namedEntities[String(name)] ?? whole
  })

/** An invalid code point becomes the replacement character. */
const characterOf = (code: number): string =>
  code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd'

const sourceElsewhere =
  /\s(?:src|href|action|formaction|data|poster|srcset)\s*=\s*(?:["']\s*)?((?:https?:)?\/\/[^"'\s>]+)/gi

/** Sources that the browser would load or send to on other hosts. Links that a payer follows are allowed. */
const foreignSources = (tags: readonly Tag[]): readonly string[] =>
  [...markupOf(tags.filter(({ name }) => name !== 'a')).matchAll(sourceElsewhere)].map(
    ([, address]) => `${address}: sources on other hosts are not allowed.`,
  )

/** A placeholder would change the text after it was hashed. */
const placeholderFaults = (text: string): readonly string[] =>
  /\{\{|\{%/.test(text) ? [`${text.trim().slice(0, 40)}: a placeholder is not allowed inside a script or style.`] : []
