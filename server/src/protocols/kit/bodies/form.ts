/**
 * The form bodies of the S2S protocols: what a merchant sends becomes a tree of texts, and a tree becomes a callback's body.
 *
 * Bytes are judged value by value. A value that is not UTF-8 stays in the tree as `invalidText`, so that the validator can name
 * the parameter; so does a value with a NUL character, which the database cannot store. Values are otherwise kept as sent, to
 * the last space, since a wallet token must reach its provider unchanged (Chapter 10 §1.1, §7.1.10).
 *
 * Trees have no prototype, hence `__proto__` and `constructor` are names like any other. A name whose brackets do not pair up
 * is taken literally, which makes it an unknown parameter; empty brackets mean the next free index.
 *
 * What is deliberately not here: the meaning of an empty value, the known names and the lengths of values, which the actions define.
 */
import { isUtf8 } from 'node:buffer'
import { limits } from '#domain/limits.ts'
import { boundaryOf, multipartFields } from './multipart.ts'
import type { RawField } from './raw-field.ts'
import { urlencodedFields } from './urlencoded.ts'
import { invalidText } from './value-tree.ts'

type FormLeaf = string | typeof invalidText

export interface FormTree {
  readonly [name: string]: FormLeaf | FormTree
}

/** `too-large` is answered with HTTP 413, an unreadable body with HTTP 400; the usual mistake of clients is named. Chapter 10 §1.2, §1.3. */
type FormFault = 'too-large' | 'unreadable' | 'bare-percent'

type FormReading = { readonly ok: true; readonly tree: FormTree } | { readonly ok: false; readonly fault: FormFault }

/** Also reads the query string of a GET, as `readForm(Buffer.from(query), undefined)`. */
export function readForm(body: Buffer, contentType: string | undefined): FormReading {
  if (body.length > limits.request.bodyBytes) return faultReading('too-large')

  const fields = rawFields(body.toString('latin1'), contentType)
  if (!fields) return faultReading('unreadable')

  const tree = emptyTree()
  let count = 0
  for (const field of fields) {
    if (!field) return faultReading(isMultipart(contentType) ? 'unreadable' : 'bare-percent')
    count += 1
    if (count > limits.request.parameters) return faultReading('too-large')
    const fault = plant(tree, field)
    if (fault) return faultReading(fault)
  }
  return { ok: true, tree }
}

export type TextTree = { readonly [name: string]: TextValue }
export type TextValue = string | TextTree | readonly (TextValue | undefined)[]

/** The body of a callback, names and values in the tree's order (Chapter 10 §11.1). */
export function encodeForm(tree: TextTree): string {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(tree)) addPairs(pairs, percentEncoded(name), value)
  return pairs.join('&')
}

interface GrowingTree {
  [name: string]: FormLeaf | GrowingTree
}

const faultReading = (fault: FormFault): FormReading => ({ ok: false, fault })

const emptyTree = (): GrowingTree => Object.create(null)

const mediaTypeOf = (contentType: string | undefined): string | undefined =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase()

const isMultipart = (contentType: string | undefined): boolean => mediaTypeOf(contentType) === 'multipart/form-data'

/** Null in place of a field that cannot be read; an escape without two digits is the only such fault of a urlencoded form. */
function rawFields(body: string, contentType: string | undefined): Iterable<RawField | null> | null {
  const mediaType = mediaTypeOf(contentType)
  if (!mediaType || mediaType === 'application/x-www-form-urlencoded') return urlencodedFields(body)
  if (!isMultipart(contentType)) return null

  const boundary = boundaryOf(contentType ?? '')
  return boundary === null ? null : multipartFields(body, boundary)
}

function plant(tree: GrowingTree, field: RawField): FormFault | null {
  const name = textOf(field.name)
  if (name === invalidText) return 'unreadable'
  if (name === '') return null

  const { base, nested } = pathOf(name)
  if (nested.length > limits.request.nestingDepth) return 'too-large'

  let node = tree
  let key = base
  for (const segment of nested) {
    node = childOf(node, key)
    key = segment === '' ? nextIndex(node) : segment
  }
  node[key] = textOf(field.value)
  return null
}

/** A nested value replaces an earlier text of the same name, because the last value counts. */
function childOf(node: GrowingTree, key: string): GrowingTree {
  const existing = node[key]
  if (typeof existing === 'object') return existing

  const child = emptyTree()
  node[key] = child
  return child
}

function nextIndex(node: GrowingTree): string {
  const indexes = Object.keys(node).filter((key) => /^[0-9]{1,9}$/.test(key))
  return String(indexes.reduce((next, key) => Math.max(next, Number(key) + 1), 0))
}

function pathOf(name: string): { readonly base: string; readonly nested: readonly string[] } {
  const open = name.indexOf('[')
  if (open < 1 || !name.endsWith(']')) return { base: name, nested: [] }

  const nested = name.slice(open + 1, -1).split('][')
  if (nested.some((segment) => segment.includes(']'))) return { base: name, nested: [] }
  return { base: name.slice(0, open), nested }
}

const beyondAscii = /[\x80-\xff]/

function textOf(bytes: string): FormLeaf {
  if (bytes.includes('\0')) return invalidText
  if (!beyondAscii.test(bytes)) return bytes

  const buffer = Buffer.from(bytes, 'latin1')
  return isUtf8(buffer) ? buffer.toString('utf8') : invalidText
}

function addPairs(pairs: string[], name: string, value: TextValue): void {
  if (typeof value === 'string') {
    pairs.push(`${name}=${percentEncoded(value)}`)
    return
  }
  for (const [key, inner] of Object.entries(value)) {
    if (inner !== undefined) addPairs(pairs, `${name}%5B${percentEncoded(key)}%5D`, inner)
  }
}

const plainText = /^[A-Za-z0-9._-]*$/

const encodedBytes: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (character === ' ') return '+'
  return plainText.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
})

function percentEncoded(text: string): string {
  if (plainText.test(text)) return text

  const bytes = Buffer.from(text, 'utf8')
  let encoded = ''
  for (let at = 0; at < bytes.length; at += 1) encoded += encodedBytes[bytes[at] ?? 0]
  return encoded
}
