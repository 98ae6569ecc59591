/**
 * What of a form may run. Chapter 30 §9.4, "Review".
 *
 * At approval every inline script, handler and style is hashed into the form's policy, and the browser runs nothing else. The reading
 * here is no guard: what it overlooks has no hash, and so does nothing. It goes through the template once, because whoever uploads one
 * chooses its size and its text, and the process that reads it also takes payments.
 */
import { hash } from 'node:crypto'
import type { Sources } from '../../store/configuration/forms.ts'

export type Review =
  | { readonly ok: true; readonly sources: Sources }
  | { readonly ok: false; readonly faults: readonly string[] }

export function reviewForm(template: string): Review {
  const tags = tagsIn(template)
  const scripts = insides(tags, 'script')
  const styles = insides(tags, 'style')
  const handlers = attributesOf(tags, 'on[a-z]+')
  const looks = attributesOf(tags, 'style')
  const faults = [...foreign(tags), ...[...scripts, ...styles, ...handlers, ...looks].flatMap(changing)]
  if (faults.length > 0) return { ok: false, faults }
  return {
    ok: true,
    sources: {
      scripts: [...allowing(handlers), ...hashes([...scripts, ...handlers])],
      styles: [...allowing(looks), ...hashes([...styles, ...looks])],
    },
  }
}

/** A hash of an attribute counts only together with this word. */
const allowing = (attributes: readonly string[]): readonly string[] =>
  attributes.length > 0 ? ["'unsafe-hashes'"] : []

const hashes = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`)),
]

interface Tag {
  readonly name: string
  /** From `<` to `>`. */
  readonly markup: string
  /** Of a script or a style: all up to its end, which is text whatever it looks like. Null for others. */
  readonly inside: string | null
}

function tagsIn(template: string): readonly Tag[] {
  const endless = new Set<string>()
  const opening = /<([a-z][^\s/>]*)/gi
  const tags: Tag[] = []
  for (let found = opening.exec(template); found !== null; found = opening.exec(template)) {
    const end = template.indexOf('>', opening.lastIndex) + 1
    if (end === 0) break
    const name = (found[1] ?? '').toLowerCase()
    const closing = name === 'script' || name === 'style' ? closingIn(template, name, end, endless) : null
    const inside = closing && template.slice(end, closing.at)
    tags.push({ name, markup: template.slice(found.index, end), inside })
    opening.lastIndex = closing?.end ?? end
  }
  return tags
}

/** What has no end from here on has none further on either, and is not looked for again. */
function closingIn(template: string, name: string, from: number, endless: Set<string>) {
  if (endless.has(name)) return null
  const closing = new RegExp(`</${name}\\s*>`, 'gi')
  closing.lastIndex = from
  const found = closing.exec(template)
  if (found === null) endless.add(name)
  return found && { at: found.index, end: closing.lastIndex }
}

const insides = (tags: readonly Tag[], wanted: 'script' | 'style'): readonly string[] =>
  tags.flatMap(({ name, markup, inside }) =>
    name !== wanted || inside === null || (name === 'script' && /\ssrc\s*=/i.test(markup)) ? [] : [inside],
  )

/** All of them as one text: to begin a search anew for every tag takes longer than the search. */
const markupOf = (tags: readonly Tag[]): string => tags.map(({ markup }) => markup).join('\n')

function attributesOf(tags: readonly Tag[], name: string): readonly string[] {
  const attribute = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'gi')
  return [...markupOf(tags).matchAll(attribute)].map(([, double, single]) => unescaped(double ?? single ?? ''))
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Browsers hash the value of an attribute, in which references are resolved. */
const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return characterOf(Number(decimal))
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
    return named[String(name)] ?? whole
  })

/** A number that no character has stands for the sign of replacement. */
const characterOf = (code: number): string =>
  code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd'

const sourceElsewhere =
  /\s(?:src|href|action|formaction|data|poster|srcset)\s*=\s*(?:["']\s*)?((?:https?:)?\/\/[^"'\s>]+)/gi

/** What the payer's browser would load or send elsewhere; links that a payer follows are his own affair. */
const foreign = (tags: readonly Tag[]): readonly string[] =>
  [...markupOf(tags.filter(({ name }) => name !== 'a')).matchAll(sourceElsewhere)].map(
    ([, address]) => `${address}: sources on other hosts are not allowed.`,
  )

/** A value that is filled in would change the text after it was hashed. */
const changing = (text: string): readonly string[] =>
  /\{\{|\{%/.test(text) ? [`${text.trim().slice(0, 40)}: a placeholder is not allowed inside a script or style.`] : []
