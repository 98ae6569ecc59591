/**
 * Reads a bank's XML: elements, their texts and their attributes. Prefixes of names are dropped. A document type is refused, so that no entity
 * but the five of XML itself can occur. Throws `XmlFault` with what is wrong.
 */
import { isStorable } from '../storable-text.ts'

export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly Element[]
  readonly text: string
}

export class XmlFault extends Error {
  override readonly name = 'XmlFault'
}

interface OpenElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Element[]
  text: string
}

const deepest = 50
/**
 * Of a statement with ten thousand bookings; each takes some hundred bytes of memory, which the file of 24 MB could exhaust. See
 * decisions/imports#limits-of-lines.
 */
const mostElements = 500_000
const noAttributes: ReadonlyMap<string, string> = new Map()
const token =
  /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<!|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:\s+[^\s=>]+\s*=\s*(?:"[^"<]*"|'[^'<]*')){0,100})\s*(\/?)>|([^<]+)|</g

export function readXml(text: string): Element {
  if (!isStorable(text)) throw new XmlFault('The file has a zero character (U+0000). Export the statement again.')
  const root: OpenElement = { name: '', attributes: new Map(), children: [], text: '' }
  const open: OpenElement[] = [root]
  let elements = 0
  for (const [whole, cdata, ending, beginning, attributes, closed, plain] of text
    .replace(/^\uFEFF/, '')
    .matchAll(token)) {
    const current = open.at(-1) ?? root
    if (cdata !== undefined) current.text += cdata
    else if (plain !== undefined) current.text += decode(plain)
    else if (beginning !== undefined) {
      elements += 1
      if (elements > mostElements) throw new XmlFault('The statement is too large. Import a statement for each day.')
      const element = { name: localName(beginning), attributes: attributesOf(attributes ?? ''), children: [], text: '' }
      current.children.push(element)
      if (closed === '') open.push(element)
      if (open.length > deepest) throw new XmlFault('The elements are nested too deeply.')
    } else if (ending !== undefined) {
      if (open.length === 1 || current.name !== localName(ending))
        throw new XmlFault(`The element ${ending} is closed, but ${current.name || 'none'} is open.`)
      open.pop()
    } else if (whole === '<!') throw new XmlFault('A document type is not accepted.')
    else if (whole === '<') throw new XmlFault('An element is broken off: the file was cut, or is not XML.')
  }
  const [document, ...others] = root.children
  if (open.length > 1) throw new XmlFault(`The element ${open.at(-1)?.name ?? ''} is not closed: the file was cut.`)
  if (!document || others.length > 0 || root.text.trim() !== '') throw new XmlFault('The file is not one XML document.')
  return document
}

/** The elements at the end of a path of names. */
export const allAt = (element: Element, ...path: readonly string[]): readonly Element[] =>
  path.reduce<readonly Element[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  )

/** Null if the element is missing or empty. */
export const textAt = (element: Element, ...path: readonly string[]): string | null =>
  allAt(element, ...path)[0]?.text.trim() || null

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const attributesOf = (text: string): ReadonlyMap<string, string> =>
  text === ''
    ? noAttributes
    : new Map(
        [...text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', double, single]) => [
          localName(name),
          decode(double ?? single ?? ''),
        ]),
      )

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

function decode(text: string): string {
  return text.replaceAll(/&(#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-z]+);?/g, (whole, name: string) => {
    const known = named[name]
    if (known !== undefined) return known
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    if (!name.startsWith('#') || !(code > 0 && code <= 0x10ffff) || isSurrogate(code))
      throw new XmlFault(`The entity ${whole} is not known.`)
    return String.fromCodePoint(code)
  })
}
